import Base
import HabitModel
import StoreEngine

/// A search for the newest events that a user can see: the user's own events and those of all followed users.
///
/// The search runs backward from the last day in spans that grow until it finds enough events. It reads an index on
/// users and days. The cost depends on the page and on the number of followed users, not on the number of their events.
///
/// The cost for each user who shares all events is one index descent for each span and one for the first or last day.
/// The cost for each user who shares only the newest events is one lookup for each habit.
struct NewestVisibleEvents {
    /// The maximum ratio of the length of a span to the total length of the spans before it.
    private static let growth = 16
    /// The maximum ratio until the search finds an event.
    private static let emptyGrowth = 4
    /// The number of spans after which the search looks up the first day with an event.
    private static let spansBeforeFirstDay = 2
    /// A text that sorts after every day.
    private static let afterAllDays = "~"

    /// The newest event of a habit.
    private typealias Newest = (day: String, key: RowKey)

    let session: any Session
    let visibility: Visibility
    /// The days to search.
    let days: ClosedRange<Day>
    /// A condition on `event` that every result meets, including the condition on ``days``, or `nil` for all events.
    let condition: SQL?
    /// The number of events to find.
    let count: Int

    /// Returns the keys of the newest ``count`` events, or of all events if there are fewer.
    ///
    /// The result also contains all other matching events of the same days.
    func keys() throws -> [RowKey] {
        var newest = try newestOfHabits()[...]
        guard let last = try lastDay(newest) else { return [] }
        if days.upperBound != .last {
            let lastDay = days.upperBound.description
            newest = newest.drop { event in event.day > lastDay }
        }
        var keys: [RowKey] = []
        var first = days.lowerBound
        var begin = last.advanced(by: 1)
        var end = Self.afterAllDays
        var length = 1
        var spanCount = 0
        while first < begin, keys.count < count {
            if spanCount == Self.spansBeforeFirstDay {
                first = max(first, try firstDay(newest))
            }
            begin = max(first, begin.clampedAdvanced(by: -length))
            // The first day may replace an invalid day in the store. An invalid day sorts anywhere, so the last span
            // begins with the days of the search.
            let start = begin == first ? beginning : begin.description
            try forEachFullyShared(from: start, before: end) { key in keys.append(key) }
            let ofSpan = newest.prefix { event in event.day >= start }
            newest = newest.dropFirst(ofSpan.count)
            keys += try matching(ofSpan.map(\.key))
            end = start
            spanCount += 1
            let searchedDays = begin.distance(to: last) + 1
            length = lengthOfNextSpan(after: searchedDays, found: keys.count)
        }
        return keys
    }

    /// Returns the number of days that the event density so far requires, plus one quarter, up to the maximum growth.
    ///
    /// - Parameters:
    ///   - searchedDays: The number of days in all spans so far.
    ///   - found: The number of events in these spans.
    /// - Returns: The number of days.
    private func lengthOfNextSpan(after searchedDays: Int, found: Int) -> Int {
        let missing = max(count - found, 0)
        let required = searchedDays * missing * 5 / (max(found, 1) * 4) + 1
        let growth = found == 0 ? Self.emptyGrowth : Self.growth
        return min(required, searchedDays * growth)
    }

    /// A text that sorts before each day of the search, or is the first of them.
    private var beginning: String {
        days.lowerBound == .first ? "" : days.lowerBound.description
    }

    /// Returns the day at which the search begins, or `nil` if the user can see no event.
    private func lastDay(_ newest: ArraySlice<Newest>) throws -> Day? {
        guard days.upperBound == .last else { return days.upperBound }
        let candidates = [try day("max"), newest.first?.day]
        guard let last = candidates.compactMap(\.self).max() else { return nil }
        return Day(last) ?? days.upperBound
    }

    /// Returns a day before which there are no events.
    private func firstDay(_ newest: ArraySlice<Newest>) throws -> Day {
        let candidates = [try day("min"), newest.last?.day]
        guard let first = candidates.compactMap(\.self).min() else { return days.lowerBound }
        return Day(first) ?? days.lowerBound
    }

    /// Returns the first (`min`) or the last (`max`) day with an event of the users who share all events.
    private func day(_ function: String) throws -> String? {
        let sql: SQL = """
            SELECT \(raw: function)(owner_day.day)
            FROM (
              SELECT (SELECT \(raw: function)(event.day) FROM event WHERE event.user_id = owner.user_id) AS day
              FROM (
                \(visibility.fullySharing)
              ) AS owner
            ) AS owner_day
            """
        let day = try session.first(sql) { row in row.text(0) }
        return day ?? nil
    }

    /// Calls `body` with each event from `start` until before `end` of the users who share all events.
    private func forEachFullyShared(from start: String, before end: String, _ body: (RowKey) -> Void) throws {
        let span: SQL = """
            event.day >= \(.text(start), as: "first_of_span") AND event.day < \(.text(end), as: "end_of_span")
            """
        let sql: SQL = """
            SELECT event.id, event.user_id
            FROM (
              \(visibility.fullySharing)
            ) AS owner
            \(raw: session.dialect.traits.orderedJoin) event
              ON event.user_id = owner.user_id AND \(span)\(matches)
            """
        try session.query(sql) { row in
            body(RowKey(row.integer(0), partition: row.integer(1)))
            return true
        }
    }

    /// Returns the newest event of each habit of the users who share only these events, latest first.
    ///
    /// The events do not need to meet ``condition``.
    private func newestOfHabits() throws -> [Newest] {
        let sql: SQL = """
            SELECT event.id, habit.user_id, event.day
            FROM \(session.dialect.newestEventsOfFollowed)
            WHERE \(visibility.grantsNewestOnly)
            ORDER BY event.day DESC
            """
        var events: [Newest] = []
        try session.query(sql) { row in
            let key = RowKey(row.integer(0), partition: row.integer(1))
            let day = row.text(2) ?? ""
            events.append((day, key))
            return true
        }
        return events
    }

    /// Returns the keys of the events that meet ``condition``.
    private func matching(_ keys: [RowKey]) throws -> [RowKey] {
        guard condition != nil, !keys.isEmpty else { return keys }
        let source = session.dialect.rows(of: "event", withKeys: keys)
        let sql: SQL = "SELECT event.id, event.user_id\nFROM \(source)\(matches)"
        var found: [RowKey] = []
        try session.query(sql) { row in
            found.append(RowKey(row.integer(0), partition: row.integer(1)))
            return true
        }
        return found
    }

    /// The WHERE clause for ``condition``, or empty SQL if it is `nil`.
    private var matches: SQL {
        guard let condition else { return "" }
        return "\nWHERE \(condition)"
    }
}
