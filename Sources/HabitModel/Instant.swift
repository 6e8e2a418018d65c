import Foundation

/// A moment in time, in microseconds since 1970-01-01T00:00:00Z, between the years 1 and 9999.
public struct Instant: Hashable, Comparable, Sendable {
    public let microseconds: Int64

    public init(microseconds: Int64) { self.microseconds = microseconds }

    public static func < (a: Instant, b: Instant) -> Bool { a.microseconds < b.microseconds }

    /// The machine's clock, to the millisecond.
    public static var now: Instant {
        Instant(microseconds: Int64((Date().timeIntervalSince1970 * 1000).rounded(.down)) * 1000)
    }

    /// The calendar date at `offset`.
    public func day(at offset: UTCOffset) -> Day {
        let seconds = Int64(offset.minutes) * 60 + microseconds.flooredDivision(by: 1_000_000).quotient
        return Day(number: Int32(clamping: seconds.flooredDivision(by: 86_400).quotient))
    }

    /// The calendar date in `zone`.
    public func day(in zone: TimeZoneRules) -> Day {
        let seconds = microseconds.flooredDivision(by: 1_000_000).quotient + Int64(zone.offset(at: self))
        return Day(number: Int32(clamping: seconds.flooredDivision(by: 86_400).quotient))
    }

    /// The offset of the clocks of `zone` at this instant, without its seconds.
    public func offset(in zone: TimeZoneRules) -> UTCOffset {
        UTCOffset(minutes: Int16(clamping: zone.offset(at: self) / 60))
    }
}

/// What a clock is ahead of UTC, in minutes: `+05:30` is 330.
public struct UTCOffset: Hashable, Sendable {
    public let minutes: Int16

    public static let utc = UTCOffset(minutes: 0)

    public init(minutes: Int16) { self.minutes = minutes }

    /// Reads `Z`, `+HH:MM`, `-HH:MM` or `+HHMM`; up to 23:59 either way.
    public init?(_ text: String) {
        self.init(utf8: text.utf8.span)
    }

    init?(utf8 bytes: Span<UInt8>) {
        guard let first = bytes.first else { return nil }
        if bytes.count == 1, first | 0x20 == UInt8(ascii: "z") {
            self = .utc
            return
        }
        let colon = bytes.count == 6
        guard colon || bytes.count == 5, first == UInt8(ascii: "+") || first == UInt8(ascii: "-"),
            !colon || bytes[3] == UInt8(ascii: ":"),
            let hours = digits(bytes, in: 1..<3), let minutes = digits(bytes, in: bytes.count - 2..<bytes.count),
            hours < 24, minutes < 60
        else { return nil }
        let total = Int16(hours * 60 + minutes)
        self.init(minutes: first == UInt8(ascii: "-") ? -total : total)
    }
}

extension UTCOffset: CustomStringConvertible {
    /// `+HH:MM`.
    public var description: String {
        let size = abs(Int(minutes))
        return (minutes < 0 ? "-" : "+") + padded(size / 60, 2) + ":" + padded(size % 60, 2)
    }
}

/// An instant with the offset that its source gave it; `offset` is nil where the source said only UTC (`Z`, Unix time), which
/// is not the same as a clock at `+00:00`.
public struct OffsetInstant: Hashable, Sendable {
    public var instant: Instant
    public var offset: UTCOffset?

    public init(_ instant: Instant, offset: UTCOffset?) {
        self.instant = instant
        self.offset = offset
    }

    /// Reads RFC 3339 (`2026-11-20T07:15:00+01:00`), Unix seconds (10 digits) or milliseconds (13 digits).
    ///
    /// Fractions of a second beyond the microsecond are cut off; a leap second (`:60`) is the second after `:59`.
    public init?(_ text: String) {
        self.init(utf8: text.utf8.span)
    }

    init?(utf8 bytes: Span<UInt8>) {
        if bytes.count == 10 || bytes.count == 13, let number = digits(bytes, in: bytes.indices) {
            let scale: Int64 = bytes.count == 10 ? 1_000_000 : 1000
            self.init(Instant(microseconds: Int64(number) * scale), offset: nil)
            return
        }
        guard bytes.count >= 20, let day = Day(utf8: bytes.extracting(0..<10)),
            bytes[10] | 0x20 == UInt8(ascii: "t") || bytes[10] == UInt8(ascii: " "),
            bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"),
            let hour = digits(bytes, in: 11..<13), hour < 24, let minute = digits(bytes, in: 14..<16), minute < 60,
            let second = digits(bytes, in: 17..<19), second <= 60
        else { return nil }
        var end = 19
        var fraction: Int64 = 0
        if bytes[19] == UInt8(ascii: ".") {
            var scale: Int64 = 100_000
            end = 20
            while end < bytes.count, bytes[end] &- 48 < 10 {
                fraction += Int64(bytes[end] &- 48) * scale
                scale /= 10
                end += 1
            }
            guard end > 20 else { return nil }
        }
        guard let offset = UTCOffset(utf8: bytes.extracting(end...)) else { return nil }
        let local = Int64(day.number) * 86_400 + Int64(hour * 3600 + minute * 60 + second)
        let seconds = local - Int64(offset.minutes) * 60
        let isUTC = bytes[end] | 0x20 == UInt8(ascii: "z")
        self.init(Instant(microseconds: seconds * 1_000_000 + fraction), offset: isUTC ? nil : offset)
    }
}

extension OffsetInstant {
    /// The date on the clock that the instant was read from; in `zone` where its offset is not known.
    public func day(in zone: TimeZoneRules) -> Day { offset.map(instant.day(at:)) ?? instant.day(in: zone) }
}

extension OffsetInstant: CustomStringConvertible {
    /// Whether the date on this clock lies in the years 1 to 9999, which are all that RFC 3339 can say.
    public var isInRange: Bool {
        let (local, overflow) = instant.microseconds.addingReportingOverflow(Int64(offset?.minutes ?? 0) * 60_000_000)
        let day = local.flooredDivision(by: 86_400_000_000).quotient
        return !overflow && (Int64(Day.first.number)...Int64(Day.last.number)).contains(day)
    }

    /// RFC 3339, with as many decimals of a second as are needed (0, 3 or 6).
    public var description: String {
        let local = instant.microseconds &+ Int64(offset?.minutes ?? 0) * 60_000_000
        let (seconds, fraction) = local.flooredDivision(by: 1_000_000)
        let (day, second) = seconds.flooredDivision(by: 86_400)
        let clock = Int(second)
        var text = Day(number: Int32(clamping: day)).description + "T" + padded(clock / 3600, 2) + ":"
        text += padded(clock / 60 % 60, 2) + ":" + padded(clock % 60, 2)
        if fraction != 0 {
            text += fraction % 1000 == 0 ? "." + padded(Int(fraction / 1000), 3) : "." + padded(Int(fraction), 6)
        }
        return text + (offset?.description ?? "Z")
    }
}

extension Int64 {
    /// Quotient rounded down and a remainder that is never negative.
    func flooredDivision(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        var (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        if remainder < 0 {
            quotient -= 1
            remainder += divisor
        }
        return (quotient, remainder)
    }
}
