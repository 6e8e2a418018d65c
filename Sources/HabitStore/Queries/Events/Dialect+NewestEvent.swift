import StoreEngine

extension Dialect {
    /// A clause that joins the newest `event` of each `habit`.
    var newestEventJoin: String {
        guard traits.hasLateralJoins else {
            return """
                JOIN event ON event.habit_id = habit.id AND event.id = (
                  SELECT newest.id FROM event AS newest WHERE newest.habit_id = habit.id ORDER BY newest.day DESC LIMIT 1
                )
                """
        }
        let ofUser = andUser("newest.user_id", is: "habit.user_id")
        return """
            CROSS JOIN LATERAL (
              SELECT *
              FROM event AS newest
              WHERE newest.habit_id = habit.id\(ofUser)
              ORDER BY newest.day DESC
              LIMIT 1
            ) AS event
            """
    }
}
