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
            guard let local = at?.day(in: zone), abs(local.distance(to: day)) > 1 else { return }
            throw HabitError(
                .dayMismatch, "the day \(day) and the local date \(local) of the time differ by more than a day",
                field: Field.day.name, parameters: [.day(day), .localDay(local)], .advice("correct one of them"))
        }
    }

    /// Applies the rules for days and instants.
    ///
    /// - Parameter zone: The time zone of local times and of instants without an offset.
    /// - Returns: The day, and the instant unless the time is a date.
    /// - Throws: `instant-invalid` if the local date is outside the years 1 to 9999.
    func resolved(in zone: TimeZoneRules) throws(HabitError) -> Resolved {
        switch self {
        case .date(let day): return Resolved(day: day, at: nil)
        case .instant(let instant, let offset): return try Self.resolved(OffsetInstant(instant, offset: offset), zone)
        case .utc(let instant, let place):
            return try Self.resolved(OffsetInstant(instant, offset: instant.offset(in: place)), zone)
        case .local(let day, let microseconds):
            let instant = Instant(local: day, microseconds: microseconds, in: zone)
            var resolved = try Self.resolved(OffsetInstant(instant, offset: instant.offset(in: zone)), zone)
            // A time in a gap can move to the next date. It stays on the day that the source states.
            resolved.day = day
            return resolved
        case .dated(let day, let time): return Resolved(day: day, at: try time.resolved(in: zone).at)
        case .writtenLater(let written, let previous):
            let latest = try written.resolved(in: zone).day.advanced(by: -1)
            let day = try previous.map { time throws(HabitError) in try time.resolved(in: zone).day } ?? latest
            return try Self.resolved(min(day, latest))
        }
    }

    private static func resolved(_ day: Day) throws(HabitError) -> Resolved {
        guard (Day.first...Day.last).contains(day) else {
            throw HabitError(.dayInvalid, "the day is outside the years 1 to 9999", field: Field.day.name)
        }
        return Resolved(day: day, at: nil)
    }

    private static func resolved(_ at: OffsetInstant, _ zone: TimeZoneRules) throws(HabitError) -> Resolved {
        let day = at.day(in: zone)
        guard at.isInRange, (Day.first...Day.last).contains(day) else {
            throw HabitError(
                .instantInvalid, "the local date of the instant is outside the years 1 to 9999", field: Field.at.name)
        }
        return Resolved(day: day, at: at)
    }
}

extension Instant {
    /// Creates the instant at which the clocks of a zone show a local time.
    ///
    /// A time in a gap of daylight-saving time moves forward by the length of the gap. The first occurrence of an
    /// ambiguous time applies.
    init(local day: Day, microseconds: Int64, in zone: TimeZoneRules) {
        let local = day.startInUTC.microseconds + microseconds
        func instant(_ offset: Int) -> Instant { Instant(microseconds: local - Int64(offset) * 1_000_000) }
        // The offsets before and after a change of the clocks on this day.
        let before = zone.offset(at: Instant(microseconds: local - Self.microsecondsPerDay))
        let after = zone.offset(at: Instant(microseconds: local + Self.microsecondsPerDay))
        let candidates = [before, after].map(instant).sorted()
        let valid = candidates.first { candidate in
            let offset = zone.offset(at: candidate)
            return instant(offset) == candidate
        }
        self = valid ?? instant(before)
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
        guard separator == "T" || separator == "t" || separator == " ",
            let time = ClockTime(rest.dropFirst().drop { $0 == " " })
        else { return nil }
        let local = day.startInUTC.microseconds + time.microseconds
        switch time.suffix {
        case .none where isUTC, .utc: self = .instant(Instant(microseconds: local), offset: nil)
        case .none: self = .local(day, microseconds: time.microseconds)
        case .offset(let offset):
            self = .instant(Instant(microseconds: local - Int64(offset.minutes) * 60_000_000), offset: offset)
        }
    }

    /// Creates a time from seconds or milliseconds since 1970, in UTC.
    ///
    /// Numbers from 100,000,000,000 on are milliseconds. The result is the nearest microsecond, because a binary number
    /// may be slightly less than the decimal number in the source. Returns `nil` if the number is out of range.
    init?(unix number: Double) {
        let seconds = abs(number) >= 1e11 ? number / 1000 : number
        guard abs(seconds) < 3e11 else { return nil }
        self = .instant(Instant(microseconds: Int64((seconds * 1e6).rounded())), offset: nil)
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
            min(previous?.localDate ?? written.localDate, written.localDate.advanced(by: -1))
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
        guard let day = Day(text.prefix(10)), let time = ImportTime(text), case .instant(let instant, nil) = time,
            instant == day.startInUTC
        else { return nil }
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
        let bytes = Array(text.utf8)
        func digits(_ index: Int) -> Int? {
            guard index + 2 <= bytes.count, bytes[index] &- 48 < 10, bytes[index + 1] &- 48 < 10 else { return nil }
            return Int(bytes[index] - 48) * 10 + Int(bytes[index + 1] - 48)
        }
        // Hours below 10 may have one digit.
        let start = bytes.count > 1 && bytes[1] == UInt8(ascii: ":") ? 1 : 2
        guard bytes.count > start, bytes[start] == UInt8(ascii: ":"),
            let hour = start == 1 ? (bytes[0] &- 48 < 10 ? Int(bytes[0] - 48) : nil) : digits(0), hour < 24,
            let minute = digits(start + 1), minute < 60
        else { return nil }
        var index = start + 3
        var second = 0
        var fraction: Int64 = 0
        if index < bytes.count, bytes[index] == UInt8(ascii: ":") {
            guard let value = digits(index + 1), value <= 60 else { return nil }
            second = value
            index += 3
            if index < bytes.count, bytes[index] == UInt8(ascii: ".") || bytes[index] == UInt8(ascii: ",") {
                var scale: Int64 = 100_000
                let first = index + 1
                index = first
                while index < bytes.count, bytes[index] &- 48 < 10 {
                    fraction += Int64(bytes[index] - 48) * scale
                    scale /= 10
                    index += 1
                }
                guard index > first else { return nil }
            }
        }
        microseconds = Int64(hour * 3600 + minute * 60 + second) * 1_000_000 + fraction
        guard let suffix = Suffix(String(decoding: bytes[index...], as: UTF8.self)) else { return nil }
        self.suffix = suffix
    }
}

extension ClockTime.Suffix {
    /// Parses an offset as cameras and apps write it.
    ///
    /// Accepts `Z`, `UTC`, `GMT` and a sign with hours and minutes: `+09:30`, `+9:30`, `+0930`, `+930`, `+09`, `+9`.
    /// `UTC` or `GMT` may precede the sign, white space may be anywhere, and seconds must be 0. A blank text, also with
    /// colons, is not an offset. Returns `nil` for any other text.
    init?(_ text: String) {
        let word = text.filter { !$0.isWhitespace && $0 != "\0" }.uppercased()
        if word.allSatisfy({ $0 == ":" }) {
            self = .none
            return
        }
        var rest = word[...]
        for name in ["UTC", "GMT"] where rest.hasPrefix(name) { rest = rest.dropFirst(name.count) }
        if rest.isEmpty || word == "Z" {
            self = .utc
            return
        }
        guard let sign = rest.first, "+-\u{2212}".contains(sign), let size = Self.minutes(rest.dropFirst()) else {
            return nil
        }
        self = .offset(UTCOffset(minutes: sign == "+" ? size : -size))
    }

    /// Parses hours and minutes, or returns `nil` if they are malformed or a day or more.
    private static func minutes(_ text: Substring) -> Int16? {
        var parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.allSatisfy({ part in part.utf8.allSatisfy { byte in byte &- 48 < 10 } }) else { return nil }
        if parts.count == 3, parts[2] == "00" { parts.removeLast() }
        if parts.count == 1, parts[0].count > 2 { parts = [parts[0].dropLast(2), parts[0].suffix(2)] }
        guard (1...2).contains(parts.count), (1...2).contains(parts[0].count), let hours = Int16(parts[0]), hours < 24
        else { return nil }
        guard parts.count == 2 else { return hours * 60 }
        guard parts[1].count == 2, let minutes = Int16(parts[1]), minutes < 60 else { return nil }
        return hours * 60 + minutes
    }
}
