import ArgumentParser
import HabitStore

struct PostDelete: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete a post of yours with its photo; who could see it learns that it is gone.",
        discussion: """
            Example:
              habitat post delete post-0001 --as alice --yes
            """)

    @Argument(help: ArgumentHelp("The post's id.", valueName: "post"))
    var post: String
    @OptionGroup var confirmation: ConfirmOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        try confirmation.confirm("Delete the post '\(post)' with its photo?")
        try common.tell(output) { user in
            try PostActions(user).delete(post)
            return [("deleted", .text(post))]
        }
    }
}
