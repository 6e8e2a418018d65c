import Base
import HabitModel
import StoreEngine

/// The user on whose behalf a query runs, or the operator.
///
/// The viewer determines which rows a query can find.
public enum Viewer: Sendable, Hashable {
    /// The operator of the store, who can see all rows.
    case `operator`
    /// A user, identified by the key of the account in the store and by the ID of the user in the source data.
    case user(key: Int64, id: String)

    /// The key of the user's account, or `nil` for the operator.
    var key: Int64? {
        if case .user(let key, id: _) = self {
            key
        } else {
            nil
        }
    }

    /// The viewer as a principal of ``HabitModel/Access``.
    public var principal: Principal {
        switch self {
        case .operator: .operator
        case .user(_, let id): .user(id)
        }
    }

    /// Returns the viewer for the user with the ID `id`.
    ///
    /// - Throws: `not-signed-in` if `id` is empty or no user has this ID.
    public static func user(named id: String, in session: any Session) throws -> Viewer {
        let sql: SQL = "SELECT id FROM account WHERE external_id = \(.text(id.composed), as: "id")"
        guard !id.isEmpty,
            let key = try session.first(sql, { $0.integer(0) })
        else {
            throw HabitError(
                .notSignedIn,
                "the user '\(id)' does not exist",
                .signIn,
                .list(.users))
        }
        return .user(key: key, id: id.composed)
    }

    /// Returns the viewers for the users with these IDs, in one query.
    ///
    /// - Parameters:
    ///   - ids: The IDs of the users.
    ///   - session: The session that looks them up.
    /// - Returns: The viewers by their IDs in composed form. The result omits users that do not exist.
    /// - Throws: An error of the engine.
    public static func users(named ids: [String], in session: any Session) throws -> [String: Viewer] {
        guard !ids.isEmpty else { return [:] }
        let listed = ids.map { id -> SQL in
            "\(.text(id.composed), as: "id")"
        }
        let list = listed.joined(separator: ", ")
        let sql: SQL = "SELECT id, external_id FROM account WHERE external_id IN (\(list))"
        var viewers: [String: Viewer] = [:]
        try session.query(sql) { row in
            guard let id = row.text(1), !id.isEmpty else {
                return true
            }
            viewers[id] = .user(key: row.integer(0), id: id)
            return true
        }
        return viewers
    }
}
