import Base
import HabitModel

/// A time in a JSON document.
enum EntryTime {
    case known(ImportTime)
    case missing
    /// The value is not a time. The associated text is its beginning.
    case invalid(String)

    /// Reads a text in ISO 8601, or seconds or milliseconds since 1970 as a number or a text.
    init(_ node: JSONNode?) {
        guard let node else {
            self = .missing
            return
        }
        if let text = node.text {
            self.init(text: text, node)
        } else if let number = node.number, let time = ImportTime(unix: number) {
            self = .known(time)
        } else {
            self = .invalid(Self.excerpt(of: node))
        }
    }

    /// Reads a text in ISO 8601, or seconds or milliseconds since 1970 in a text.
    private init(text: String, _ node: JSONNode) {
        if text.allSatisfy(\.isWhitespace) {
            self = .missing
        } else if let time = ImportTime(text) {
            self = .known(time)
        } else if let number = node.number, let time = ImportTime(unix: number) {
            self = .known(time)
        } else {
            self = .invalid(Self.excerpt(of: node))
        }
    }

    private static func excerpt(of node: JSONNode) -> String { (node.anyText ?? "").excerpt }

    /// Reads milliseconds since 1970, as a number or a text.
    init(milliseconds node: JSONNode?) {
        guard let node else {
            self = .missing
            return
        }
        // The range of an instant is checked later.
        if let number = node.integer, abs(number) < 1_000_000_000_000_000 {
            self = .known(.instant(Instant(microseconds: number * 1000), offset: nil))
        } else {
            self.init(node)
        }
    }

    /// The instant, or `nil` if the time is unknown or has no time zone.
    var instant: Instant? {
        if case .known(let time) = self { time.instant } else { nil }
    }

    /// The UTC offset of the source, or `nil` if it is unknown.
    var offset: UTCOffset? {
        switch self {
        case .known(.instant(_, let offset)): offset
        case .known(.utc(let instant, let zone)): instant.offset(in: zone)
        case .known, .missing, .invalid: nil
        }
    }

    /// Returns the time at an offset that the source has in another member.
    ///
    /// A time that has an offset itself keeps that offset.
    ///
    /// - Parameter minutes: The minutes ahead of UTC, or `nil` if the source has no offset.
    /// - Returns: The time at the offset.
    func at(offsetMinutes minutes: Int64?) -> EntryTime {
        guard case .known(let time) = self else { return self }
        guard let minutes, Self.isOffset(minutes) else { return self }
        let offset = UTCOffset(minutes: Int16(minutes))
        switch time {
        case .instant(let instant, nil):
            return .known(.instant(instant, offset: offset))
        case .local(let day, let microseconds):
            let local = day.startInUTC.microseconds + microseconds
            let instant = Instant(microseconds: local - minutes * 60_000_000)
            return .known(.instant(instant, offset: offset))
        case .instant, .utc, .date, .dated, .writtenLater:
            return self
        }
    }

    /// Whether a number of minutes is less than a day.
    private static func isOffset(_ minutes: Int64) -> Bool {
        (-1439...1439).contains(minutes)
    }

    /// Returns the finding of an offset that ``at(offsetMinutes:)`` does not apply, or `nil` for a usable or blank one.
    ///
    /// - Parameter node: The minutes ahead of UTC, or `nil` if the source has no offset.
    /// - Returns: The finding, or `nil`.
    static func unreadable(offsetMinutes node: JSONNode?) -> UnreadableValue? {
        guard let node else { return nil }
        let isUsable = if let minutes = node.integer { isOffset(minutes) } else { !node.isUnreadableInteger }
        return isUsable ? nil : UnreadableValue(.offset, node)
    }

    /// Returns the time in the time zone of its place.
    ///
    /// A time that has an offset itself keeps that offset. An unknown zone has no effect.
    func at(zone id: String?) -> EntryTime {
        guard case .known(let time) = self, let id else { return self }
        guard let placed = time.placed(in: id) else { return self }
        return .known(placed)
    }

    /// Whether ``at(zone:)`` applies a text, or the text is blank or unnecessary.
    func canBePlaced(in zone: String) -> Bool {
        let isBlank = zone.allSatisfy(\.isWhitespace)
        guard !isBlank, case .known(.instant(_, nil)) = self else { return true }
        // A zone that is not known leaves the instant without an offset.
        if case .known(.instant(_, nil)) = at(zone: zone) { return false }
        return true
    }

    /// Returns the time with the instant of a local time.
    ///
    /// - Parameter zone: The time zone of a local time, or `nil` for UTC.
    /// - Returns: The instant for a local time, otherwise the same time.
    func located(in zone: TimeZoneRules?) -> EntryTime {
        guard case .known(.local(let day, let microseconds)) = self else { return self }
        let instant = Instant(local: day, microseconds: microseconds, in: zone ?? .utc)
        let offset = zone.map { rules in instant.offset(in: rules) }
        return .known(.instant(instant, offset: offset))
    }

    /// Returns the error for a value that is not a time.
    static func error(_ text: String) -> HabitError {
        HabitError(.instantInvalid, "'\(text.excerpt)' is not a time: correct it", field: Field.at.name)
    }
}
