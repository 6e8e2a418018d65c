import ArgumentParser
import HabitModel

struct SettingSet: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Change a setting.",
        discussion: """
            The value is a maximum number of characters. Stored texts that are longer than a new limit are unchanged.

            Example:
              habitat setting set message-limit 500
            """)

    @Argument(help: ArgumentHelp("Name of the setting.", valueName: "name"))
    var name: String
    @Argument(help: ArgumentHelp("New value.", valueName: "value"))
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
