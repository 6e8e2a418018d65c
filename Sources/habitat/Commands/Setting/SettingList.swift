import ArgumentParser
import HabitModel
import HabitStore

struct SettingList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List all settings with their values and defaults.",
        discussion: """
            Example:
              habitat setting list --format json
            """)

    @OptionGroup(title: OutputOptions.title) var output: OutputOptions
    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    mutating func run() throws {
        try common.requireOperator("setting list")
        try output.refuseExplanation()
        try common.open(.read).read { session in
            try output.show(common, whenEmpty: "") { begin in
                try begin(SettingShape.list).append(SettingShape.rows(SettingRecord.names, in: session))
            }
        }
    }
}
