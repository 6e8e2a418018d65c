import ArgumentParser
import HabitStore

struct PostDelete: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete one of your posts and its photo permanently.",
        discussion: """
            For users who could see the post, later requests fail with the error post-deleted.

            Example:
              habitat post delete post-0001 --as alice --yes
            """)

    @Argument(help: ArgumentHelp("ID of the post.", valueName: "post"))
    var post: String
    @OptionGroup var confirmation: ConfirmOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        try confirmation.confirm("Delete the post '\(post)' with its photo?")
        try common.performAndReport(output) { user in
            try PostActions(user).delete(post)
            return [("deleted", .text(post))]
        }
    }
}
