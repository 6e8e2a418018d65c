import HabitModel
import StoreEngine

/// The settings of a store.
public enum StoreSettings {
    /// Reads all settings of the store.
    ///
    /// A setting that is not stored has its standard value.
    public static func read(in session: any Session) throws -> Settings {
        var settings = Settings()
        try session.query("SELECT name, value FROM setting ORDER BY name") { row in
            if let setting = row.text(0).flatMap(Setting.init(rawValue:)), let value = row.text(1).flatMap({ Int($0) })
            {
                settings[setting] = value
            }
            return true
        }
        return settings
    }

    static func isSet(_ setting: Setting, in session: any Session) throws -> Bool {
        let sql = SQL("SELECT 1 FROM setting WHERE name = :name", ["name": .text(setting.rawValue)])
        return try session.first(sql) { _ in true } ?? false
    }

    static func set(_ setting: Setting, to value: Int, in session: any Session) throws {
        try session.run(
            SQL(
                """
                INSERT INTO setting (name, value) VALUES (:name, :value)
                ON CONFLICT (name) DO UPDATE SET value = excluded.value
                """, ["name": .text(setting.rawValue), "value": .text(String(value))]))
        try ChangeLog(session).add(setting)
    }
}
