import Base
import HabitModel
import HabitStore
import StoreEngine

/// The columns and rows of lists of settings.
enum SettingShape {
    /// The columns of a list of settings.
    ///
    /// The value of a limit is a number. The value of the word list is its text, or `built-in`.
    static let list = ResultShape(
        columns: [
            Column("name", .text, at: 0),
            Column("value", .any, at: 1),
            Column("default", .any, at: 2),
        ],
        identity: ["name"])

    /// Returns the rows of the settings with these names.
    static func rows(_ names: [String], in session: any Session) throws -> [ValueRow] {
        let settings = try StoreSettings.read(in: session)
        return try names.map { name in
            guard let setting = Setting(rawValue: name) else {
                let text = try StoreSettings.wordListText(in: session) ?? SettingRecord.builtIn
                return ValueRow([.text(name), .text(text), .text(SettingRecord.builtIn)])
            }
            let value = Int64(settings[setting])
            let standard = Int64(setting.standard)
            return ValueRow([.text(name), .integer(value), .integer(standard)])
        }
    }
}

extension OutputOptions {
    /// Shows one setting.
    func show(setting name: String, _ common: CommonOptions, in session: any Session) throws {
        try show(common, whenEmpty: "", single: true) { begin in
            try begin(SettingShape.list).append(SettingShape.rows([name], in: session))
        }
    }
}
