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

    @Argument(help: ArgumentHelp("ID or title of a habit; repeatable.", valueName: "habit"), completion: .ownHabit)
    var habits: [String]
    @OptionGroup var confirmation: ConfirmOptions
    @OptionGroup(title: OutputOptions.title) var output: OutputOptions
    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    private var its: String { habits.count == 1 ? "its" : "their" }

    func run() throws {
        let noun = habits.count == 1 ? "the habit" : "the habits"
        try common.delete(
            habits, confirmation: confirmation, output: output,
            prompt: { records in "Delete \(noun) \(records) with all \(its) events?" }
        ) { user, names, name in
            let id = try names.habitID(name, own: true)
            let title = try names.title(of: .habit, id: id)
            let events = try HabitActions(user).delete(id)
            return Deletion(
                id: id, subject: title ?? id, others: [(events, "events")],
                values: [("deleted", .text(id)), ("events", .integer(Int64(events)))])
        }
    }
}
