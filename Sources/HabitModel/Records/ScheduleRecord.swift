import Base

/// The weekdays or the target of a habit from a given day on.
public struct ScheduleRecord: Sendable, Equatable {
    /// The fields of the record, in file order.
    public static let fields: [Field] = [.habit, .from, .days, .times, .periodDays]

    /// The ID of the habit.
    public var habit: String
    /// The first day on which the schedule is in force.
    public var from: Day
    /// The weekdays or the target from that day on.
    public var schedule: Schedule

    /// Creates a record with all its fields.
    public init(habit: String, from: Day, schedule: Schedule) {
        self.habit = habit
        self.from = from
        self.schedule = schedule
    }
}
