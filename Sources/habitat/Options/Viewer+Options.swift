import Base
import HabitModel
import HabitStore
import StoreEngine

extension Viewer {
    /// Returns the ID of the user that a person names, or the viewer's ID if `name` is `nil`.
    ///
    /// - Throws: `not-signed-in` if the operator names no user; `usage` if several users have the name.
    func userID(or name: String?, in session: any Session) throws -> String {
        if let name { return try NameLookup(viewer: self, rule: .beginning, in: session).userID(name) }
        guard case .user(_, let id) = self else {
            throw HabitError(.notSignedIn, "the command requires a user: pass a user ID, --as USER or HABITAT_USER")
        }
        return id
    }
}
