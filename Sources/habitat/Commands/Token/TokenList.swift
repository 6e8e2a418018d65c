import ArgumentParser
import HabitStore

struct TokenList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List valid tokens without their secrets.",
        discussion: """
            Example:
              habitat token list --format json
            """)

    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        try common.requireOperator("token list")
        try output.show(
            common, whenEmpty: "The store has no valid tokens: create one with 'habitat token create --user USER'."
        ) {
            _, viewer, clock in TokenQuery(viewer: viewer, clock: clock).selection
        }
    }
}
