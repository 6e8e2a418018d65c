import Base
import HabitModel
import HabitStore

extension Viewer {
    /// Returns `name` if it is not `nil`, otherwise the viewer's ID.
    ///
    /// - Throws: `not-signed-in` if the operator names no user.
    func userID(or name: String?) throws -> String {
        if let name { return name }
        guard case .user(_, let id) = self else {
            throw HabitError(.notSignedIn, "the command requires a user: pass a user ID, --as USER or HABITAT_USER")
        }
        return id
    }
}
