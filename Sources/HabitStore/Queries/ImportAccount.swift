import Base
import HabitModel
import StoreEngine

/// The account that receives the records of an import, with its habits.
public struct ImportAccount: Sendable {
    /// A habit of the account.
    public struct Habit: Sendable {
        /// The ID of the habit.
        public var id: String
        /// The title after case folding.
        public var foldedTitle: String
        /// The first day, or `nil` if the habit has no start.
        public var start: Day?
    }

    /// An event of the account that an earlier import can have stored.
    public struct Event: Sendable {
        /// The ID of the event.
        public var id: String
        /// The instant, or `nil` if the event has only a day.
        public var at: Instant?
        /// The amount, or `nil` if the event has no amount.
        public var amount: Double?

        /// Whether the ID is the ID of another application, and not derived from the habit and the day.
        public var hasOwnID: Bool {
            id.contains(":") && !id.contains("@")
        }
    }

    private struct HabitDay: Hashable, Sendable {
        var habit: String
        var day: Day
    }

    /// The ID of the user.
    public let id: String
    /// The time zone of the user, or UTC if the stored time zone is unknown.
    public let zone: TimeZoneRules
    /// The habits of the user, sorted by ID.
    public let habits: [Habit]
    private let events: [HabitDay: Event]

    /// Returns the event of a habit on a day if it has the ID of another application, or an instant and an imported habit.
    public func event(habit: String, day: Day) -> Event? {
        events[HabitDay(habit: habit, day: day)]
    }

    /// Reads the account and its habits.
    ///
    /// - Parameters:
    ///   - id: The ID of the user.
    ///   - session: The session that reads.
    /// - Throws: `not-found` if the user does not exist.
    public init(_ id: String, in session: any Session) throws {
        let accountSQL: SQL = "SELECT id, time_zone FROM account WHERE external_id = \(.text(id.composed), as: "id")"
        let account = try session.first(accountSQL) { row in
            (key: row.integer(0), zone: row.text(1) ?? TimeZoneRules.utc.id)
        }
        guard let account else {
            throw HabitError(
                .notFound,
                "the user '\(id)' does not exist",
                subject: ErrorSubject(.user, id),
                field: "user",
                .take(.addUser),
                .list(.users))
        }
        self.id = id.composed
        zone = TimeZoneRules(account.1) ?? .utc
        let sql: SQL = """
            SELECT external_id, title_folded, start_day
            FROM habit
            WHERE user_id = \(.integer(account.0), as: "user")
            ORDER BY external_id
            """
        var habits: [Habit] = []
        try session.query(sql) { row in
            let habit = Habit(
                id: row.text(0) ?? "",
                foldedTitle: row.text(1) ?? "",
                start: row.day(2))
            habits.append(habit)
            return true
        }
        self.habits = habits
        events = try Self.events(of: account.key, in: session)
    }

    /// Reads the events whose IDs are not derived from their habit and day, and the events at an instant of habits that
    /// have the ID of another application.
    private static func events(of user: Int64, in session: any Session) throws -> [HabitDay: Event] {
        let sql: SQL = """
            SELECT habit.external_id, event.day, event.external_id, event.occurred_at, event.amount
            FROM event
            JOIN habit ON habit.id = event.habit_id AND habit.user_id = event.user_id
            WHERE event.user_id = \(.integer(user), as: "user") AND (
                event.external_id LIKE '%:%' AND event.external_id NOT LIKE '%@%'
                OR habit.external_id LIKE '%:%' AND event.occurred_at IS NOT NULL)
            ORDER BY event.id
            """
        var events: [HabitDay: Event] = [:]
        try session.query(sql) { row in
            guard let habit = row.text(0), let day = row.day(1) else {
                return true
            }
            let key = HabitDay(habit: habit, day: day)
            events[key] = Event(
                id: row.text(2) ?? "",
                at: row.isNull(3) ? nil : Instant(microseconds: row.integer(3)),
                amount: row.isNull(4) ? nil : row.number(4))
            return true
        }
        return events
    }
}
