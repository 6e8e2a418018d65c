import ArgumentParser
import HabitStore

struct EventDelete: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete your events permanently.",
        discussion: """
            The beginning of a title stands for a habit only if the command asks for a confirmation.

            Examples:
              habitat event delete e00513 --as alice --yes
              habitat event delete gym@2026-11-17 --as alice --yes
            """)

    @Argument(
        help: ArgumentHelp(
            "ID, HABIT@DAY such as gym@mon, or HABIT for the event of today; repeatable.", valueName: "event"))
    var events: [String]
    @OptionGroup var confirmation: ConfirmOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        let noun = events.count == 1 ? "the event" : "the events"
        let confirmed = try common.confirm(
            events, by: confirmation, question: { records in "Delete \(noun) \(records)?" }
        ) { names, clock, name in
            let id = try EventReference(name).id(names, own: true, clock: clock)
            return (id, try names.title(of: .event, id: id))
        }
        try common.performAndReport(output, of: confirmed) { user, event in
            let id = try EventReference(event).id(user.wholeNames, own: true, clock: user.clock)
            try EventActions(user).delete(id)
            return [("deleted", .text(id))]
        }
    }
}
