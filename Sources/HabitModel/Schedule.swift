/// The weekdays on which a habit is due.
///
/// A schedule contains at least one weekday.
public struct Schedule: Hashable, Sendable {
    /// The weekdays as a bit mask, 1...127.
    ///
    /// Bit 0 is Monday, bit 6 is Sunday.
    public let mask: UInt8

    /// The schedule with all seven weekdays.
    public static let everyDay = Schedule(unchecked: 127)

    /// Creates a schedule from a bit mask, or returns `nil` if the mask is not in 1...127.
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
        guard let schedule = Schedule(mask: mask) else { throw Self.missing }
        self = schedule
    }

    /// The `schedule-empty` error.
    public static let missing = HabitError(
        .scheduleEmpty, "the schedule has no weekday: name at least one, for example mon,wed,fri",
        field: Field.days.name)

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

extension Schedule: CustomStringConvertible {
    /// The names of the weekdays, such as `mon wed fri`.
    public var description: String {
        (1...7).filter(includes(weekday:)).map { Self.names[$0 - 1] }.joined(separator: " ")
    }
}

/// The schedules of a habit over time.
///
/// On each day, the latest schedule that begins on or before the day is in force.
public struct ScheduleHistory: Sendable, Equatable {
    /// The first day of the habit, or `nil` if it has no start.
    public var start: Day?
    /// The last day of the habit, or `nil` if it has no end.
    public var end: Day?
    /// The schedule before the first change.
    public let first: Schedule
    /// The later schedules with their first days, in ascending order.
    ///
    /// Most habits have no changes.
    private let changes: [(from: Day, schedule: Schedule)]

    /// Creates a history.
    ///
    /// - Parameters:
    ///   - start: The first day of the habit, or `nil` if it has no start.
    ///   - end: The last day of the habit, or `nil` if it has no end.
    ///   - schedule: The schedule before the first change.
    ///   - changes: The later schedules with their first days, in any order.
    public init(start: Day?, end: Day?, schedule: Schedule, changes: [(from: Day, schedule: Schedule)] = []) {
        self.start = start
        self.end = end
        first = schedule
        self.changes = changes.sorted { $0.from < $1.from }
    }

    /// Returns the schedule that is in force on `day`.
    public func schedule(on day: Day) -> Schedule { changes.last { $0.from <= day }?.schedule ?? first }

    /// Returns whether the habit is scheduled on `day`.
    ///
    /// The day must be between the start and the end, and its weekday must be in the schedule in force.
    public func includes(_ day: Day) -> Bool {
        guard start.map({ day >= $0 }) ?? true, end.map({ day <= $0 }) ?? true else { return false }
        return schedule(on: day).includes(day)
    }

    /// Calls `body` with each scheduled day from `first` to `last`, in ascending order.
    ///
    /// Costs a few instructions per day.
    func forEachDay(from first: Day, to last: Day, _ body: (Day) -> Void) {
        var day = max(first, start ?? first)
        let last = min(last, end ?? last)
        var weekday = day.weekday
        while day <= last {
            let schedule = changes.isEmpty ? self.first : schedule(on: day)
            if schedule.includes(weekday: weekday) { body(day) }
            day = day.advanced(by: 1)
            weekday = weekday % 7 + 1
        }
    }

    /// Compares the dates, the schedules and the changes of two histories.
    public static func == (a: ScheduleHistory, b: ScheduleHistory) -> Bool {
        a.start == b.start && a.end == b.end && a.first == b.first && a.changes.elementsEqual(b.changes) { $0 == $1 }
    }
}
