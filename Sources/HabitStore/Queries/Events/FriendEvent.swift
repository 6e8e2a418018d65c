import Base
import HabitModel
import StoreEngine

/// The newest event of a habit of a user whom a viewer follows, as a short list for people shows it.
public struct FriendEvent: Sendable {
    /// The ID of the event.
    public let id: String
    /// The ID of the user.
    public let user: String
    /// The title of the habit.
    public let title: String
    /// The calendar date of the user.
    public let day: Day
    /// The time of the event with the UTC offset of its place, or `nil` for an event without a time.
    public let at: OffsetInstant?
    /// Whether the day was done or skipped.
    public let outcome: Outcome

    /// Returns the newest events of the users whom a viewer follows, the latest first.
    ///
    /// They are the first rows of the ``EventQuery`` with the scope `friends`.
    ///
    /// - Parameters:
    ///   - count: The maximum number of events.
    ///   - viewer: The viewer. The operator follows no user.
    ///   - session: The session that runs the query.
    /// - Returns: The events.
    /// - Throws: An error of the engine.
    public static func newest(_ count: Int, for viewer: Viewer, in session: any Session) throws -> [FriendEvent] {
        guard viewer != .operator else { return [] }
        var query = EventQuery(viewer: viewer)
        query.scope = .friends
        query.limit = count
        query.columns = ["id", "user", "title", "day", "at", "outcome"]
        let selection = try query.selection(in: session)
        let columns = try Columns(selection.shape)
        var events: [FriendEvent] = []
        try session.query(selection.sql) { row in
            if let event = columns.event(row) { events.append(event) }
            return true
        }
        return events
    }

    /// The indexes of the columns of the query.
    private struct Columns {
        let id: Int
        let user: Int
        let title: Int
        let day: Int
        let at: Column
        let outcome: Int

        init(_ shape: ResultShape) throws {
            id = try shape.selectedColumn("id").index
            user = try shape.selectedColumn("user").index
            title = try shape.selectedColumn("title").index
            day = try shape.selectedColumn("day").index
            at = try shape.selectedColumn("at")
            outcome = try shape.selectedColumn("outcome").index
        }

        /// Returns the event of a row, or `nil` if its date is not valid.
        func event(_ row: any Row) -> FriendEvent? {
            guard let id = row.text(id), let user = row.text(user), let day = row.day(day) else { return nil }
            var instant: OffsetInstant?
            if case .instant(let offset?) = at.value {
                instant = row.offsetInstant(at.index, offset: offset)
            }
            return FriendEvent(
                id: id,
                user: user,
                title: row.text(title) ?? "",
                day: day,
                at: instant,
                outcome: row.text(outcome).flatMap(Outcome.init(rawValue:)) ?? .done)
        }
    }
}
