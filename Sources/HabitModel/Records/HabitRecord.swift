import Base

/// A habit of a user.
public struct HabitRecord: Sendable, Equatable {
    /// The fields of the record, in file order.
    public static let fields: [Field] = [
        .id, .user, .title, .days, .reason, .start, .end, .times, .periodDays, .targetAmount, .unit, .tint,
        .symbol, .rank, .remindAt,
    ]
    /// The numbers of the tints, from which pages choose the colors of a habit.
    public static let tints = 1...6
    /// The allowed ranks.
    public static let ranks = 0...1_000_000

    /// The ID of the habit.
    public var id: String
    /// The ID of the owner.
    public var user: String
    /// The title.
    ///
    /// Its maximum length is a store setting.
    public var title: String
    /// The weekdays or the target from the start of the habit until the first ``ScheduleRecord``.
    public var schedule: Schedule
    /// The owner's reason for the habit.
    ///
    /// Its maximum length is a store setting.
    public var reason: FieldInput<String> = .absent
    /// The first day of the habit.
    public var start: FieldInput<Day> = .absent
    /// The last day of the habit.
    public var end: FieldInput<Day> = .absent
    /// The amount that an event needs so that its day is done, more than 0.
    public var targetAmount: FieldInput<Double> = .absent
    /// The unit of the amounts, at most 20 characters.
    public var unit: FieldInput<String> = .absent
    /// The number of the tint, in ``tints``.
    public var tint: FieldInput<Int> = .absent
    /// The symbol, which is one character such as an emoji.
    public var symbol: FieldInput<String> = .absent
    /// The place of the habit among the owner's habits, in ``ranks``.
    ///
    /// Only the owner can see it.
    public var rank: FieldInput<Int> = .absent
    /// The local time of a reminder on each due day.
    ///
    /// Only the owner can see it.
    public var remindAt: FieldInput<TimeOfDay> = .absent

    /// Creates a record in which all optional fields are omitted.
    public init(id: String, user: String, title: String, schedule: Schedule) {
        self.id = id
        self.user = user
        self.title = title
        self.schedule = schedule
    }
}
