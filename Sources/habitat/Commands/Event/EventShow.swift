import ArgumentParser
import HabitStore

struct EventShow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show one event.",
        discussion: """
            Examples:
              habitat event show e00513 --as alice
              habitat event show e00513 --as alice --format geojson
            """)

    @Argument(
        help: ArgumentHelp("ID, HABIT@DAY such as gym@mon, or HABIT for the event of today.", valueName: "event"),
        completion: .event)
    var event: String
    @OptionGroup(title: OutputOptions.title) var output: OutputOptions
    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    func run() throws {
        try output.showOne(common) { session, viewer, clock in
            let names = common.names(for: viewer, in: session)
            let event = try EventReference(event).id(names, clock: clock)
            try AccessChecker(viewer: viewer, in: session).require(.view, on: .event, id: event)
            return try EventQuery.one(event, viewer: viewer, in: session)
        }
    }
}
