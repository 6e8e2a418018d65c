import ArgumentParser
import HabitModel

struct PostCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "post", abstract: "List, publish, edit and delete photo posts.",
        discussion: """
            Examples:
              habitat post list --as alice --limit 10
              habitat post download post-0131 --output river.png
            """,
        subcommands: [
            PostList.self, PostAdd.self, PostShow.self, PostEdit.self, PostDelete.self, PostDownload.self,
        ])
}
