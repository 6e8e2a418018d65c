import ArgumentParser
import Base
import HabitModel
import HabitStore

struct PlaceAdd: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add a private place, or change the place with this name.",
        discussion: """
            POSITION is LATITUDE,LONGITUDE in degrees, a place of the configuration, a large city, or 'last' for the \
            position of your newest event. A user has at most 20 private places.

            Examples:
              habitat place add home 38.7223,-9.1393 --as alice
              habitat place add work 38.75,-9.2 --radius 1km --as alice
            """)

    @Argument(help: ArgumentHelp("Name of the place.", valueName: "name"), completion: .anyText)
    var name: String
    @Argument(help: ArgumentHelp("Position of the place.", valueName: "position"), completion: .position)
    var position: String
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Radius from 100m to 2km (default: 300m).", valueName: "distance"), completion: .anyText)
    var radius: String?
    @OptionGroup(title: OutputOptions.title) var output: OutputOptions
    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    func run() throws {
        let radius = try radius.map { text in try Parse.distance(text, field: "radius") }
        try common.change(output) { session, viewer, clock in
            let user = try common.actingUser(viewer, clock, in: session)
            let center = try viewer.position(position, field: "position", places: .commandLine, in: session)
            let place = try PrivatePlace(
                name: name,
                position: center,
                radius: radius ?? PrivatePlace.standardRadius)
            try AccountActions(viewer, in: session).setPrivatePlace(place, of: user.id)
            try output.show(common, whenEmpty: "", single: true) { begin in
                try begin(PrivatePlaceShape.list).append([PrivatePlaceShape.row(place)])
            }
        }
    }
}
