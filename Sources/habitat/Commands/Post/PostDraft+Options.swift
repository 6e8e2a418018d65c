import HabitModel
import HabitStore

extension PostDraft {
    init(_ caption: String?, _ options: PostPhotoOptions, _ common: CommonOptions) throws {
        self.init()
        self.caption = FieldInput(option: caption)
        (photo, position) = try options.read(common)
    }
}
