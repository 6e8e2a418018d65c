/// What a store lets its operator change: the longest texts of the give-away and the posts, in characters.
public enum Setting: String, Sendable, CaseIterable {
    case itemNameLimit = "item-name-limit"
    case itemDescriptionLimit = "item-description-limit"
    case messageLimit = "message-limit"
    case captionLimit = "caption-limit"

    /// What holds where nothing is set.
    public var standard: Int {
        switch self {
        case .itemNameLimit: 80
        case .itemDescriptionLimit, .messageLimit: 2000
        case .captionLimit: 200
        }
    }

    static let allowed = 1...100_000

    /// Reads a name; throws `parameter-invalid` with all names.
    public init(named name: String) throws(HabitError) {
        guard let setting = Setting(rawValue: name) else {
            let known = Setting.allCases.map(\.rawValue).joined(separator: ", ")
            throw HabitError(
                .parameterInvalid, "there is no setting '\(name)': there are \(known)", field: Field.name.name)
        }
        self = setting
    }

    /// Reads a value; throws `parameter-invalid`.
    public func value(_ text: String) throws(HabitError) -> Int {
        guard let value = Int(text), Self.allowed.contains(value) else {
            throw HabitError(
                .parameterInvalid, "\(rawValue) is a number of characters from 1 to 100000, not '\(text)'",
                field: Field.value.name)
        }
        return value
    }
}

/// A store's settings.
public struct Settings: Sendable, Equatable {
    private var changed: [Setting: Int] = [:]

    public init() {}

    /// With no limit below the one that holds where nothing is set.
    public var atLeastStandard: Settings {
        var settings = self
        settings.changed = changed.filter { $0.value > $0.key.standard }
        return settings
    }

    public subscript(setting: Setting) -> Int {
        get { changed[setting] ?? setting.standard }
        set { changed[setting] = newValue }
    }
}
