import ArgumentParser
import HabitStore

struct ViewList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List shared views, oldest first.",
        discussion: """
            By default, the command lists your own views, or all views if you are the operator. The list does not contain \
            the secrets.

            Example:
              habitat view list --as alice --format json
            """)

    @OptionGroup(title: OutputOptions.title) var output: OutputOptions
    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    func run() throws {
        let notice = "No shared views: create one with 'habitat view create --as USER'."
        try output.show(common, whenEmpty: notice) { _, viewer, clock in
            ViewQuery(viewer: viewer, clock: clock).selection
        }
    }
}
