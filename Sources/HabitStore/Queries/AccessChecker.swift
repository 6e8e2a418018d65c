import Base
import HabitModel
import StoreEngine

/// A lookup of records by ID that checks the permissions of the viewer.
public struct AccessChecker {
    let viewer: Viewer
    let session: any Session

    /// Creates a lookup for `viewer` in `session`.
    public init(viewer: Viewer, in session: any Session) {
        self.viewer = viewer
        self.session = session
    }

    /// Returns the key of a record if the viewer can perform an action on it.
    ///
    /// - Parameters:
    ///   - action: The action to perform.
    ///   - kind: The kind of the record.
    ///   - id: The ID of the record.
    /// - Returns: The key of the record.
    /// - Throws: `not-found`, with the same message, if the record does not exist or the viewer cannot see it;
    ///   otherwise the error of ``HabitModel/Access``.
    @discardableResult
    public func require(_ action: Action, _ kind: AccessObject.Kind, _ id: String) throws -> Int64 {
        guard let (key, object) = try find(kind, id) else { throw Access.notFound(kind, id) }
        try Access.require(action, by: viewer.actor, on: object)
        return key
    }

    /// Returns a record regardless of its visibility, or `nil` if it does not exist.
    public func find(_ kind: AccessObject.Kind, _ id: String) throws -> (key: Int64, object: AccessObject)? {
        var sql = SQL(Self.text(of: kind, session.dialect), ["id": .text(id.composed)])
        if sql.text.contains(":viewer") {
            var key: Int64?
            if case .user(let viewer, _) = viewer { key = viewer }
            sql.bind(["viewer": .integer(key)])
        }
        return try session.first(sql) { row in
            var object = AccessObject(
                kind, id: id.composed, owner: row.text(1) ?? "", grant: row.text(2).flatMap(Share.init(rawValue:)))
            object.isNewest = row.integer(3) != 0
            object.isOtherSide = row.integer(4) != 0
            object.isDeleted = row.integer(5) != 0
            return (row.integer(0), object)
        }
    }

    /// Returns a SELECT of the key, the owner's ID, the share that the owner grants to the viewer, and three flags.
    ///
    /// The flags specify whether an event is the newest of its habit, whether the viewer is the other party, and
    /// whether the record is deleted.
    private static func text(of kind: AccessObject.Kind, _ dialect: any Dialect) -> String {
        switch kind {
        case .user: "SELECT account.id, account.external_id, NULL, 0, 0, 0 FROM account WHERE account.external_id = :id"
        case .habit: owned("habit", "0", "0", "0")
        case .event: owned("event", Visibility.isNewestOfHabit(dialect), "0", "0")
        case .item:
            owned(
                "item", "0",
                """
                EXISTS (
                    SELECT 1 FROM claim
                    WHERE claim.item_id = item.id AND claim.user_id = :viewer AND claim.state IN ('claimed', 'given')
                  )
                """, "0")
        case .post: owned("post", "0", "0", "post.deleted_at IS NOT NULL")
        case .message:
            """
            SELECT message.id, account.external_id, NULL, 0, CASE WHEN message.recipient_id = :viewer THEN 1 ELSE 0 END, 0
            FROM message
            JOIN account ON account.id = message.sender_id
            WHERE message.external_id = :id
            """
        }
    }

    private static func owned(_ table: String, _ isNewest: String, _ isOtherSide: String, _ isDeleted: String) -> String
    {
        """
        SELECT \(table).id, account.external_id, (
            SELECT follow.share
            FROM follow
            WHERE follow.follower_id = :viewer AND follow.followee_id = \(table).user_id AND follow.status = 'accepted'
          ), \(isNewest), \(isOtherSide), \(isDeleted)
        FROM \(table)
        JOIN account ON account.id = \(table).user_id
        WHERE \(table).external_id = :id
        """
    }
}

extension AccessChecker {
    /// Returns the ID of the habit that `name` identifies.
    ///
    /// `name` is an ID or a title that exactly one habit has. The viewer's own habits take precedence over other
    /// habits, so an ID of another user cannot hide the viewer's own habit.
    ///
    /// - Throws: `usage` if several habits have the title; `not-found` if the viewer can see no such habit.
    public func habitID(named name: String) throws -> String {
        for isOwn in viewer == .operator ? [false] : [true, false] {
            if let object = try find(.habit, name)?.object, !isOwn || .user(object.owner) == viewer.actor,
                Access.denial(of: .view, to: viewer.actor, on: object) == nil
            {
                return object.id
            }
            let ids = try habitIDs(titled: name, isOwn: isOwn)
            if ids.count == 1 { return ids[0] }
            guard ids.isEmpty else {
                throw HabitError(
                    .usage,
                    "several habits have the title '\(name)': use one of the ids \(ids.joined(separator: ", "))",
                    field: "habit")
            }
        }
        // The name may be a title.
        var error = Access.notFound(.habit, name)
        error.subject = nil
        throw error
    }

    private func habitIDs(titled title: String, isOwn: Bool) throws -> [String] {
        let visibility = Visibility(viewer: viewer)
        var select = SelectBuilder(columns: ["habit.external_id"], from: "habit", order: ["habit.external_id"])
        select.require("habit.title_folded = :title", ["title": .text(title.folded)])
        select.require(isOwn ? "habit.user_id = :viewer" : visibility.habits, visibility.bindings)
        var ids: [String] = []
        try session.query(select.sql) {
            ids.append($0.text(0) ?? "")
            return true
        }
        return ids
    }
}
