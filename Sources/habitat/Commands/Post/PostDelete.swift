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

    @Argument(help: ArgumentHelp("ID or caption of the post.", valueName: "post"), completion: .ownPost)
    var post: String
    @OptionGroup var confirmation: ConfirmOptions
    @OptionGroup(title: OutputOptions.title) var output: OutputOptions
    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    func run() throws {
        try common.delete(
            [post], confirmation: confirmation, output: output,
            prompt: { record in "Delete the post \(record) with its photo?" }
        ) { user, names, name in
            let id = try names.postID(name, own: true)
            let title = try names.title(of: .post, id: id)
            try PostActions(user).delete(id)
            return Deletion(
                id: id, subject: title.map { title in "\(title) (\(id))" } ?? "the post \(id)",
                values: [("deleted", .text(id))])
        }
    }
}
