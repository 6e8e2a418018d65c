import Base
import HabitModel
import StoreEngine

/// A shared view in a list, without its secret.
public struct ViewSummary: Sendable, Equatable {
    /// The token of the view.
    public let token: Token.Summary
    /// The records that the view shows.
    public let definition: ViewDefinition

    /// Creates the data of a view.
    public init(token: Token.Summary, definition: ViewDefinition) {
        self.token = token
        self.definition = definition
    }
}

extension TokenActions {
    /// The maximum number of shared views of a user.
    public static let viewLimit = 20

    /// Creates a shared view of a user's records.
    ///
    /// - Parameters:
    ///   - viewer: The user whose records the view shows.
    ///   - definition: The records.
    ///   - label: The label of the view in lists, or `nil`.
    ///   - lifetime: The lifetime in whole seconds, at most ``longest``, or `nil` if the view does not expire.
    /// - Returns: The new token, whose secret is a part of the addresses.
    /// - Throws: `not-signed-in` if the viewer is the operator; `not-found` if the user does not have a habit of the
    ///   definition; `field-invalid` if the user has ``viewLimit`` views; the errors of ``ViewDefinition/checked()``;
    ///   `text-invalid` for the label.
    public func createView(
        for viewer: Viewer,
        _ definition: ViewDefinition,
        label: String?,
        lifetime: Duration? = nil
    ) throws -> Token {
        guard case .user(let key, _) = viewer else {
            throw Access.notSignedIn
        }
        let definition = try definition.checked()
        for habit in definition.habits {
            try requireOwn(habit: habit, of: key)
        }
        guard try tokens(of: viewer, [.view]).count < Self.viewLimit else {
            throw HabitError(
                .fieldInvalid,
                "you have \(Self.viewLimit) shared views: revoke one of them first",
                field: "label")
        }
        var token = NewToken(owner: viewer, kind: .view, label: label, expires: Token.never)
        if let lifetime {
            token.expires = end(after: lifetime)
        }
        token.view = definition
        return try create(token)
    }

    private func requireOwn(habit: String, of user: Int64) throws {
        let sql: SQL = """
            SELECT 1
            FROM habit
            WHERE habit.external_id = \(.text(habit), as: "habit") AND habit.user_id = \(.integer(user), as: "user")
            """
        guard try session.first(sql, { _ in true }) == true else {
            throw HabitError(
                .notFound,
                "you have no habit with the id '\(habit.prefix(64))'",
                field: "habits",
                .list(.habits))
        }
    }

    /// Returns the valid shared views of a user, oldest first.
    ///
    /// - Parameter viewer: The user.
    /// - Returns: The views without their secrets. A view of a later version is omitted.
    /// - Throws: An error of the engine.
    public func views(of viewer: Viewer) throws -> [ViewSummary] {
        var views: [ViewSummary] = []
        let query = ViewQuery(viewer: viewer, clock: clock)
        try session.query(query.selection.sql) { row in
            guard let definition = try? ViewDefinition(stored: row.text(3) ?? "") else { return true }
            let token = Token.Summary(
                id: row.text(0) ?? "",
                kind: .view,
                label: row.text(2),
                created: Instant(microseconds: row.integer(4)),
                expires: row.isNull(5) ? Token.never : Instant(microseconds: row.integer(5)))
            views.append(ViewSummary(token: token, definition: definition))
            return true
        }
        return views
    }

    /// Revokes a shared view.
    ///
    /// - Parameters:
    ///   - id: The ID of the view.
    ///   - viewer: The user, who can revoke only own views, or the operator.
    /// - Throws: `not-found` if the viewer does not have the view.
    public func revokeView(_ id: String, by viewer: Viewer) throws {
        do {
            try revoke(id: id, [.view], by: viewer)
        } catch let error as HabitError where error.code == .notFound {
            throw HabitError(.notFound, "the shared view '\(id)' does not exist", field: "view")
        }
    }
}

/// A query for the valid shared views of a user, or for all valid views if the viewer is the operator.
public struct ViewQuery: Sendable {
    /// The owner of the views, or the operator.
    public var viewer: Viewer
    /// The clock that determines which views have expired.
    public var clock: Clock

    /// Creates a query for the valid views of `viewer`.
    public init(viewer: Viewer, clock: Clock) {
        self.viewer = viewer
        self.clock = clock
    }

    /// The query as SQL with the shape of its rows, oldest view first.
    public var selection: Selection {
        var tokens = TokenQuery(viewer: viewer, clock: clock)
        tokens.kinds = [.view]
        return Selection(tokens.select(["label", "definition"]).sql, shape: Self.shape)
    }

    private static let shape = ResultShape(
        columns: [
            Column("id", .text, at: 0),
            Column("user", .text, at: 1),
            Column("label", .text, at: 2),
            Column("definition", .json, at: 3),
            Column("created_at", .instant(offset: nil), at: 4),
            Column("expires_at", .instant(offset: nil), at: 5),
        ],
        identity: ["id"])
}
