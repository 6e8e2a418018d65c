import ArgumentParser
import HabitStore

struct PauseDelete: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete your pauses, so that their days count again.",
        discussion: """
            Events on these days are no longer unplanned. To end a pause today, use 'habitat habit resume' or 'habitat \
            user resume'.

            Example:
              habitat pause delete 4bq0txp7 --as alice --yes
            """)

    @Argument(help: ArgumentHelp("ID of a pause; repeatable.", valueName: "pause"), completion: .anyText)
    var pauses: [String]
    @OptionGroup var confirmation: ConfirmOptions
    @OptionGroup(title: OutputOptions.title) var output: OutputOptions
    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    func run() throws {
        let noun = pauses.count == 1 ? "the pause" : "the pauses"
        try common.delete(
            pauses, confirmation: confirmation, output: output, prompt: { records in "Delete \(noun) \(records)?" }
        ) {
            user, _, id in
            try PauseActions(user).delete(id)
            return Deletion(
                id: id,
                subject: "the pause '\(id)'",
                values: [("deleted", .text(id))])
        }
    }
}
