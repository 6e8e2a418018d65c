import Base
import HabitModel

/// A time as its source specifies it.
///
/// ``resolved(in:)`` is the only place that applies the rules for days and instants.
enum ImportTime {
    /// A calendar date. No time zone shifts it.
    case date(Day)
    /// An instant with the UTC offset of the source, or without one if the source specifies only UTC.
    case instant(Instant, offset: UTCOffset?)
    /// An instant in UTC and the time zone of the location, which determines the offset.
    indirect case utc(Instant, zone: TimeZoneRules)
    /// A date and a time of day without a time zone, in microseconds since midnight.
    case local(Day, microseconds: Int64)
    /// A calendar date and the instant of an entry. The date can be the day before or after the instant.
    indirect case dated(Day, ImportTime)
    /// The day of an entry that its source writes on a later day.
    ///
    /// The day is the day of `previous`, the time of the previous entry, but at the latest the day before `written`. It
    /// is the day before `written` if there is no previous entry.
    indirect case writtenLater(written: ImportTime, previous: ImportTime?)

    /// A day and the instant, or `nil` for a date without an instant.
    struct Resolved: Equatable {
        var day: Day
        var at: OffsetInstant?

        /// Checks that the day and the local date of the instant differ by at most one day.
        ///
        /// - Throws: `day-mismatch`.
        func check(in zone: TimeZoneRules) throws(HabitError) {
            guard let local = at?.day(in: zone) else { return }
            let difference = abs(local.distance(to: day))
            guard difference > 1 else { return }
            throw HabitError(
                .dayMismatch,
                "the day \(day) and the local date \(local) of the time differ by more than a day",
                field: Field.day.name,
                parameters: [.day(day), .localDay(local)],
                .advice("correct one of them"))
        }
    }

    /// Applies the rules for days and instants.
    ///
    /// - Parameter zone: The time zone of local times and of instants without an offset.
    /// - Returns: The day, and the instant unless the time is a date.
    /// - Throws: `instant-invalid` if the local date is outside the years 1 to 9999.
    func resolved(in zone: TimeZoneRules) throws(HabitError) -> Resolved {
        switch self {
        case .date(let day):
            return Resolved(day: day, at: nil)
        case .instant(let instant, let offset):
            return try Self.resolved(OffsetInstant(instant, offset: offset), in: zone)
        case .utc(let instant, let sourceZone):
            let offset = instant.offset(in: sourceZone)
            return try Self.resolved(OffsetInstant(instant, offset: offset), in: zone)
        case .local(let day, let microseconds):
            return try Self.resolved(local: day, microseconds: microseconds, in: zone)
        case .dated(let day, let time):
            return Resolved(day: day, at: try time.resolved(in: zone).at)
        case .writtenLater(let written, let previous):
            return try Self.resolved(written: written, previous: previous, in: zone)
        }
    }

    /// Resolves an instant.
    private static func resolved(_ at: OffsetInstant, in zone: TimeZoneRules) throws(HabitError) -> Resolved {
        let day = at.day(in: zone)
        guard at.isInRange, day.isInRange else {
            throw HabitError(
                .instantInvalid, "the local date of the instant is outside the years 1 to 9999", field: Field.at.name)
        }
        return Resolved(day: day, at: at)
    }

    /// Resolves a local time.
    private static func resolved(
        local day: Day, microseconds: Int64, in zone: TimeZoneRules
    ) throws(HabitError) -> Resolved {
        let instant = Instant(local: day, microseconds: microseconds, in: zone)
        let offset = instant.offset(in: zone)
        var resolved = try resolved(OffsetInstant(instant, offset: offset), in: zone)
        // A time in a gap can move to the next date. It stays on the day that the source states.
        resolved.day = day
        return resolved
    }

    /// Resolves the day of an entry that its source writes on a later day.
    private static func resolved(
        written: ImportTime, previous: ImportTime?, in zone: TimeZoneRules
    ) throws(HabitError) -> Resolved {
        let latest = try written.resolved(in: zone).day.advanced(by: -1)
        var day = latest
        if let previous { day = min(try previous.resolved(in: zone).day, latest) }
        guard day.isInRange else {
            throw HabitError(.dayInvalid, "the day is outside the years 1 to 9999", field: Field.day.name)
        }
        return Resolved(day: day, at: nil)
    }
}

extension Day {
    /// Whether the day is in the years 1 to 9999.
    fileprivate var isInRange: Bool { (Day.first...Day.last).contains(self) }
}

extension Instant {
    /// Creates the instant at which the clocks of a zone show a local time.
    ///
    /// A time in a gap of daylight-saving time moves forward by the length of the gap. The first occurrence of an
    /// ambiguous time applies.
    init(local day: Day, microseconds: Int64, in zone: TimeZoneRules) {
        let local = Instant(microseconds: day.startInUTC.microseconds + microseconds)
        // The offsets before and after a change of the clocks on this day.
        let before = zone.offset(at: local.advanced(by: -Self.microsecondsPerDay))
        let after = zone.offset(at: local.advanced(by: Self.microsecondsPerDay))
        let candidates = [local.atOffset(seconds: before), local.atOffset(seconds: after)].sorted()
        let valid = candidates.first { candidate in
            let offset = zone.offset(at: candidate)
            return local.atOffset(seconds: offset) == candidate
        }
        self = valid ?? local.atOffset(seconds: before)
    }

    private func advanced(by microseconds: Int64) -> Instant {
        Instant(microseconds: self.microseconds + microseconds)
    }

    /// Returns the instant at which the clocks at a UTC offset show the time that this instant has in UTC.
    private func atOffset(seconds: Int) -> Instant {
        Instant(microseconds: microseconds - Int64(seconds) * 1_000_000)
    }
}

extension ImportTime {
    /// Parses a date and a time in the forms of ISO 8601 that exports contain.
    ///
    /// Accepts `2026-06-01`, `2026-06-01T07:30`, `2026-06-01 07:30:00.123`, and a time with `Z`, `UTC` or an offset
    /// (`+01:00`, `+1:00`, `+0100`, `+01`), which a space may precede. Digits after the microsecond are truncated. Returns `nil`
    /// for any other text.
    ///
    /// - Parameters:
    ///   - text: The text to parse.
    ///   - isUTC: Whether a time without an offset is in UTC.
    init?(_ text: String, isUTC: Bool = false) {
        let text = text.trimmed
        guard let day = Day(text.prefix(10)) else { return nil }
        let rest = text.dropFirst(10)
        guard let separator = rest.first else {
            self = .date(day)
            return
        }
        guard "Tt ".contains(separator) else { return nil }
        let clock = rest.dropFirst().drop { character in character == " " }
        guard let time = ClockTime(clock) else { return nil }
        let local = day.startInUTC.microseconds + time.microseconds
        switch time.suffix {
        case .none where isUTC, .utc:
            self = .instant(Instant(microseconds: local), offset: nil)
        case .none:
            self = .local(day, microseconds: time.microseconds)
        case .offset(let offset):
            let microseconds = local - Int64(offset.minutes) * 60_000_000
            self = .instant(Instant(microseconds: microseconds), offset: offset)
        }
    }

    /// Creates a time from seconds or milliseconds since 1970, in UTC.
    ///
    /// Numbers from 100,000,000,000 on are milliseconds. The result is the nearest microsecond, because a binary number
    /// may be slightly less than the decimal number in the source. Returns `nil` if the number is out of range.
    init?(unix number: Double) {
        let isMilliseconds = abs(number) >= 1e11
        let seconds = isMilliseconds ? number / 1000 : number
        guard abs(seconds) < 3e11 else { return nil }
        let microseconds = Int64((seconds * 1e6).rounded())
        self = .instant(Instant(microseconds: microseconds), offset: nil)
    }

    /// Returns an instant in UTC at the clocks of a place.
    ///
    /// - Parameter text: An IANA identifier, or an offset such as `GMT+0200`.
    /// - Returns: The time, or `nil` if it is not an instant in UTC or if the text names neither.
    func placed(in text: String) -> ImportTime? {
        guard case .instant(let instant, nil) = self else { return nil }
        let text = text.trimmed
        if let zone = TimeZoneRules(text) { return .utc(instant, zone: zone) }
        guard case .offset(let offset)? = ClockTime.Suffix(text) else { return nil }
        return .instant(instant, offset: offset)
    }

    /// The instant, or `nil` for a date or a local time.
    var instant: Instant? {
        switch self {
        case .instant(let instant, _), .utc(let instant, _): instant
        case .dated(_, let time): time.instant
        case .date, .local, .writtenLater: nil
        }
    }

    /// The date as the source has it, which is the date in UTC for an instant without an offset.
    var localDate: Day {
        switch self {
        case .date(let day), .local(let day, _), .dated(let day, _): day
        case .instant(let instant, let offset): instant.day(at: offset ?? .utc)
        case .utc(let instant, let zone): instant.day(at: instant.offset(in: zone))
        case .writtenLater(let written, let previous):
            min((previous ?? written).localDate, written.localDate.advanced(by: -1))
        }
    }
}

extension Day {
    /// Parses a date, or midnight in UTC such as `2026-05-04T00:00:00.000Z`, which is how JavaScript writes a date.
    ///
    /// No time zone shifts such a date. Returns `nil` for any other text.
    init?(dateOrMidnight text: String) {
        if let day = Day(text) {
            self = day
            return
        }
        guard let day = Day(text.prefix(10)) else { return nil }
        guard case .instant(let instant, nil)? = ImportTime(text) else { return nil }
        guard instant == day.startInUTC else { return nil }
        self = day
    }
}

/// A time of day with the UTC offset that follows it.
struct ClockTime {
    enum Suffix {
        case none, utc
        case offset(UTCOffset)
    }

    /// Microseconds since midnight.
    var microseconds: Int64
    var suffix = Suffix.none

    /// Parses `HH:MM`, `HH:MM:SS` or `HH:MM:SS.fff`, with an optional offset.
    ///
    /// A second of 60 is a leap second.
    init?(_ text: some StringProtocol) {
        var scanner = Scanner(text)
        // Hours below 10 may have one digit.
        guard let hour = scanner.number(ofDigits: 1...2), hour < 24 else { return nil }
        guard scanner.skip(":") else { return nil }
        guard let minute = scanner.number(ofDigits: 2...2), minute < 60 else { return nil }
        var second: Int64 = 0
        var fraction: Int64 = 0
        if scanner.skip(":") {
            guard let value = scanner.number(ofDigits: 2...2), value <= 60 else { return nil }
            second = value
            if scanner.skip(".") || scanner.skip(",") {
                guard let value = scanner.fraction() else { return nil }
                fraction = value
            }
        }
        microseconds = ((hour * 60 + minute) * 60 + second) * 1_000_000 + fraction
        guard let suffix = Suffix(scanner.rest) else { return nil }
        self.suffix = suffix
    }

    /// A scanner of the digits and the separators of a time.
    private struct Scanner {
        private let bytes: [UInt8]
        private var index = 0

        init(_ text: some StringProtocol) { bytes = Array(text.utf8) }

        /// The text that is not yet scanned.
        var rest: String { String(decoding: bytes[index...], as: UTF8.self) }

        /// Skips a separator, or returns `false` if another character follows.
        mutating func skip(_ separator: Unicode.Scalar) -> Bool {
            guard index < bytes.count, bytes[index] == UInt8(ascii: separator) else { return false }
            index += 1
            return true
        }

        /// Scans a number, or returns `nil` if fewer digits follow.
        mutating func number(ofDigits count: ClosedRange<Int>) -> Int64? {
            var value: Int64 = 0
            var digits = 0
            while digits < count.upperBound, let digit = digit() {
                value = value * 10 + digit
                digits += 1
            }
            return count.contains(digits) ? value : nil
        }

        /// Scans the digits after a decimal separator in microseconds, or returns `nil` if no digit follows.
        ///
        /// Digits after the sixth have no effect.
        mutating func fraction() -> Int64? {
            let start = index
            var value: Int64 = 0
            var scale: Int64 = 100_000
            while let digit = digit() {
                value += digit * scale
                scale /= 10
            }
            return index > start ? value : nil
        }

        /// Scans a digit, or returns `nil` if another character follows.
        private mutating func digit() -> Int64? {
            guard index < bytes.count else { return nil }
            let digit = bytes[index] &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            index += 1
            return Int64(digit)
        }
    }
}

extension ClockTime.Suffix {
    /// Parses an offset as cameras and apps write it.
    ///
    /// Accepts `Z`, `UTC`, `GMT` and a sign with hours and minutes: `+09:30`, `+9:30`, `+0930`, `+930`, `+09`, `+9`.
    /// `UTC` or `GMT` may precede the sign, white space may be anywhere, and seconds must be 0. A blank text, also with
    /// colons, is not an offset. Returns `nil` for any other text.
    init?(_ text: String) {
        let visible = text.filter { character in !character.isWhitespace && character != "\0" }
        let word = visible.uppercased()
        let isBlank = word.allSatisfy { character in character == ":" }
        if isBlank {
            self = .none
            return
        }
        var rest = word[...]
        for name in ["UTC", "GMT"] where rest.hasPrefix(name) {
            rest = rest.dropFirst(name.count)
        }
        if rest.isEmpty || word == "Z" {
            self = .utc
            return
        }
        guard let sign = rest.popFirst(), "+-\u{2212}".contains(sign) else { return nil }
        guard let minutes = Self.minutes(rest) else { return nil }
        self = .offset(UTCOffset(minutes: sign == "+" ? minutes : -minutes))
    }

    /// Parses hours and minutes, or returns `nil` if they are malformed or a day or more.
    private static func minutes(_ text: Substring) -> Int16? {
        let parts = parts(of: text)
        guard (1...2).contains(parts.count) else { return nil }
        let hourDigits = parts[0]
        guard (1...2).contains(hourDigits.count) else { return nil }
        guard let hours = Int16(hourDigits), hours < 24 else { return nil }
        guard parts.count == 2 else { return hours * 60 }
        let minuteDigits = parts[1]
        guard minuteDigits.count == 2 else { return nil }
        guard let minutes = Int16(minuteDigits), minutes < 60 else { return nil }
        return hours * 60 + minutes
    }

    /// Returns the digits of the hours and of the minutes, or an empty list if the text contains another character.
    ///
    /// Seconds of 0 are omitted. Three or four digits without a colon are hours and minutes.
    private static func parts(of text: Substring) -> [Substring] {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let areDigits = parts.allSatisfy { part in
            part.utf8.allSatisfy { byte in byte &- UInt8(ascii: "0") < 10 }
        }
        guard areDigits else { return [] }
        if parts.count == 3, parts[2] == "00" { return Array(parts.prefix(2)) }
        let first = parts[0]
        guard parts.count == 1, first.count > 2 else { return parts }
        return [first.dropLast(2), first.suffix(2)]
    }
}
