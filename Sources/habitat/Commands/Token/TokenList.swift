import ArgumentParser
import HabitStore

struct TokenList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "The tokens in force, without what is secret of them.",
        discussion: """
            Example:
              habitat token list --format json
            """)

    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        try common.requireOperator("token list")
        try output.show(common, whenEmpty: "There are no tokens: make one with 'habitat token create --user USER'.") {
            _, viewer, clock in TokenQuery(viewer: viewer, clock: clock).selection
        }
    }
}
