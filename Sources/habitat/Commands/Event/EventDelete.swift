import ArgumentParser
import HabitStore

struct EventDelete: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete your events permanently.",
        discussion: """
            With --yes, the command accepts only IDs, so that a repeated command never deletes another event.

            Example:
              habitat event delete e00513 --as alice --yes
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
            try EventActions(user).delete(event)
            return [("deleted", .text(event))]
        }
    }
}
