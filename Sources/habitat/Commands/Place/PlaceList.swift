import ArgumentParser
import HabitStore

struct PlaceList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List your private places.",
        discussion: """
            Example:
              habitat place list --as alice --format json
            """)

    @OptionGroup(title: OutputOptions.title) var output: OutputOptions
    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    func run() throws {
        try output.refuseExplanation()
        let clock = try common.clock()
        try common.open(.read).read { session in
            let viewer = try common.viewer(in: session)
            let user = try common.actingUser(viewer, clock, in: session)
            let places = try AccountActions(viewer, in: session).privatePlaces(of: user.id).places
            let notice = "You have no private places: add one with 'habitat place add NAME POSITION'."
            try output.show(common, whenEmpty: notice) { begin in
                try begin(PrivatePlaceShape.list).append(places.map(PrivatePlaceShape.row))
            }
        }
    }
}
