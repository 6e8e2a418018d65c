import ArgumentParser
import Base
import HabitModel
import HabitStore
import Photos

struct Done: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "done", abstract: "Record habits as done.",
        discussion: """
            A habit is a title, its beginning or an ID; HABIT@DAY names another day. If the day has an event, the \
            options change it. If one habit is refused, no habit is recorded.

            Examples:
              habitat done gym --as alice
              habitat done read@yesterday --as alice --comment "two chapters"
              habitat done gym "morning run@fri" --as alice
            """)

    @Argument(
        help: ArgumentHelp(
            "HABIT or HABIT@DAY. Without one, the command asks for each open habit of today.", valueName: "habit"),
        completion: .openHabit)
    var habits: [String] = []
    @OptionGroup var event: DayOptions
    @Option(
        name: .shortAndLong, parsing: .unconditional,
        help: ArgumentHelp("Amount in the unit of the habit.", valueName: "number"),
        completion: .anyText)
    var amount: String?
    @Option(
        name: .shortAndLong, parsing: .unconditional,
        help: ArgumentHelp("JPEG, PNG, WebP or GIF file of at most 65,535 bytes.", valueName: "file"),
        completion: .photo)
    var photo: String?
    @OptionGroup var photoOptions: PhotoOptions
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Time, such as 18:30 (default for today: now).", valueName: "instant"),
        completion: .anyText)
    var at: String?
    @Flag(help: "Also on days on which the habit is not due.")
    var unplanned = false
    @OptionGroup(title: OutputOptions.title) var output: OutputOptions
    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    func run() throws {
        var draft = try EventDraft(day: event.day, at: at, comment: event.comment, amount: amount)
        let picture = try photoOptions.read(photo, keepingEXIF: false, limit: Photo.standardLimit)
        draft.details.photo = picture.photo
        draft.details.position = picture.position
        draft.allowsUnplanned = unplanned
        let entries = DayEntries(
            outcome: .done, draft: draft, photoOptions: photoOptions, day: event.day, output: output, common: common)
        guard habits.isEmpty else { return try entries.record(habits) }
        guard Prompt.isPossible else {
            throw HabitError(.usage, "the habit is missing: name a habit, such as 'habitat done walk'")
        }
        try DayQuestions(entries).ask()
    }
}
