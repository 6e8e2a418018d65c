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
        guard let stored = try reader.history(of: key) else { return [] }
        let history = stored.schedule
        let outcomes = try reader.outcomes(
            of: key,
            user: stored.user,
            target: history.targetAmount)
        let today = clock.today(in: TimeZoneRules(stored.zone) ?? .utc)
        let statistics = HabitStatistics(
            history: history.beginning(on: outcomes.first ?? today),
            outcomes: outcomes,
            on: today)
        let starts = [history.start, outcomes.first].compactMap(\.self)
        let start = starts.min() ?? today
        return mondays(from: start, to: today).map { monday in
            row(of: monday, statistics)
        }
    }

    /// Returns the Mondays of the weeks of the result.
    ///
    /// - Parameters:
    ///   - start: The earliest day with data.
    ///   - today: The current date.
    /// - Returns: The Mondays in ascending order.
    private func mondays(from start: Day, to today: Day) -> StrideThrough<Day> {
        let last = today.monday
        var first = start.monday
        if let count {
            // The calendar has fewer than 600,000 weeks.
            let weeks = min(count, 600_000)
            let limit = last.advanced(by: -7 * (weeks - 1))
            first = max(first, limit)
        }
        return stride(from: first, through: last, by: 7)
    }

    private func row(of monday: Day, _ statistics: HabitStatistics) -> ValueRow {
        let days = monday...monday.advanced(by: 6)
        let completion = statistics.completion(in: days, includingToday: includingToday)
        var rate = Value.null
        if completion.due > 0 {
            rate = .number(Double(completion.done) / Double(completion.due))
        }
        return ValueRow([
            .day(monday),
            .integer(Int64(completion.due)),
            .integer(Int64(completion.done)),
            rate,
        ])
    }

    /// The shape of the rows.
    public static let shape = labelled(
        [
            Column("week", .day, at: 0),
            Column("due", .integer, at: 1),
            Column("done", .integer, at: 2),
            Column("completion_rate", .number(decimals: 6), at: 3, measure: .share),
        ])

    private static func labelled(_ columns: [Column]) -> ResultShape {
        var shape = ResultShape(columns: columns, identity: ["week"])
        shape.labels = ColumnLabel.standard
        return shape
    }
}
