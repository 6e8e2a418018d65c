import Base
import HabitModel
import StoreEngine

/// The weekly statistics of a habit: due days, done days and completion rate, from Monday to Sunday.
public struct HabitWeeks: Sendable {
    /// The clock that defines the current date of the habit's owner.
    public var clock: Clock
    /// The number of weeks up to the current week, or `nil` for all weeks.
    ///
    /// The first possible week is the week of the habit's start or of its first event, whichever is earlier.
    public var count: Int?
    /// Whether the current date counts as due before the habit is done.
    public var includingToday = false

    /// Creates statistics of all weeks.
    public init(clock: Clock) { self.clock = clock }

    /// Returns the rows of the habit with the key `key`, oldest week first.
    ///
    /// Reads all events of the habit.
    ///
    /// - Returns: One row for each week. The array is empty if the habit does not exist.
    public func rows(ofHabit key: Int64, in session: any Session) throws -> [ValueRow] {
        let reader = HabitHistoryReader(session)
        guard let (history, zone, user) = try reader.history(of: key) else { return [] }
        let outcomes = try reader.outcomes(of: key, user: user, target: history.targetAmount)
        let today = clock.today(in: TimeZoneRules(zone) ?? .utc)
        let standing = HabitStatistics(
            history: history.beginning(on: outcomes.first ?? today), outcomes: outcomes, on: today)
        let last = today.monday
        var first = ([history.start, outcomes.first].compactMap(\.self).min() ?? today).monday
        // The calendar has fewer than 600,000 weeks.
        if let count { first = max(first, last.advanced(by: -7 * (min(count, 600_000) - 1))) }
        guard first <= last else { return [] }
        return stride(from: first, through: last, by: 7).map { monday in
            let days = monday...monday.advanced(by: 6)
            let (due, done) = standing.completion(in: days, includingToday: includingToday)
            return ValueRow([
                .day(monday), .integer(Int64(due)), .integer(Int64(done)),
                due == 0 ? .null : .number(Double(done) / Double(due)),
            ])
        }
    }

    /// The shape of the rows.
    public static let shape = ResultShape(
        columns: [
            Column("week", .day, at: 0), Column("due", .integer, at: 1), Column("done", .integer, at: 2),
            Column("completion_rate", .number(decimals: 6), at: 3),
        ],
        identity: ["week"])
}
