import ArgumentParser
import HabitModel
import HabitStore

struct SettingGet: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get", abstract: "Show one setting.",
        discussion: """
            The value of the setting word-list is the text of the list, or 'built-in'.

            Example:
              habitat setting get message-limit
            """)

    @Argument(help: ArgumentHelp("Name of the setting.", valueName: "name"), completion: .list(SettingRecord.names))
    var name: String
    @OptionGroup(title: OutputOptions.title) var output: OutputOptions
    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    mutating func run() throws {
        try common.requireOperator("setting get")
        try output.refuseExplanation()
        try SettingRecord.checkName(name)
        try common.open(.read).read { session in
            try output.show(setting: name, common, in: session)
        }
    }
}
