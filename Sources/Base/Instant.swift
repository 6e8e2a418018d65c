import Foundation

/// A point in time with microsecond precision.
///
/// The supported range is the years 1 to 9999.
public struct Instant: Hashable, Comparable, Sendable {
    /// The length of a UTC day in microseconds: 86 400 000 000.
    @inlinable public static var microsecondsPerDay: Int64 { 86_400_000_000 }

    /// Microseconds since 1970-01-01T00:00:00Z.
    public let microseconds: Int64

    /// Creates an instant from microseconds since 1970-01-01T00:00:00Z.
    ///
    /// The range is not checked.
    public init(microseconds: Int64) { self.microseconds = microseconds }

    /// Compares two instants chronologically.
    public static func < (a: Instant, b: Instant) -> Bool { a.microseconds < b.microseconds }

    /// The current time of the machine's clock, rounded down to a millisecond.
    public static var now: Instant {
        Instant(microseconds: Int64((Date().timeIntervalSince1970 * 1000).rounded(.down)) * 1000)
    }

    /// Returns the calendar date at `offset` from UTC.
    public func day(at offset: UTCOffset) -> Day {
        let seconds = Int64(offset.minutes) * 60 + microseconds.flooredDivision(by: 1_000_000).quotient
        return Day(number: Int32(clamping: seconds.flooredDivision(by: 86_400).quotient))
    }

    /// Returns the calendar date in `zone`.
    public func day(in zone: TimeZoneRules) -> Day {
        let seconds = microseconds.flooredDivision(by: 1_000_000).quotient + Int64(zone.offset(at: self))
        return Day(number: Int32(clamping: seconds.flooredDivision(by: 86_400).quotient))
    }

    /// Returns the hour on the clocks of `zone`, 0 to 23.
    public func hour(in zone: TimeZoneRules) -> Int { hour(atSeconds: zone.offset(at: self)) }

    /// Returns the hour at `offset` from UTC, 0 to 23.
    public func hour(at offset: UTCOffset) -> Int { hour(atSeconds: Int(offset.minutes) * 60) }

    private func hour(atSeconds offset: Int) -> Int {
        let seconds = microseconds.flooredDivision(by: 1_000_000).quotient + Int64(offset)
        return Int(seconds.flooredDivision(by: 86_400).remainder / 3600)
    }

    /// Returns the offset of `zone` from UTC at this instant.
    ///
    /// The seconds of the offset are truncated.
    public func offset(in zone: TimeZoneRules) -> UTCOffset {
        UTCOffset(minutes: Int16(clamping: zone.offset(at: self) / 60))
    }
}

extension Day {
    /// The instant at which the date begins in UTC.
    package var startInUTC: Instant { Instant(microseconds: Int64(number) * Instant.microsecondsPerDay) }
}

/// The offset of a clock from UTC.
public struct UTCOffset: Hashable, Sendable {
    /// Minutes ahead of UTC: `+05:30` is 330.
    ///
    /// Negative west of Greenwich.
    public let minutes: Int16

    /// The offset 0.
    public static let utc = UTCOffset(minutes: 0)

    /// Creates an offset from a number of minutes.
    ///
    /// The range is not checked.
    public init(minutes: Int16) { self.minutes = minutes }

    /// Parses `Z`, `+HH:MM`, `-HH:MM`, `+HHMM` or `-HHMM`, at most 23:59.
    ///
    /// Returns `nil` for any other text.
    public init?(_ text: String) {
        self.init(utf8: text.utf8.span)
    }

    /// Parses an offset from UTF-8 bytes.
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
    /// The offset as `+HH:MM` or `-HH:MM`.
    public var description: String {
        let size = abs(Int(minutes))
        return (minutes < 0 ? "-" : "+") + padded(size / 60, 2) + ":" + padded(size % 60, 2)
    }
}

/// An instant with the UTC offset from its source.
public struct OffsetInstant: Hashable, Sendable {
    /// The point in time.
    public var instant: Instant
    /// The offset in the source, or `nil` if the source specifies only UTC (`Z`, Unix time).
    ///
    /// The offset `+00:00` is a different value: it is the offset of a local clock.
    public var offset: UTCOffset?

    /// Creates an instant with an offset.
    ///
    /// - Parameters:
    ///   - instant: The point in time.
    ///   - offset: The offset of the source's clock, or `nil` if only UTC is known.
    public init(_ instant: Instant, offset: UTCOffset?) {
        self.instant = instant
        self.offset = offset
    }

    /// Parses RFC 3339 (`2026-11-20T07:15:00+01:00`), Unix seconds (10 digits) or Unix milliseconds (13 digits).
    ///
    /// Digits after the microsecond are truncated. A leap second (`:60`) is read as the second after `:59`. Returns
    /// `nil` for any other text.
    public init?(_ text: String) {
        self.init(utf8: text.utf8.span)
    }

    /// Parses an instant from UTF-8 bytes.
    package init?(utf8 bytes: Span<UInt8>) {
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
    /// Returns the date at the instant's own offset, or in `zone` if the offset is unknown.
    public func day(in zone: TimeZoneRules) -> Day { offset.map(instant.day(at:)) ?? instant.day(in: zone) }

    /// Returns the hour at the instant's own offset, or in `zone` if the offset is unknown, 0 to 23.
    public func hour(in zone: TimeZoneRules) -> Int { offset.map(instant.hour(at:)) ?? instant.hour(in: zone) }
}

extension OffsetInstant: CustomStringConvertible {
    /// Whether the date at the instant's own offset is in the years 1 to 9999, the range of RFC 3339.
    public var isInRange: Bool {
        let (local, overflow) = instant.microseconds.addingReportingOverflow(Int64(offset?.minutes ?? 0) * 60_000_000)
        let day = local.flooredDivision(by: Instant.microsecondsPerDay).quotient
        return !overflow && (Int64(Day.first.number)...Int64(Day.last.number)).contains(day)
    }

    /// The instant in RFC 3339, with 0, 3 or 6 decimals of a second as needed.
    public var description: String {
        String(unsafeUninitializedCapacity: Self.maximumLength) { write(into: $0) }
    }

    /// The number of bytes that ``write(into:)`` needs at most.
    package static let maximumLength = 40

    /// Writes the UTF-8 of ``description``.
    ///
    /// - Parameter bytes: At least ``maximumLength`` bytes.
    /// - Returns: The number of bytes written.
    package func write(into bytes: UnsafeMutableBufferPointer<UInt8>) -> Int {
        let local = instant.microseconds &+ Int64(offset?.minutes ?? 0) * 60_000_000
        let (seconds, fraction) = local.flooredDivision(by: 1_000_000)
        let (day, second) = seconds.flooredDivision(by: 86_400)
        let (year, month, dayOfMonth) = Day(number: Int32(clamping: day)).civil
        var count = 0
        func write(_ number: Int, digits: Int) {
            var rest = number
            for index in stride(from: count + digits - 1, through: count, by: -1) {
                bytes[index] = UInt8(ascii: "0") + UInt8(rest % 10)
                rest /= 10
            }
            count += digits
        }
        func write(_ mark: Unicode.Scalar) {
            bytes[count] = UInt8(ascii: mark)
            count += 1
        }
        write(year, digits: 4)
        write("-")
        write(month, digits: 2)
        write("-")
        write(dayOfMonth, digits: 2)
        write("T")
        write(Int(second / 3600), digits: 2)
        write(":")
        write(Int(second / 60 % 60), digits: 2)
        write(":")
        write(Int(second % 60), digits: 2)
        if fraction != 0 {
            write(".")
            if fraction % 1000 == 0 { write(Int(fraction / 1000), digits: 3) } else { write(Int(fraction), digits: 6) }
        }
        guard let offset else {
            write("Z")
            return count
        }
        let ahead = Int(offset.minutes)
        write(ahead < 0 ? "-" : "+")
        let hours = abs(ahead) / 60
        write(hours, digits: hours < 100 ? 2 : 3)
        write(":")
        write(abs(ahead) % 60, digits: 2)
        return count
    }
}

extension Int64 {
    /// Returns the quotient rounded down, and the remainder, which is never negative.
    ///
    /// `divisor` must be positive.
    func flooredDivision(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        var (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        if remainder < 0 {
            quotient -= 1
            remainder += divisor
        }
        return (quotient, remainder)
    }
}
