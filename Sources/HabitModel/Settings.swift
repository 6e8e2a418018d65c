import Base

/// The settings of a store that are numbers: the maximum lengths of texts, in characters.
///
/// ``SettingRecord`` has all settings.
public enum Setting: String, Sendable, CaseIterable {
    case itemNameLimit = "item-name-limit"
    case itemDescriptionLimit = "item-description-limit"
    case messageLimit = "message-limit"
    case captionLimit = "caption-limit"
    case titleLimit = "title-limit"
    case reasonLimit = "reason-limit"
    case commentLimit = "comment-limit"

    /// The default value, in characters.
    public var standard: Int {
        switch self {
        case .itemNameLimit: 80
        case .itemDescriptionLimit, .messageLimit: 2000
        case .captionLimit: 200
        case .titleLimit, .commentLimit: 20
        case .reasonLimit: 30
        }
    }

    /// The range of valid values.
    public static let allowed = 1...100_000

    /// Parses a value of the setting.
    ///
    /// - Parameter text: The number of characters, 1...100,000.
    /// - Returns: The number of characters.
    /// - Throws: `parameter-invalid`.
    public func value(_ text: String) throws(HabitError) -> Int {
        guard let value = Int(text), Self.allowed.contains(value) else {
            throw HabitError(
                .parameterInvalid,
                "'\(text)' is not a value of \(rawValue): use a number of characters from 1 to 100000",
                field: Field.value.name)
        }
        return value
    }
}

/// The values of all settings of a store.
///
/// A setting without a value has its default.
public struct Settings: Sendable, Equatable {
    private var changed: [Setting: Int] = [:]

    /// Creates settings with the default values.
    public init() {}

    /// The settings with each value below its default replaced by the default.
    public var atLeastStandard: Settings {
        var settings = self
        settings.changed = changed.filter { $0.value > $0.key.standard }
        return settings
    }

    /// The value of a setting, in characters.
    public subscript(setting: Setting) -> Int {
        get { changed[setting] ?? setting.standard }
        set { changed[setting] = newValue }
    }
}
