/// The weekdays on which a habit is due: at least one.
public struct Schedule: Hashable, Sendable {
    /// Bit 0 is Monday, bit 6 Sunday; 1...127.
    public let mask: UInt8

    public static let everyDay = Schedule(unchecked: 127)

    /// Nil where no weekday is set.
    public init?(mask: Int) {
        guard (1...127).contains(mask) else { return nil }
        self.mask = UInt8(mask)
    }

    private init(unchecked mask: UInt8) { self.mask = mask }

    /// Reads names (`mon wed fri`), numbers from Monday (`1,3,5`) or a mask of seven from Monday (`1010100`).
    ///
    /// Throws `schedule-empty` where no day is named, `schedule-invalid` for anything that is not a weekday.
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

    /// `schedule-empty`.
    public static let missing = HabitError(
        .scheduleEmpty, "a habit needs at least one weekday, for example mon,wed,fri", field: Field.days.name)

    public func includes(weekday: Int) -> Bool { mask >> UInt8(weekday - 1) & 1 == 1 }
    public func includes(_ day: Day) -> Bool { includes(weekday: day.weekday) }

    /// How many days a week: 1...7.
    public var daysPerWeek: Int { mask.nonzeroBitCount }

    static let names = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

    private static func weekday(_ text: Substring) -> Int? {
        if let number = Int(text) { return (1...7).contains(number) ? number : nil }
        guard text.count >= 3 else { return nil }
        let full = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
        return full.firstIndex { $0.hasPrefix(text) }.map { $0 + 1 }
    }
}

extension Schedule: CustomStringConvertible {
    /// `mon wed fri`.
    public var description: String {
        (1...7).filter(includes(weekday:)).map { Self.names[$0 - 1] }.joined(separator: " ")
    }
}

/// A habit's schedules, each from a day on: the version in force on a day is the newest that began on or before it.
public struct ScheduleHistory: Sendable, Equatable {
    /// The first and the last day of the habit; nil where it has none.
    public var start: Day?
    public var end: Day?
    /// The habit's own, which holds from its beginning.
    public let first: Schedule
    /// Those that came after it, by the day from which they hold, ascending. Most habits have none.
    private let changes: [(from: Day, schedule: Schedule)]

    /// `changes` hold each from a day on, in any order.
    public init(start: Day?, end: Day?, schedule: Schedule, changes: [(from: Day, schedule: Schedule)] = []) {
        self.start = start
        self.end = end
        first = schedule
        self.changes = changes.sorted { $0.from < $1.from }
    }

    /// The version in force on `day`.
    public func schedule(on day: Day) -> Schedule { changes.last { $0.from <= day }?.schedule ?? first }

    /// Whether the habit is scheduled on `day`: within its start and end, on a weekday of the version in force.
    public func includes(_ day: Day) -> Bool {
        guard start.map({ day >= $0 }) ?? true, end.map({ day <= $0 }) ?? true else { return false }
        return schedule(on: day).includes(day)
    }

    /// Calls `body` with each scheduled day from `first` to `last`, in order. Costs a few instructions a day.
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

    public static func == (a: ScheduleHistory, b: ScheduleHistory) -> Bool {
        a.start == b.start && a.end == b.end && a.first == b.first && a.changes.elementsEqual(b.changes) { $0 == $1 }
    }
}
