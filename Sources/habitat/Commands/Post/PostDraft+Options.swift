import HabitModel
import HabitStore

extension PostDraft {
    init(caption: String?, options: PostPhotoOptions, common: CommonOptions) throws {
        self.init()
        self.caption = FieldInput(option: caption)
        let values = try options.read(common)
        photo = values.photo
        position = values.position
    }
}
