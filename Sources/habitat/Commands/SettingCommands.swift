import ArgumentParser
import HabitModel
import HabitStore

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

struct SettingList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "All settings, with what holds and what holds unless it is set.",
        discussion: """
            Example:
              habitat setting list --format json
            """)

    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        try common.requireOperator("setting list")
        try output.refuseExplanation()
        try common.open(.read).read { session in
            let settings = try StoreSettings.read(in: session)
            try output.show(common, whenEmpty: "") { begin in
                let receiver = try begin(SettingShape.list)
                for setting in Setting.allCases { try receiver.take(SettingShape.row(setting, settings)) }
            }
        }
    }
}

struct SettingGet: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get", abstract: "One setting.",
        discussion: """
            Example:
              habitat setting get message-limit
            """)

    @Argument(help: ArgumentHelp("The setting's name.", valueName: "name"))
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

private enum SettingShape {
    static let list = ResultShape(
        columns: [
            Column("name", .text, at: 0), Column("value", .integer, at: 1), Column("default", .integer, at: 2),
        ],
        identity: ["name"])

    static func row(_ setting: Setting, _ settings: Settings) -> ValueRow {
        ValueRow([
            .text(setting.rawValue), .integer(Int64(settings[setting])), .integer(Int64(setting.standard)),
        ])
    }
}

extension OutputOptions {
    fileprivate func show(_ setting: Setting, _ settings: Settings, _ common: CommonOptions) throws {
        try show(common, whenEmpty: "", single: true) { begin in
            try begin(SettingShape.list).take(SettingShape.row(setting, settings))
        }
    }
}
