import ArgumentParser
import HabitStore

struct HabitDelete: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete your habits and their events permanently.",
        discussion: """
            The beginning of a title stands for a habit only if the command asks for a confirmation.

            Examples:
              habitat habit delete alice-swim --as alice --yes
              habitat habit delete alice-swim "Morning run" --as alice --yes
            """)

    @Argument(help: ArgumentHelp("ID or title of a habit; repeatable.", valueName: "habit"))
    var habits: [String]
    @OptionGroup var confirmation: ConfirmOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    private var its: String { habits.count == 1 ? "its" : "their" }

    func run() throws {
        let noun = habits.count == 1 ? "the habit" : "the habits"
        let confirmed = try common.confirm(
            habits, by: confirmation, question: { records in "Delete \(noun) \(records) with all \(its) events?" }
        ) { names, _, name in
            let id = try names.habitID(name, own: true)
            return (id, try names.title(of: .habit, id: id))
        }
        try common.performAndReport(output, of: confirmed) { user, habit in
            let id = try user.wholeNames.habitID(habit)
            let events = try HabitActions(user).delete(id)
            return [("deleted", .text(id)), ("events", .integer(Int64(events)))]
        }
    }
}
