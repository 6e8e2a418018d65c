import ArgumentParser
import HabitStore

struct ViewRevoke: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Revoke the addresses of a shared view.",
        discussion: """
            The addresses are invalid immediately.

            Example:
              habitat view revoke 5d1f0c9a2b7e --as alice
            """)

    @Argument(help: ArgumentHelp("ID of the view in 'habitat view list'.", valueName: "id"), completion: .anyText)
    var id: String
    @OptionGroup(title: OutputOptions.title) var output: OutputOptions
    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    func run() throws {
        try common.change(output) { session, viewer, clock in
            try TokenActions(clock: clock, in: session).revokeView(id, by: viewer)
            try output.show([("revoked", .text(id))], common)
        }
    }
}
