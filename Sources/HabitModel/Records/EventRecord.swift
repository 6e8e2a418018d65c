import Base

/// An event: the outcome of a habit on one day.
public struct EventRecord: Sendable, Equatable {
    /// The fields of the record, in file order.
    public static let fields: [Field] = [
        .id, .user, .habit, .day, .at, .utcOffset, .comment, .outcome, .photo, .keepEXIF, .longitude, .latitude,
        .amount,
    ]

    /// The ID of the event, or `nil` to derive it from the habit and the day.
    public var id: String?
    /// The ID of the habit's owner, or `nil` if the source does not specify it.
    public var user: String?
    /// The ID of the habit.
    public var habit: String
    /// The date of the event, or `nil` to derive it from ``at``.
    public var day: Day?
    /// The instant of the event.
    public var at: FieldInput<OffsetInstant> = .absent
    /// The outcome of the day.
    public var outcome: FieldInput<Outcome> = .absent
    /// The comment, the amount, the photo and the position.
    public var details = EventDetails()

    /// Creates a record in which all optional fields are omitted.
    public init(habit: String) { self.habit = habit }
}
