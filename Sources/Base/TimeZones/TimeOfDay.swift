/// A time on a clock, without a day and a time zone.
public struct TimeOfDay: Hashable, Sendable {
    /// The minutes after midnight, 0...1439.
    public let minutes: Int

    /// Parses `HH:MM`, or returns `nil` for any other text.
    public init?(_ text: String) {
        let bytes = text.utf8.span
        guard bytes.count == 5, bytes[2] == UInt8(ascii: ":"),
            let hours = digits(bytes, in: 0..<2),
            let minutes = digits(bytes, in: 3..<5),
            hours < 24,
            minutes < 60
        else { return nil }
        self.minutes = 60 * hours + minutes
    }

    /// Returns the instant at which the clocks of a time zone show the time on a day.
    ///
    /// - Parameters:
    ///   - day: The day.
    ///   - zone: The time zone.
    /// - Returns: The first such instant with its UTC offset, or the first later instant if the clocks skip the time.
    public func instant(on day: Day, in zone: TimeZoneRules) -> OffsetInstant {
        let local = day.startInUTC.microseconds + Int64(minutes) * 60_000_000
        let instant = zone.firstInstant(atLocalTime: local)
        return OffsetInstant(instant, offset: instant.offset(in: zone))
    }
}

extension TimeOfDay: CustomStringConvertible {
    /// The time as `HH:MM`.
    public var description: String {
        let hour = Self.twoDigits(minutes / 60)
        let minute = Self.twoDigits(minutes % 60)
        return "\(hour):\(minute)"
    }

    private static func twoDigits(_ number: Int) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }
}
