import ArgumentParser
import HabitStore

struct PlaceDelete: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete a private place.",
        discussion: """
            Others then see the positions of your events and posts there again.

            Example:
              habitat place delete home --as alice --yes
            """)

    @Argument(help: ArgumentHelp("Name of the place in any letter case.", valueName: "name"), completion: .anyText)
    var name: String
    @OptionGroup var confirmation: ConfirmOptions
    @OptionGroup(title: OutputOptions.title) var output: OutputOptions
    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    func run() throws {
        try common.delete(
            [name], confirmation: confirmation, output: output,
            prompt: { place in "Delete the private place \(place)?" }
        ) {
            user, _, name in
            try AccountActions(user.viewer, in: user.session).deletePrivatePlace(name, of: user.id)
            return Deletion(
                id: name,
                subject: "the private place '\(name)'",
                values: [("deleted", .text(name))])
        }
    }
}
