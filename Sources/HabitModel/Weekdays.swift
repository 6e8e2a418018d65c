import Base

/// A set of weekdays on which a habit is due.
///
/// The set contains at least one weekday.
public struct Weekdays: Hashable, Sendable {
    /// The weekdays as a bit mask, 1...127.
    ///
    /// Bit 0 is Monday, bit 6 is Sunday.
    public let mask: UInt8

    /// All seven weekdays.
    public static let everyDay = Weekdays(unchecked: 127)

    /// Creates a set from a bit mask, or returns `nil` if the mask is not in 1...127.
    public init?(mask: Int) {
        guard (1...127).contains(mask) else { return nil }
        self.mask = UInt8(mask)
    }

    private init(unchecked mask: UInt8) { self.mask = mask }

    /// Parses names (`mon wed fri`), numbers from Monday (`1,3,5`) or a mask of seven digits from Monday (`1010100`).
    ///
    /// Names may be abbreviated to three letters or more. Delimiters are spaces, commas and semicolons.
    ///
    /// - Parameter text: The text to parse, in any letter case.
    /// - Throws: `schedule-empty` if the text contains no weekday, `schedule-invalid` if a part is not a weekday.
    public init(_ text: String) throws(HabitError) {
        let parts = text.lowercased().split { $0 == " " || $0 == "," || $0 == ";" }
        var mask = 0
        if parts.count == 1, let word = parts.first, word.utf8.count == 7,
            word.utf8.allSatisfy({ $0 == UInt8(ascii: "0") || $0 == UInt8(ascii: "1") })
        {
            for (bit, digit) in word.utf8.enumerated() where digit == UInt8(ascii: "1") { mask |= 1 << bit }
        } else {
            for part in parts {
                guard let weekday = Self.weekday(part) else {
                    throw HabitError(
                        .scheduleInvalid,
                        "'\(part)' is not a weekday: write names (mon,wed,fri), numbers from Monday (1,3,5) or a mask (1010100)",
                        field: Field.days.name)
                }
                mask |= 1 << (weekday - 1)
            }
        }
        guard let weekdays = Weekdays(mask: mask) else { throw Schedule.missing }
        self = weekdays
    }

    /// Returns whether the habit is due on a weekday, which is 1 for Monday to 7 for Sunday.
    public func includes(weekday: Int) -> Bool { mask >> UInt8(weekday - 1) & 1 == 1 }
    /// Returns whether the weekday of `day` is set.
    public func includes(_ day: Day) -> Bool { includes(weekday: day.weekday) }

    /// The number of weekdays, 1...7.
    public var daysPerWeek: Int { mask.nonzeroBitCount }

    /// The short names of the weekdays from Monday, as in ``description``.
    static let names = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

    /// Returns the weekday (1...7) for a number or a name, or `nil` for any other text.
    private static func weekday(_ text: Substring) -> Int? {
        if let number = Int(text) { return (1...7).contains(number) ? number : nil }
        guard text.count >= 3 else { return nil }
        let full = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
        return full.firstIndex { $0.hasPrefix(text) }.map { $0 + 1 }
    }
}

extension Weekdays: CustomStringConvertible {
    /// The names of the weekdays, such as `mon wed fri`.
    public var description: String {
        (1...7).filter(includes(weekday:)).map { Self.names[$0 - 1] }.joined(separator: " ")
    }
}
