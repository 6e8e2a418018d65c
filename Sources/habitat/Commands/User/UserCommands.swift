import ArgumentParser

struct UserCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user", abstract: "List, create, edit, delete and block user accounts.",
        discussion: """
            Examples:
              habitat user list --as alice
              habitat user add zoe --name "Zoe Lima" --time-zone Europe/Lisbon
            """,
        subcommands: [
            UserList.self, UserAdd.self, UserShow.self, UserEdit.self, UserPause.self, UserResume.self,
            UserDelete.self, UserBlock.self, UserUnblock.self, UserBlocks.self,
        ])
}
