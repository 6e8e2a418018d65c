import ArgumentParser
import HabitStore

struct TokenList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List valid tokens, calendar addresses and links.",
        discussion: """
            The list does not contain the secrets. The kind is 'bearer' or 'sign-in' for a token, 'session' for a browser, \
            'calendar' for the address of a calendar, and 'link' for a one-time link.

            Example:
              habitat token list --format json
            """)

    @OptionGroup(title: OutputOptions.title) var output: OutputOptions
    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    mutating func run() throws {
        try common.requireOperator("token list")
        try output.show(
            common, whenEmpty: "The store has no valid tokens: create one with 'habitat token create --user USER'."
        ) {
            _, viewer, clock in TokenQuery(viewer: viewer, clock: clock).selection
        }
    }
}
