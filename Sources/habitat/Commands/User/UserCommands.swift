import ArgumentParser

struct UserCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user", abstract: "Users: accounts, and how they stand to you.",
        discussion: """
            Examples:
              habitat user list --as alice
              habitat user add zoe --name "Zoe Lima" --time-zone Europe/Lisbon
            """,
        subcommands: [UserList.self, UserAdd.self, UserShow.self, UserEdit.self, UserDelete.self])
}
