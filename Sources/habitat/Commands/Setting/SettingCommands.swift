import ArgumentParser

struct SettingCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "setting", abstract: "The limits that the store's operator can change.",
        discussion: """
            Examples:
              habitat setting list
              habitat setting set message-limit 500
            """,
        subcommands: [SettingList.self, SettingGet.self, SettingSet.self])
}
