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

    @Argument(help: ArgumentHelp("ID of the event.", valueName: "event"))
    var event: String
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        try output.showOne(common) { session, viewer, _ in
            try AccessChecker(viewer: viewer, in: session).require(.view, on: .event, id: event)
            return try EventQuery.one(event, viewer: viewer, in: session)
        }
    }
}
