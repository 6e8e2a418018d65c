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
    /// The IDs of the events that have the ID of another application.
    private let events: [HabitDay: String]

    /// Returns the ID of the event of a habit on a day if it is the ID of another application, otherwise `nil`.
    public func eventID(habit: String, day: Day) -> String? { events[HabitDay(habit: habit, day: day)] }

    /// Reads the account and its habits.
    ///
    /// - Parameters:
    ///   - id: The ID of the user.
    ///   - session: The session that reads.
    /// - Throws: `not-found` if the user does not exist.
    public init(_ id: String, in session: any Session) throws {
        let account = try session.first(
            SQL("SELECT id, time_zone FROM account WHERE external_id = :id", ["id": .text(id.composed)])
        ) { ($0.integer(0), $0.text(1) ?? TimeZoneRules.utc.id) }
        guard let account else {
            throw HabitError(
                .notFound, "the user '\(id)' does not exist", subject: ErrorSubject(.user, id), field: "user",
                .take(.addUser), .list(.users))
        }
        self.id = id.composed
        zone = TimeZoneRules(account.1) ?? .utc
        let sql = SQL(
            "SELECT external_id, title_folded, start_day FROM habit WHERE user_id = :user ORDER BY external_id",
            ["user": .integer(account.0)])
        var habits: [Habit] = []
        try session.query(sql) { row in
            habits.append(Habit(id: row.text(0) ?? "", foldedTitle: row.text(1) ?? "", start: row.day(2)))
            return true
        }
        self.habits = habits
        events = try Self.events(of: account.0, in: session)
    }

    /// Reads the events whose IDs are not derived from their habit and day.
    private static func events(of user: Int64, in session: any Session) throws -> [HabitDay: String] {
        let sql = SQL(
            """
            SELECT habit.external_id, event.day, event.external_id
            FROM event
            JOIN habit ON habit.id = event.habit_id AND habit.user_id = event.user_id
            WHERE event.user_id = :user AND event.external_id LIKE '%:%' AND event.external_id NOT LIKE '%@%'
            ORDER BY event.id
            """, ["user": .integer(user)])
        var events: [HabitDay: String] = [:]
        try session.query(sql) { row in
            if let habit = row.text(0), let day = row.day(1) { events[HabitDay(habit: habit, day: day)] = row.text(2) }
            return true
        }
        return events
    }
}
