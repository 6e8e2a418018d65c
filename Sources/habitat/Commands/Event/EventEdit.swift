import ArgumentParser
import HabitStore

struct EventEdit: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Change an event of yours, and show it.",
        discussion: """
            It keeps its day unless --day gives another, which must be due and free.

            Examples:
              habitat event edit e00513 --as alice --comment "with Anna"
              habitat event edit e00513 --as alice --photo none --position none
            """)

    @Argument(help: ArgumentHelp("The event's id.", valueName: "event"))
    var event: String
    @Option(parsing: .unconditional, help: ArgumentHelp("Another day.", valueName: "date"))
    var day: String?
    @Option(parsing: .unconditional, help: ArgumentHelp("When it was done, in RFC 3339.", valueName: "instant"))
    var at: String?
    @Option(parsing: .unconditional, help: ArgumentHelp("Up to 20 characters; empty for none.", valueName: "text"))
    var comment: String?
    @OptionGroup var photo: PhotoOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        let draft = try EventDraft(day: day, at: at, comment: comment, photo)
        try common.act(output) { user in
            try EventActions(user).edit(event, draft)
            return try EventQuery.one(event, viewer: user.viewer, in: user.session)
        }
    }
}
