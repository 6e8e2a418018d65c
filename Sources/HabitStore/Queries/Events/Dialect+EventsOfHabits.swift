import StoreEngine

extension Dialect {
    /// The number of habits whose events one statement should read.
    ///
    /// The value is 1 if a statement costs no more than a lookup.
    var habitsAtOnce: Int {
        traits.needsRoundTrips ? 2048 : 1
    }

    /// Returns the text after FROM that selects the events of some habits from `:from_day` on.
    ///
    /// The rows have the name `event`. Lateral joins search the events of each habit separately. For one search over all
    /// habits, the planner of a server would estimate that a scan of all events on these days costs less.
    ///
    /// - Parameter keys: The keys of the habits as a SELECT.
    /// - Returns: The source and its conditions.
    func events(ofHabits keys: String) -> String {
        guard traits.hasLateralJoins else {
            return "event\nWHERE event.habit_id IN (\(keys)) AND event.day >= :from_day"
        }
        let ofUser = andUser("event.user_id", is: "habit.user_id")
        return """
            (SELECT id, user_id FROM habit WHERE id IN (\(keys))) AS habit
            CROSS JOIN LATERAL (
              SELECT *
              FROM event
              WHERE event.habit_id = habit.id\(ofUser) AND event.day >= :from_day
              \(traits.optimizationFence)
            ) AS event
            """
    }

    /// The source `event` for FROM in a query that selects only skipped events of a habit.
    var skippedEvents: String {
        traits.source("event", indexedBy: "event_skipped")
    }
}
