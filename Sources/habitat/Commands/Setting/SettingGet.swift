import ArgumentParser
import HabitModel
import HabitStore

struct SettingGet: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get", abstract: "Show one setting.",
        discussion: """
            Example:
              habitat setting get message-limit
            """)

    @Argument(help: ArgumentHelp("Name of the setting.", valueName: "name"))
    var name: String
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        try common.requireOperator("setting get")
        try output.refuseExplanation()
        let setting = try Setting(named: name)
        try common.open(.read).read { session in
            try output.show(setting, try StoreSettings.read(in: session), common)
        }
    }
}
