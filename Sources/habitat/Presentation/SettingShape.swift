import HabitModel
import HabitStore
import StoreEngine

/// The columns and rows of lists of settings.
enum SettingShape {
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
    func show(_ setting: Setting, _ settings: Settings, _ common: CommonOptions) throws {
        try show(common, whenEmpty: "", single: true) { begin in
            try begin(SettingShape.list).take(SettingShape.row(setting, settings))
        }
    }
}
