import HabitModel
import StoreEngine

/// The user on whose behalf a query runs, or the operator.
///
/// The viewer determines which rows a query can find.
public enum Viewer: Sendable, Equatable {
    /// The operator of the store, who can see all rows.
    case `operator`
    /// A user, identified by the key of the account in the store and by the ID of the user in the source data.
    case user(key: Int64, id: String)

    /// The viewer as an actor of ``HabitModel/Access``.
    public var actor: Actor {
        switch self {
        case .operator: .operator
        case .user(_, let id): .user(id)
        }
    }

    /// Returns the viewer for the user with the ID `id`.
    ///
    /// - Throws: `not-signed-in` if `id` is empty or no user has this ID.
    public static func user(named id: String, in session: any Session) throws -> Viewer {
        let sql = SQL("SELECT id FROM account WHERE external_id = :id", ["id": .text(id.composed)])
        guard !id.isEmpty, let key = try session.first(sql, { $0.integer(0) }) else {
            throw HabitError(
                .notSignedIn, "the user '\(id)' does not exist", .signIn, .list(.users))
        }
        return .user(key: key, id: id.composed)
    }
}
