import Base
import HabitModel
import StoreEngine
import Synchronization

/// The settings of a store.
public enum StoreSettings {
    /// Reads the limits of texts and photos.
    ///
    /// A limit that is not stored has its standard value.
    public static func read(in session: any Session) throws -> Settings {
        var settings = Settings()
        let sql: SQL = """
            SELECT name, value
            FROM setting
            WHERE name <> \(.text(SettingRecord.wordListName), as: "word_list")
            ORDER BY name
            """
        try session.query(sql) { row in
            if let name = row.text(0),
                let setting = Setting(rawValue: name),
                let text = row.text(1),
                let value = Int(text)
            {
                settings[setting] = value
            }
            return true
        }
        return settings
    }

    /// Returns the text of the store's word list, or `nil` if the built-in list applies.
    public static func wordListText(in session: any Session) throws -> String? {
        try text(SettingRecord.wordListName, in: session)
    }

    /// Returns the blocked words of messages: the word list of the store, or else the built-in list.
    ///
    /// The last list that was parsed is cached, because parsing takes about 15 ms for 1,000 entries.
    ///
    /// - Throws: `store-damaged` if the stored list is invalid, so that no message is sent without a check.
    static func wordList(in session: any Session) throws -> WordList {
        guard let text = try wordListText(in: session) else { return .standard }
        let cached = parsed.withLock { parsed in parsed }
        if let cached, cached.text == text {
            return cached.list
        }
        do {
            let list = try WordList(text, name: SettingRecord.wordListName)
            parsed.withLock { parsed in
                parsed = ParsedWordList(text: text, list: list)
            }
            return list
        } catch {
            throw HabitError(
                .storeDamaged,
                "the word list in the store is invalid: the operator must set it again")
        }
    }

    /// The word list of the store that was read last, and its text.
    private struct ParsedWordList {
        var text: String
        var list: WordList
    }

    private static let parsed = Mutex<ParsedWordList?>(nil)

    /// Returns the stored text of a setting, or `nil` if it is not stored.
    static func text(_ name: String, in session: any Session) throws -> String? {
        let sql: SQL = "SELECT value FROM setting WHERE name = \(.text(name), as: "name")"
        return try session.first(sql) { row in row.text(0) ?? "" }
    }

    /// Stores the text of a setting, or removes the setting if `text` is `nil`.
    static func set(_ name: String, to text: String?, in session: any Session) throws {
        if let text {
            try session.run(
                """
                INSERT INTO setting (name, value) VALUES (\(.text(name), as: "name"), \(.text(text), as: "value"))
                ON CONFLICT (name) DO UPDATE SET value = excluded.value
                """)
        } else {
            try session.run("DELETE FROM setting WHERE name = \(.text(name), as: "name")")
        }
        try ChangeLog(session).add(setting: name)
    }
}
