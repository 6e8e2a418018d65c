import ArgumentParser

struct PlaceCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "place", abstract: "Add, list and delete your private places.",
        discussion: """
            Others see no position of your events and posts in a private place, also of earlier ones. You and the \
            operator see all positions. The hidden area is larger than the circle of the place and does not have it in \
            its middle. Items are not hidden, because others see only their cell of about 400 m.

            Examples:
              habitat place add home 38.7223,-9.1393 --radius 300m --as alice
              habitat place list --as alice
            """,
        subcommands: [PlaceAdd.self, PlaceList.self, PlaceDelete.self])
}
