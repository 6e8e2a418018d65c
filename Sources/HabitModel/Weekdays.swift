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
    /// Names may be abbreviated to three letters or more. Delimiters are spaces, commas and semicolons. A part can also be
    /// a range (`mon-fri`, `sat-mon`, `1-5`) or one of the words `daily`, `weekdays` and `weekends`.
    ///
    /// - Parameter text: The text to parse, in any letter case.
    /// - Throws: `schedule-empty` if the text contains no weekday, `schedule-invalid` if a part is not a weekday.
    public init(_ text: String) throws(HabitError) {
        let parts = text.lowercased().split { character in " ,;".contains(character) }
        let mask =
            if parts.count == 1, let digits = Self.mask(digits: parts[0]) {
                digits
            } else {
                try Self.mask(of: parts)
            }
        guard let weekdays = Weekdays(mask: mask) else { throw Schedule.missing }
        self = weekdays
    }

    /// Returns the mask of seven digits from Monday, each 0 or 1, or `nil` for any other text.
    private static func mask(digits text: Substring) -> Int? {
        guard text.utf8.count == 7 else { return nil }
        var mask = 0
        for (bit, digit) in text.utf8.enumerated() {
            switch digit {
            case UInt8(ascii: "0"): break
            case UInt8(ascii: "1"): mask |= 1 << bit
            default: return nil
            }
        }
        return mask
    }

    /// Returns the mask of all weekdays in the parts of a text.
    private static func mask(of parts: [Substring]) throws(HabitError) -> Int {
        var mask = 0
        for part in parts {
            guard let bits = Self.mask(part) else {
                throw HabitError(
                    .scheduleInvalid,
                    "'\(part)' is not a weekday: write names (mon,wed,fri), numbers from Monday (1,3,5) or a mask (1010100)",
                    field: Field.days.name)
            }
            mask |= bits
        }
        return mask
    }

    /// Returns whether the habit is due on a weekday, which is 1 for Monday to 7 for Sunday.
    public func includes(weekday: Int) -> Bool { mask >> UInt8(weekday - 1) & 1 == 1 }

    /// Returns whether the weekday of `day` is set.
    public func includes(_ day: Day) -> Bool { includes(weekday: day.weekday) }

    /// The number of weekdays, 1...7.
    public var daysPerWeek: Int { mask.nonzeroBitCount }

    /// The short names of the weekdays from Monday, as in ``description``.
    public static let names = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

    private static let fullNames = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]

    /// Returns the weekday (1...7) with a full name or a name of three letters in lower case, or `nil` for any other text.
    static func weekday(named text: String) -> Int? {
        let index = names.firstIndex(of: text) ?? fullNames.firstIndex(of: text)
        return index.map { index in index + 1 }
    }

    /// Returns the mask of a weekday, a range of weekdays or a word for several weekdays, or `nil` for any other text.
    private static func mask(_ text: Substring) -> Int? {
        switch text {
        case "daily": return 0b111_1111
        case "weekdays": return 0b001_1111
        case "weekends": return 0b110_0000
        default: break
        }
        let ends = text.split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count <= 2 else { return nil }
        guard let first = ends.first.flatMap(weekday) else { return nil }
        guard let last = ends.last.flatMap(weekday) else { return nil }
        // A range such as sat-mon continues after Sunday.
        let following = (last - first + 7) % 7
        return (0...following).reduce(0) { mask, offset in
            mask | 1 << ((first - 1 + offset) % 7)
        }
    }

    /// Returns the weekday (1...7) for a number or a name, or `nil` for any other text.
    private static func weekday(_ text: Substring) -> Int? {
        if let number = Int(text) { return (1...7).contains(number) ? number : nil }
        guard text.count >= 3 else { return nil }
        let index = fullNames.firstIndex { name in name.hasPrefix(text) }
        return index.map { index in index + 1 }
    }
}

extension Weekdays: CustomStringConvertible {
    /// The names of the weekdays, such as `mon wed fri`.
    public var description: String {
        let weekdays = (1...7).filter(includes(weekday:))
        let names = weekdays.map { weekday in Self.names[weekday - 1] }
        return names.joined(separator: " ")
    }
}
