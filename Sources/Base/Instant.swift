import Foundation

/// A point in time with microsecond precision.
///
/// The supported range is the years 1 to 9999.
public struct Instant: Hashable, Comparable, Sendable {
    /// The length of a UTC day in microseconds: 86 400 000 000.
    @inlinable public static var microsecondsPerDay: Int64 { 86_400_000_000 }

    /// Microseconds since 1970-01-01T00:00:00Z.
    public let microseconds: Int64

    /// Seconds since 1970-01-01T00:00:00Z, rounded down.
    var seconds: Int64 {
        microseconds.flooredDivision(by: 1_000_000).quotient
    }

    /// Creates an instant from microseconds since 1970-01-01T00:00:00Z.
    ///
    /// The range is not checked.
    public init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    /// Compares two instants chronologically.
    public static func < (a: Instant, b: Instant) -> Bool {
        a.microseconds < b.microseconds
    }

    /// The current time of the machine's clock, rounded down to a millisecond.
    public static var now: Instant {
        let milliseconds = Date().timeIntervalSince1970 * 1000
        return Instant(microseconds: Int64(milliseconds.rounded(.down)) * 1000)
    }

    /// Returns the calendar date at `offset` from UTC.
    public func day(at offset: UTCOffset) -> Day {
        day(atSeconds: offset.seconds)
    }

    /// Returns the calendar date in `zone`.
    public func day(in zone: TimeZoneRules) -> Day {
        day(atSeconds: zone.offset(at: self))
    }

    private func day(atSeconds offset: Int) -> Day {
        let localSeconds = seconds + Int64(offset)
        let day = localSeconds.flooredDivision(by: 86_400).quotient
        return Day(number: Int32(clamping: day))
    }

    /// Returns the hour on the clocks of `zone`, 0 to 23.
    public func hour(in zone: TimeZoneRules) -> Int {
        hour(atSeconds: zone.offset(at: self))
    }

    /// Returns the hour at `offset` from UTC, 0 to 23.
    public func hour(at offset: UTCOffset) -> Int {
        hour(atSeconds: offset.seconds)
    }

    private func hour(atSeconds offset: Int) -> Int {
        let localSeconds = seconds + Int64(offset)
        let secondOfDay = localSeconds.flooredDivision(by: 86_400).remainder
        return Int(secondOfDay / 3600)
    }

    /// Returns the offset of `zone` from UTC at this instant.
    ///
    /// The seconds of the offset are truncated.
    public func offset(in zone: TimeZoneRules) -> UTCOffset {
        let minutes = zone.offset(at: self) / 60
        return UTCOffset(minutes: Int16(clamping: minutes))
    }
}

extension Day {
    /// The instant at which the date begins in UTC.
    package var startInUTC: Instant {
        Instant(microseconds: Int64(number) * Instant.microsecondsPerDay)
    }
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
    public init(minutes: Int16) {
        self.minutes = minutes
    }

    /// Seconds ahead of UTC.
    fileprivate var seconds: Int { Int(minutes) * 60 }

    /// Microseconds ahead of UTC.
    fileprivate var microseconds: Int64 { Int64(minutes) * 60_000_000 }

    /// Parses `Z`, `+HH:MM`, `-HH:MM`, `+HHMM` or `-HHMM`, at most 23:59.
    ///
    /// Returns `nil` for any other text.
    public init?(_ text: String) {
        self.init(utf8: text.utf8.span)
    }

    /// Parses an offset from UTF-8 bytes.
    init?(utf8 bytes: Span<UInt8>) {
        guard let first = bytes.first else {
            return nil
        }
        if bytes.count == 1, first | 0x20 == UInt8(ascii: "z") {
            self = .utc
            return
        }
        let hasColon = bytes.count == 6
        guard hasColon || bytes.count == 5 else {
            return nil
        }
        let isNegative = first == UInt8(ascii: "-")
        guard isNegative || first == UInt8(ascii: "+") else {
            return nil
        }
        guard !hasColon || bytes[3] == UInt8(ascii: ":") else {
            return nil
        }
        let lastTwo = bytes.count - 2..<bytes.count
        guard let hours = digits(bytes, in: 1..<3),
            let minutes = digits(bytes, in: lastTwo),
            hours < 24,
            minutes < 60
        else { return nil }
        let total = Int16(hours * 60 + minutes)
        self.init(minutes: isNegative ? -total : total)
    }
}

extension UTCOffset: CustomStringConvertible {
    /// The offset as `+HH:MM` or `-HH:MM`.
    public var description: String {
        let size = abs(Int(minutes))
        let sign = minutes < 0 ? "-" : "+"
        let hours = padded(size / 60, width: 2)
        let rest = padded(size % 60, width: 2)
        return "\(sign)\(hours):\(rest)"
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
        if bytes.count == 10 || bytes.count == 13 {
            self.init(unixTime: bytes)
            return
        }
        guard bytes.count >= 20,
            let day = Day(utf8: bytes.extracting(0..<10)),
            let secondOfDay = Self.secondOfDay(bytes)
        else { return nil }
        var end = 19
        var fraction: Int64 = 0
        if bytes[19] == UInt8(ascii: ".") {
            var scale: Int64 = 100_000
            end = 20
            while end < bytes.count {
                let digit = bytes[end] &- 48
                guard digit < 10 else {
                    break
                }
                fraction += Int64(digit) * scale
                scale /= 10
                end += 1
            }
            guard end > 20 else {
                return nil
            }
        }
        guard let offset = UTCOffset(utf8: bytes.extracting(end...)) else {
            return nil
        }
        let midnight = Int64(day.number) * 86_400
        let localSeconds = midnight + Int64(secondOfDay)
        let seconds = localSeconds - Int64(offset.seconds)
        let instant = Instant(microseconds: seconds * 1_000_000 + fraction)
        let isUTC = bytes[end] | 0x20 == UInt8(ascii: "z")
        self.init(instant, offset: isUTC ? nil : offset)
    }

    /// Parses Unix seconds (10 digits) or Unix milliseconds (13 digits).
    private init?(unixTime bytes: Span<UInt8>) {
        guard let number = digits(bytes, in: bytes.indices) else {
            return nil
        }
        let isInSeconds = bytes.count == 10
        let scale: Int64 = isInSeconds ? 1_000_000 : 1000
        let instant = Instant(microseconds: Int64(number) * scale)
        self.init(instant, offset: nil)
    }

    /// Parses the time of day in an RFC 3339 text of at least 19 bytes, with the separator before it.
    @inline(__always)
    private static func secondOfDay(_ bytes: Span<UInt8>) -> Int? {
        let colon = UInt8(ascii: ":")
        let separator = bytes[10]
        let isT = separator | 0x20 == UInt8(ascii: "t")
        guard isT || separator == UInt8(ascii: " ") else {
            return nil
        }
        guard bytes[13] == colon,
            bytes[16] == colon,
            let hour = digits(bytes, in: 11..<13),
            let minute = digits(bytes, in: 14..<16),
            let second = digits(bytes, in: 17..<19)
        else { return nil }
        guard hour < 24, minute < 60, second <= 60 else {
            return nil
        }
        return hour * 3600 + minute * 60 + second
    }
}

extension OffsetInstant {
    /// Returns the date at the instant's own offset, or in `zone` if the offset is unknown.
    public func day(in zone: TimeZoneRules) -> Day {
        if let offset {
            instant.day(at: offset)
        } else {
            instant.day(in: zone)
        }
    }

    /// Returns the hour at the instant's own offset, or in `zone` if the offset is unknown, 0 to 23.
    public func hour(in zone: TimeZoneRules) -> Int {
        if let offset {
            instant.hour(at: offset)
        } else {
            instant.hour(in: zone)
        }
    }
}

extension OffsetInstant: CustomStringConvertible {
    /// Whether the date at the instant's own offset is in the years 1 to 9999, the range of RFC 3339.
    public var isInRange: Bool {
        let ahead = offset?.microseconds ?? 0
        let local = instant.microseconds.addingReportingOverflow(ahead)
        guard !local.overflow else {
            return false
        }
        let day = local.partialValue.flooredDivision(by: Instant.microsecondsPerDay).quotient
        let calendar = Int64(Day.first.number)...Int64(Day.last.number)
        return calendar.contains(day)
    }

    /// The instant in RFC 3339, with 0, 3 or 6 decimals of a second as needed.
    public var description: String {
        String(unsafeUninitializedCapacity: Self.maximumLength) { bytes in
            write(into: bytes)
        }
    }

    /// The number of bytes that ``write(into:)`` needs at most.
    package static let maximumLength = 40

    /// Writes the UTF-8 of ``description``.
    ///
    /// - Parameter bytes: At least ``maximumLength`` bytes.
    /// - Returns: The number of bytes written.
    package func write(into bytes: UnsafeMutableBufferPointer<UInt8>) -> Int {
        let ahead = offset?.microseconds ?? 0
        let local = instant.microseconds &+ ahead
        let seconds = local.flooredDivision(by: 1_000_000)
        let days = seconds.quotient.flooredDivision(by: 86_400)
        let date = Day(number: Int32(clamping: days.quotient)).civil
        let secondOfDay = Int(days.remainder)
        let fraction = Int(seconds.remainder)
        var count = 0
        func write(_ number: Int, digits: Int) {
            var rest = number
            let end = count + digits
            for index in (count..<end).reversed() {
                let digit = UInt8(rest % 10)
                bytes[index] = UInt8(ascii: "0") + digit
                rest /= 10
            }
            count = end
        }
        func write(_ mark: Unicode.Scalar) {
            bytes[count] = UInt8(ascii: mark)
            count += 1
        }
        write(date.year, digits: 4)
        write("-")
        write(date.month, digits: 2)
        write("-")
        write(date.day, digits: 2)
        write("T")
        write(secondOfDay / 3600, digits: 2)
        write(":")
        write(secondOfDay / 60 % 60, digits: 2)
        write(":")
        write(secondOfDay % 60, digits: 2)
        if fraction != 0 {
            write(".")
            if fraction % 1000 == 0 {
                write(fraction / 1000, digits: 3)
            } else {
                write(fraction, digits: 6)
            }
        }
        guard let offset else {
            write("Z")
            return count
        }
        let minutes = abs(Int(offset.minutes))
        let hours = minutes / 60
        write(offset.minutes < 0 ? "-" : "+")
        write(hours, digits: hours < 100 ? 2 : 3)
        write(":")
        write(minutes % 60, digits: 2)
        return count
    }
}

extension Int64 {
    /// Returns the quotient rounded down, and the remainder, which is never negative.
    ///
    /// `divisor` must be positive.
    func flooredDivision(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let truncated = quotientAndRemainder(dividingBy: divisor)
        guard truncated.remainder < 0 else {
            return truncated
        }
        return (truncated.quotient - 1, truncated.remainder + divisor)
    }
}
