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

    /// The views, with the functions offered that reports may call beside them.
    func offer(in session: any Session) throws -> [AnalysisView] {
        try HabitFunctions(viewer: viewer, clock: clock, in: session).offer()
        try NearFunctions(viewer: viewer, session: session).offer()
        return views(session.dialect).map(literal)
    }

    /// A view takes no parameters: what they stand for goes in as a literal, a number or a date of ours.
    private func literal(_ view: AnalysisView) -> AnalysisView {
        var view = view
        view.columns = view.columns.map { ($0.name, literal($0.sql)) }
        view.source = literal(view.source)
        view.conditions = literal(view.conditions)
        return view
    }

    private func literal(_ sql: String) -> String {
        guard sql.utf8.contains(UInt8(ascii: ":")) else { return sql }
        var viewerKey = "NULL"
        if case .user(let key, _) = viewer { viewerKey = String(key) }
        return sql.replacing(":viewer", with: viewerKey)
            .replacing(":now", with: String(clock.now.microseconds))
            .replacing(":today", with: clock.commonToday.map { "'\($0)'" } ?? "NULL")
    }

    private func views(_ dialect: any Dialect) -> [AnalysisView] {
        let visibility = Visibility(viewer: viewer)
        func restrict(_ conditions: String?...) -> String {
            let conditions = conditions.compactMap(\.self)
            let all = conditions.isEmpty ? "" : "\nWHERE " + conditions.joined(separator: "\n  AND ")
            return viewer == .operator ? all : "\(all)\n\(dialect.barrier)"
        }
        func place(_ table: String) -> [(String, String)] {
            [
                ("longitude", dialect.longitude(of: "\(table).geometry")),
                ("latitude", dialect.latitude(of: "\(table).geometry")),
            ]
        }
        func rfc3339(_ column: String) -> String { "rfc3339(\(column)_at, \(column)_offset)" }
        return [
            AnalysisView(
                name: "users",
                columns: [
                    ("id", "account.external_id"), ("name", "account.name"),
                    ("following", "coalesce(following.status, 'none')"),
                    ("follower", "coalesce(follower.status, 'none')"),
                ],
                source: "account\n\(UserQuery.joins)", conditions: ""),
            AnalysisView(
                name: "habits",
                columns: [
                    ("id", "habit.external_id"), ("user", "account.external_id"), ("title", "habit.title"),
                    ("reason", visibility.ownHabit("habit.reason")), ("days", "standing.days"),
                    ("start", "habit.start_day"), ("end", "habit.end_day"),
                ]
                    + ["status", "color", "completion_rate", "streak_current", "streak_longest", "score"].map {
                        ($0, "standing.\($0)")
                    },
                source: "habit\nJOIN account ON account.id = habit.user_id",
                join: ("standing", HabitFunctions.join(dialect)), conditions: restrict(visibility.habits)),
            AnalysisView(
                name: "events",
                columns: [
                    ("id", "event.external_id"), ("user", "account.external_id"), ("habit", "habit.external_id"),
                    ("title", "habit.title"), ("day", "event.day"),
                    ("at", "rfc3339(event.occurred_at, event.utc_offset)"), ("comment", "event.comment"),
                    ("outcome", "event.outcome"), ("has_photo", Self.hasPhoto("event")),
                    ("unplanned", "event.unplanned"),
                ] + place("event"),
                source: """
                    event
                    JOIN habit ON habit.id = event.habit_id
                    JOIN account ON account.id = event.user_id
                    """, conditions: restrict(visibility.events)),
            AnalysisView(
                name: "items",
                columns: [
                    ("id", "item.external_id"), ("user", "account.external_id"), ("name", "item.name"),
                    ("description", "item.description"), ("state", ItemQuery.state(dialect)),
                    ("claimed_by", visibility.claimant("claimant.external_id")),
                    ("posted_at", rfc3339("item.posted")), ("expires", "item.expires_day"),
                    ("has_photo", Self.hasPhoto("item")),
                ] + place("item"),
                source: "item\n\(ItemQuery.joins)", conditions: ""),
            AnalysisView(
                name: "posts",
                columns: [
                    ("id", "post.external_id"), ("user", "account.external_id"), ("caption", "post.caption"),
                    ("posted_at", rfc3339("post.posted")), ("has_photo", Self.hasPhoto("post")),
                ] + place("post"),
                source: "post\nJOIN account ON account.id = post.user_id",
                conditions: restrict("post.deleted_at IS NULL", visibility.posts)),
            AnalysisView(
                name: "follows",
                columns: [
                    ("follower", "follower.external_id"), ("followee", "followee.external_id"),
                    ("status", "follow.status"), ("share", "follow.share"),
                    ("requested_at", rfc3339("follow.requested")),
                ],
                source: """
                    follow
                    JOIN account AS follower ON follower.id = follow.follower_id
                    JOIN account AS followee ON followee.id = follow.followee_id
                    """, conditions: restrict(visibility.follows)),
            AnalysisView(
                name: "claims",
                columns: [
                    ("item", "item.external_id"), ("user", "account.external_id"), ("state", "claim.state"),
                    ("claimed_at", rfc3339("claim.claimed")),
                ],
                source: """
                    claim
                    JOIN item ON item.id = claim.item_id
                    JOIN account ON account.id = claim.user_id
                    """, conditions: restrict(visibility.claims)),
            AnalysisView(
                name: "messages",
                columns: [
                    ("id", "message.external_id"), ("item", "item.external_id"), ("sender", "sender.external_id"),
                    ("recipient", "recipient.external_id"), ("sent_at", rfc3339("message.sent")),
                    ("text", "message.text"),
                ],
                source: """
                    message
                    JOIN item ON item.id = message.item_id
                    JOIN account AS sender ON sender.id = message.sender_id
                    JOIN account AS recipient ON recipient.id = message.recipient_id
                    """, conditions: restrict(visibility.messages)),
        ]
    }

    private static func hasPhoto(_ table: String) -> String {
        "CASE WHEN \(table).photo_id IS NULL THEN 0 ELSE 1 END"
    }
}
