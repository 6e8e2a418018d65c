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

    @Argument(help: ArgumentHelp("ID or caption of the post.", valueName: "post"))
    var post: String
    @OptionGroup var confirmation: ConfirmOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        let confirmed = try common.confirm(
            [post], by: confirmation, question: { record in "Delete the post \(record) with its photo?" }
        ) { names, _, name in
            let id = try names.postID(name, own: true)
            return (id, try names.title(of: .post, id: id))
        }
        try common.performAndReport(output, of: confirmed) { user, name in
            let post = try user.wholeNames.postID(name, own: true)
            try PostActions(user).delete(post)
            return [("deleted", .text(post))]
        }
    }
}
