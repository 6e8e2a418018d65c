import Base
import HabitModel
import StoreEngine

/// The translation of the conditions of an event query into SQL.
struct EventConditionSQL {
    private let visibility: Visibility
    /// The session that looks up users and habits.
    let session: any Session
    /// Whether the conditions on users and habits may select an index.
    let usesOwnerIndex: Bool
    /// Whether the source has already found the users, so that a condition on users must not select an index.
    let hasUsers: Bool

    /// Creates the translation of the conditions of a plan.
    ///
    /// - Parameters:
    ///   - visibility: The visibility rules of the viewer, who can name only visible habits.
    ///   - plan: The plan of the query.
    ///   - session: The session that looks up users and habits.
    init(_ visibility: Visibility, _ plan: EventPlan, in session: any Session) {
        self.visibility = visibility
        self.session = session
        usesOwnerIndex = plan.usesOwnerIndex
        hasUsers = plan.source == .newestOfFollowed
    }

    private var viewer: Viewer { visibility.viewer }
    private var dialect: any Dialect { session.dialect }

    /// The prefix of a column on which a condition must not select an index.
    private var owner: String { usesOwnerIndex ? "event." : "+event." }

    /// Returns a condition as SQL, or `nil` if every event meets it.
    ///
    /// - Throws: `not-found` if the condition names a user that does not exist, or a habit that does not exist or is
    ///   hidden from the viewer; an error of the engine.
    func sql(_ condition: EventCondition) throws -> SQL? {
        switch condition {
        case .day(let from, let to):
            let first = from.map { day -> SQL in "event.day >= \(.day(day), as: "from_day")" }
            let last = to.map { day -> SQL in "event.day <= \(.day(day), as: "to_day")" }
            return [first, last].compactMap(\.self).joined(separator: "\n  AND ")
        case .users(let ids):
            let keys = try ids.map { id in try Lookup.user(id, visibleTo: viewer, in: session) }
            guard !hasUsers else { return .membership(of: "+event.user_id", in: keys, as: "user") }
            return .membership(of: "\(raw: owner)user_id", in: try visible(keys), as: "user")
        case .habits(let names):
            return habit(in: try keys(ofHabits: names), as: "habit")
        case .habitIDs(let ids):
            let keys = try ids.flatMap { id in try Lookup.habits(id: id, visibleTo: viewer, in: session) }
            return habit(in: keys, as: "habit_with_id")
        case .habitTitles(let titles):
            let keys = try titles.flatMap { title in
                try Lookup.habits(titled: title, visibleTo: viewer, in: session)
            }
            return habit(in: keys, as: "titled_habit")
        case .notHabits(let names):
            let keys = try keys(ofHabits: names)
            return .membership(of: "\(raw: owner)habit_id", in: keys, as: "not_habit", isNegated: true)
        case .id(let id):
            return "event.external_id = \(.text(id.composed), as: "id")"
        case .during(let span):
            return span.condition("event.occurred_at", day: "event.day")
        case .exactComment(let comment):
            return "event.comment = \(.text(comment.composed), as: "exact_comment")"
        case .commentContains(let text):
            return dialect.contains(
                .text(text.folded), in: "comment_folded", of: "event", usesIndex: viewer == .operator)
        case .commentContainsWord(let word):
            return dialect.contains(
                .words(word.folded), in: "comment_folded", of: "event", usesIndex: viewer == .operator)
        case .properties(let filter):
            return try FilterTranslation.condition(filter, over: columns, dialect)
        case .located:
            return "\(visibility.position(in: "event").expression) IS NOT NULL"
        case .insideOrUnlocated(let box):
            return dialect.isInsideOrUnlocated(box, at: visibility.position(in: "event"))
        case .own:
            return "\(raw: owner)user_id = \(visibility.key)"
        case .newestOfFollowed:
            return "event.user_id IN (\(visibility.followed)) AND \(Visibility.newestOfHabit(dialect))"
        case .ownedByFollowed:
            return "event.user_id IN (\(visibility.selfAndFollowed))"
        case .visible:
            return visibility.events(dialect)
        }
    }

    /// The folded comment.
    ///
    /// For a user, the search index does not find it, because the index contains the comments of all users.
    private var foldedComment: SQL {
        viewer == .operator ? "event.comment_folded" : "(event.comment_folded || '')"
    }

    /// The columns of the list.
    private var columns: [OutputColumn] {
        EventTable.outputs(visibility).of(.lists).map { column in
            guard column.name == "comment" else { return column }
            var comment = column
            comment.folded = .expression(foldedComment)
            return comment
        }
    }

    /// Returns the keys of the users whose events the viewer may see.
    ///
    /// The time of a query that names another user must not depend on the events of that user.
    private func visible(_ users: [Int64]) throws -> [Int64] {
        guard viewer != .operator else { return users }
        let sql: SQL = """
            SELECT visible.user_id
            FROM (
              \(visibility.selfAndFollowed)
            ) AS visible
            WHERE \(SQL.membership(of: "visible.user_id", in: users, as: "user"))
            """
        var keys: [Int64] = []
        try session.query(sql) { row in
            keys.append(row.integer(0))
            return true
        }
        return keys
    }

    private func keys(ofHabits names: [String]) throws -> [Int64] {
        try names.flatMap { name in try Lookup.habits(name, visibleTo: viewer, in: session) }
    }

    private func habit(in keys: [Int64], as name: String) -> SQL {
        .membership(of: "\(raw: owner)habit_id", in: keys, as: name)
    }
}
