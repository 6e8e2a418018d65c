import ArgumentParser
import HabitModel

struct SettingSet: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Change a setting: a number of characters.",
        discussion: """
            What is stored already stays as it is, even where it is longer.

            Example:
              habitat setting set message-limit 500
            """)

    @Argument(help: ArgumentHelp("The setting's name.", valueName: "name"))
    var name: String
    @Argument(help: ArgumentHelp("Its new value.", valueName: "value"))
    var value: String
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        try common.requireOperator("setting set")
        let setting = try Setting(named: name)
        let value = try setting.value(value)
        try common.change(output) { session, _, _ in
            let settings = try session.writeRecords { writer in
                _ = try writer.write(.setting(SettingRecord(setting, value)))
                return writer.settings
            }
            try output.show(setting, settings, common)
        }
    }
}
