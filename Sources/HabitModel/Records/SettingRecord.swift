import Base

/// The value of a store setting.
public enum SettingRecord: Sendable, Equatable {
    /// The maximum length of a text, in characters, or the maximum size of a photo, in bytes.
    case limit(Setting, Int)
    /// The blocked words of messages, or `nil` for the built-in list.
    case wordList(StoredWordList?)

    /// The fields of the record, in file order.
    public static let fields: [Field] = [.name, .value]

    /// The name of the setting with the blocked words.
    public static let wordListName = "word-list"
    /// The value of the word list that selects the list in the program.
    public static let builtIn = "built-in"

    /// The names of all settings.
    public static var names: [String] { Setting.allCases.map(\.rawValue) + [wordListName] }

    /// The name of the setting.
    public var name: String {
        switch self {
        case .limit(let setting, _): setting.rawValue
        case .wordList: Self.wordListName
        }
    }

    /// The stored form of the value, or `nil` if the store has no value.
    public var storedText: String? {
        switch self {
        case .limit(_, let value): String(value)
        case .wordList(let list): list?.text
        }
    }

    /// Parses a setting of a file.
    ///
    /// - Parameters:
    ///   - name: The name of the setting.
    ///   - value: The number of characters or bytes, the text of a word list, or `built-in`.
    /// - Throws: `parameter-invalid` if the setting is unknown or the value is invalid.
    public init(name: String, value: String) throws(HabitError) {
        try Self.checkName(name)
        if let setting = Setting(rawValue: name) {
            self = .limit(setting, try setting.value(value))
        } else if value == Self.builtIn {
            self = .wordList(nil)
        } else {
            self = .wordList(try StoredWordList(bytes: Array(value.utf8), name: Self.wordListName))
        }
    }

    /// Checks the name of a setting.
    ///
    /// - Throws: `parameter-invalid` with all valid names.
    public static func checkName(_ name: String) throws(HabitError) {
        guard !names.contains(name) else { return }
        throw HabitError(
            .parameterInvalid, "unknown setting '\(name)': use one of \(names.joined(separator: ", "))",
            field: Field.name.name)
    }
}

/// A valid word list as a store contains it.
public struct StoredWordList: Sendable, Equatable {
    /// The maximum size of a list in a store, in bytes.
    ///
    /// A record of a settings file with a list of this size is shorter than the maximum size of a record.
    public static let maximumSize = 256 << 10

    /// The text of the list in NFC, without a byte order mark.
    ///
    /// Each line, also the last one, ends with a line feed, so the text is never empty.
    public let text: String

    /// Checks the bytes of a word list.
    ///
    /// Takes about 15 ms for 1,000 entries.
    ///
    /// - Parameters:
    ///   - bytes: The content of the file.
    ///   - name: The name of the file, for errors.
    /// - Throws: `parameter-invalid` if the list is too large, or with the number of the invalid line.
    public init(bytes: [UInt8], name: String) throws(HabitError) {
        guard bytes.count <= Self.maximumSize else { throw Self.tooLarge(bytes.count, name) }
        _ = try WordList(bytes: bytes, name: name)
        let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let hasMark = bytes.starts(with: byteOrderMark)
        let content = hasMark ? bytes.dropFirst(byteOrderMark.count) : bytes[...]
        var text = String(decoding: content, as: UTF8.self).replacing("\r\n", with: "\n").composed
        if !text.hasSuffix("\n") { text += "\n" }
        guard text.utf8.count <= Self.maximumSize else { throw Self.tooLarge(text.utf8.count, name) }
        self.text = text
    }

    private static func tooLarge(_ size: Int, _ name: String) -> HabitError {
        HabitError(
            .parameterInvalid, "the word list has \(size) bytes; at most \(maximumSize) are allowed: remove entries",
            field: SettingRecord.wordListName, parameters: [.bytes(size), .limit(maximumSize)], file: name)
    }
}
