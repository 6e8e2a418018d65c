import StoreEngine

extension Dialect {
    /// The text after FROM with the newest `event` of each `habit` of the users whom rows of `follow` name.
    var newestEventsOfFollowed: SQL {
        """
        follow
          JOIN habit ON habit.user_id = follow.followee_id
          \(raw: newestEventJoin)
        """
    }

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
