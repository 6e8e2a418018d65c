import ArgumentParser

struct SettingCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "setting", abstract: "Show and change limits and blocked words.",
        discussion: """
            Examples:
              habitat setting list
              habitat setting set message-limit 500
            """,
        subcommands: [SettingList.self, SettingGet.self, SettingSet.self])
}
