import HabitModel

/// The views that reports and analysts' own SQL read: public columns, holding what the viewer may see and nothing else.
///
/// An actor's are worked out before anything of the query is: whether a query fails on a row that is hidden would tell of it.
/// They are made for one connection. Instants are RFC 3339 text at their own offset, days ISO text, booleans 0 or 1.
public struct ReportViews: Sendable {
    public var viewer: Viewer
    public var clock: Clock

    public init(viewer: Viewer, clock: Clock) {
        self.viewer = viewer
        self.clock = clock
    }

    public static let names = ["users", "habits", "events", "items", "posts", "follows", "claims", "messages"]

    /// Makes the views, in place of another viewer's, and offers the functions that reports may call beside them.
    public func create(in session: any Session) throws {
        try HabitFunctions(viewer: viewer, clock: clock, in: session).offer()
        try NearFunctions(viewer: viewer, session: session).offer()
        for (name, select) in definitions(session.dialect) {
            // A view takes no parameters: what they stand for goes in as a literal, a number or a date of ours.
            try session.run(SQL("DROP VIEW IF EXISTS temp.\(name)"))
            try session.run(SQL("CREATE TEMP VIEW \(name) AS\n\(literal(select))"))
        }
    }

    private func literal(_ sql: String) -> String {
        var viewerKey = "NULL"
        if case .user(let key, _) = viewer { viewerKey = String(key) }
        return sql.replacing(":viewer", with: viewerKey)
            .replacing(":now", with: String(clock.now.microseconds))
            .replacing(":today", with: clock.commonToday.map { "'\($0)'" } ?? "NULL")
    }

    private func definitions(_ dialect: any Dialect) -> [(String, String)] {
        let visibility = Visibility(viewer: viewer)
        func restrict(_ conditions: String?...) -> String {
            let conditions = conditions.compactMap(\.self)
            let all = conditions.isEmpty ? "" : "\nWHERE " + conditions.joined(separator: "\n  AND ")
            return viewer == .operator ? all : "\(all)\n\(dialect.barrier)"
        }
        return [
            (
                "users",
                """
                SELECT account.external_id AS id, account.name AS name,
                  coalesce(following.status, 'none') AS following, coalesce(follower.status, 'none') AS follower
                FROM account
                \(UserQuery.joins)
                """
            ),
            (
                "habits",
                """
                SELECT habit.external_id AS id, account.external_id AS user, habit.title AS title,
                  \(visibility.ownHabit("habit.reason")) AS reason, standing.days AS days,
                  habit.start_day AS start, habit.end_day AS "end",
                  standing.status AS status, standing.color AS color,
                  standing.completion_rate AS completion_rate, standing.streak_current AS streak_current,
                  standing.streak_longest AS streak_longest, standing.score AS score
                FROM habit
                JOIN account ON account.id = habit.user_id
                \(HabitFunctions.join)\(restrict(visibility.habits))
                """
            ),
            (
                "events",
                """
                SELECT event.external_id AS id, account.external_id AS user, habit.external_id AS habit,
                  habit.title AS title, event.day AS day, rfc3339(event.occurred_at, event.utc_offset) AS at,
                  event.comment AS comment, event.outcome AS outcome, event.photo_id IS NOT NULL AS has_photo,
                  event.unplanned AS unplanned, ST_X(event.geometry) AS longitude, ST_Y(event.geometry) AS latitude
                FROM event
                JOIN habit ON habit.id = event.habit_id
                JOIN account ON account.id = event.user_id\(restrict(visibility.events))
                """
            ),
            (
                "items",
                """
                SELECT item.external_id AS id, account.external_id AS user, item.name AS name,
                  item.description AS description, \(ItemQuery.state(dialect)) AS state,
                  \(visibility.claimant("claimant.external_id")) AS claimed_by,
                  rfc3339(item.posted_at, item.posted_offset) AS posted_at, item.expires_day AS expires,
                  item.photo_id IS NOT NULL AS has_photo,
                  ST_X(item.geometry) AS longitude, ST_Y(item.geometry) AS latitude
                FROM item
                \(ItemQuery.joins)
                """
            ),
            (
                "posts",
                """
                SELECT post.external_id AS id, account.external_id AS user, post.caption AS caption,
                  rfc3339(post.posted_at, post.posted_offset) AS posted_at, post.photo_id IS NOT NULL AS has_photo,
                  ST_X(post.geometry) AS longitude, ST_Y(post.geometry) AS latitude
                FROM post
                JOIN account ON account.id = post.user_id\(restrict("post.deleted_at IS NULL", visibility.posts))
                """
            ),
            (
                "follows",
                """
                SELECT follower.external_id AS follower, followee.external_id AS followee, follow.status AS status,
                  follow.share AS share, rfc3339(follow.requested_at, follow.requested_offset) AS requested_at
                FROM follow
                JOIN account AS follower ON follower.id = follow.follower_id
                JOIN account AS followee ON followee.id = follow.followee_id\(restrict(visibility.follows))
                """
            ),
            (
                "claims",
                """
                SELECT item.external_id AS item, account.external_id AS user, claim.state AS state,
                  rfc3339(claim.claimed_at, claim.claimed_offset) AS claimed_at
                FROM claim
                JOIN item ON item.id = claim.item_id
                JOIN account ON account.id = claim.user_id\(restrict(visibility.claims))
                """
            ),
            (
                "messages",
                """
                SELECT message.external_id AS id, item.external_id AS item, sender.external_id AS sender,
                  recipient.external_id AS recipient, rfc3339(message.sent_at, message.sent_offset) AS sent_at,
                  message.text AS text
                FROM message
                JOIN item ON item.id = message.item_id
                JOIN account AS sender ON sender.id = message.sender_id
                JOIN account AS recipient ON recipient.id = message.recipient_id\(restrict(visibility.messages))
                """
            ),
        ]
    }
}
