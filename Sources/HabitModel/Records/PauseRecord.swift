import Base

/// A pause of a habit, or of all habits of a user.
///
/// Its days are neither due nor missed.
public struct PauseRecord: Sendable, Equatable {
    /// The fields of the record, in file order.
    public static let fields: [Field] = [.id, .user, .habit, .from, .to]

    /// The ID of the pause.
    public var id: String
    /// The ID of the owner.
    public var user: String
    /// The ID of the paused habit, or null for all habits of the user.
    public var habit: FieldInput<String> = .absent
    /// The first paused day.
    public var from: Day
    /// The last paused day, or null for a pause without an end.
    public var to: FieldInput<Day> = .absent

    /// Creates a record in which all optional fields are omitted.
    public init(id: String, user: String, from: Day) {
        self.id = id
        self.user = user
        self.from = from
    }
}
