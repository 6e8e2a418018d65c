import Base
import Photos

/// The settings of a store that are numbers: the maximum lengths of texts, in characters, and the maximum sizes of
/// photos, in bytes.
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
    case itemPhotoLimit = "item-photo-limit"
    case postPhotoLimit = "post-photo-limit"

    /// The unit of a setting.
    public enum Unit: String, Sendable {
        case characters, bytes
    }

    /// The unit of the value.
    public var unit: Unit {
        switch self {
        case .itemNameLimit, .itemDescriptionLimit, .messageLimit, .captionLimit, .titleLimit, .reasonLimit,
            .commentLimit:
            .characters
        case .itemPhotoLimit, .postPhotoLimit: .bytes
        }
    }

    /// The default value, in ``unit``.
    public var standard: Int {
        switch self {
        case .itemNameLimit: 80
        case .itemDescriptionLimit, .messageLimit: 2000
        case .captionLimit: 200
        case .titleLimit, .commentLimit: 20
        case .reasonLimit: 30
        case .itemPhotoLimit, .postPhotoLimit: Photo.standardLimit
        }
    }

    /// The range of valid values.
    public var allowed: ClosedRange<Int> {
        switch unit {
        case .characters: 1...100_000
        case .bytes: 1...Photo.highestLimit
        }
    }

    /// Parses a value of the setting.
    ///
    /// - Parameter text: The number of characters, 1...100,000, or of bytes, 1...1,000,000.
    /// - Returns: The number.
    /// - Throws: `parameter-invalid`.
    public func value(_ text: String) throws(HabitError) -> Int {
        guard let value = Int(text), allowed.contains(value) else {
            let range = "\(allowed.lowerBound) to \(allowed.upperBound)"
            throw HabitError(
                .parameterInvalid,
                "'\(text)' is not a value of \(rawValue): use a number of \(unit.rawValue) from \(range)",
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

    /// The value of a setting, in its unit.
    public subscript(setting: Setting) -> Int {
        get { changed[setting] ?? setting.standard }
        set { changed[setting] = newValue }
    }

    /// Returns the maximum size of a new photo of a record, in bytes.
    ///
    /// - Parameter kind: The kind of the record.
    /// - Returns: The setting of items or posts. All other kinds have ``Photo/standardLimit``.
    public func photoLimit(of kind: RecordKind) -> Int {
        guard let setting = Self.photoSetting(of: kind) else { return Photo.standardLimit }
        return self[setting]
    }

    /// Returns the setting of the maximum size of a photo, or `nil` if the size is fixed or records have no photo.
    ///
    /// - Parameter kind: The kind of the record.
    /// - Returns: The setting.
    public static func photoSetting(of kind: RecordKind) -> Setting? {
        switch kind {
        case .items: .itemPhotoLimit
        case .posts: .postPhotoLimit
        default: nil
        }
    }
}
