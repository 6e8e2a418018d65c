import HabitModel
import StoreEngine

/// How a habit's weeks went: due days, done days and the rate, from Monday to Sunday.
public struct HabitWeeks: Sendable {
    public var clock: Clock
    /// How many weeks, ending with the current one; nil: all since the habit's start, or its first event.
    public var count: Int?
    public var includingToday = false

    public init(clock: Clock) { self.clock = clock }

    /// The rows of the habit with this key, oldest week first. Costs a walk over its events.
    public func rows(ofHabit key: Int64, in session: any Session) throws -> [ValueRow] {
        let reader = try HabitHistoryReader(session)
        guard let (history, zone) = try reader.history(of: key) else { return [] }
        let outcomes = try reader.outcomes(of: key)
        let today = clock.today(in: TimeZoneRules(zone) ?? .utc)
        let standing = HabitStanding(history: history, outcomes: outcomes, on: today)
        let last = today.monday
        var first = ([history.start, outcomes.first].compactMap(\.self).min() ?? today).monday
        // There are no more weeks than these between the first and the last day that there is.
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

    public static let shape = ResultShape(
        columns: [
            Column("week", .day, at: 0), Column("due", .integer, at: 1), Column("done", .integer, at: 2),
            Column("completion_rate", .number(decimals: 6), at: 3),
        ],
        identity: ["week"])
}
