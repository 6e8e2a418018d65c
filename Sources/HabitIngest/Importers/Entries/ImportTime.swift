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
        }
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
    /// (`+01:00`, `+0100`, `+01`), which a space may precede. Digits after the microsecond are truncated. Returns `nil`
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

    /// The instant, or `nil` for a date or a local time.
    var instant: Instant? {
        switch self {
        case .instant(let instant, _), .utc(let instant, _): instant
        case .dated(_, let time): time.instant
        case .date, .local: nil
        }
    }

    /// The date as the source has it, which is the date in UTC for an instant without an offset.
    var localDate: Day {
        switch self {
        case .date(let day), .local(let day, _), .dated(let day, _): day
        case .instant(let instant, let offset): instant.day(at: offset ?? .utc)
        case .utc(let instant, let zone): instant.day(at: instant.offset(in: zone))
        }
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
        var rest = String(decoding: bytes[index...], as: UTF8.self).trimmed
        if rest.isEmpty { return }
        if rest.uppercased() == "Z" || rest.uppercased() == "UTC" || rest.uppercased() == "GMT" {
            suffix = .utc
            return
        }
        if rest.utf8.count == 3 { rest += "00" }
        guard let offset = UTCOffset(rest) else { return nil }
        suffix = .offset(offset)
    }
}
