import Base
import HabitModel
import HabitTestSupport

/// Habits of one user with random schedules, events and pauses, of which some concern all habits.
struct RandomPauses {
    static let user = "ann"
    /// The habits by ID, with the pauses of all habits among their pauses.
    private(set) var habits: [String: PlainHabit] = [:]
    private(set) var records: [Record] = [.user(user)]
    let first: Day
    let reportDay: Day

    /// Creates some habits.
    ///
    /// - Parameters:
    ///   - seed: The seed of the values.
    ///   - first: The first day of the habits.
    /// - Throws: No error, because the values are valid.
    init(seed: UInt64, from first: Day) throws {
        var random = SeededGenerator(seed: seed)
        let length = Int.random(in: 20...70, using: &random)
        self.first = first
        reportDay = first.advanced(by: length - 1)
        let common = try PlainHabit(random: &random, from: first, length: length).pauses.prefix(1)
        for number in 0..<12 {
            var habit = try PlainHabit(random: &random, from: first, length: length)
            let id = "h\(number)"
            records += Self.records(of: habit, id: id)
            habit.pauses += common
            habits[id] = habit
        }
        for pause in common {
            records.append(Self.pause("all", of: nil, pause))
        }
    }

    private static func records(of habit: PlainHabit, id: String) -> [Record] {
        var record = HabitRecord(id: id, user: user, title: id, schedule: habit.schedules[0].schedule)
        record.start = .value(habit.start)
        record.end = habit.end.map { day in .value(day) } ?? .null
        var records: [Record] = [.habit(record)]
        for later in habit.schedules.dropFirst() {
            records.append(.schedule(ScheduleRecord(habit: id, from: later.from, schedule: later.schedule)))
        }
        for (number, pause) in habit.pauses.enumerated() {
            records.append(Self.pause("\(id)-\(number)", of: id, pause))
        }
        for (day, outcome) in habit.outcomes.sorted(by: { first, second in first.key < second.key }) {
            var event = EventRecord(habit: id)
            event.day = day
            event.outcome = .value(outcome)
            records.append(.event(event))
        }
        return records
    }

    /// Returns the record of a pause.
    static func pause(_ id: String, of habit: String?, _ days: (first: Day, last: Day?)) -> Record {
        var pause = PauseRecord(id: id, user: user, from: days.first)
        pause.habit = habit.map { habit in .value(habit) } ?? .null
        pause.to = days.last.map { day in .value(day) } ?? .null
        return .pause(pause)
    }

    /// The events that are unplanned, as `habit day`.
    var unplanned: Set<String> {
        var events: Set<String> = []
        for (id, habit) in habits {
            for day in habit.outcomes.keys where !habit.isPlanned(day) {
                events.insert("\(id) \(day)")
            }
        }
        return events
    }
}
