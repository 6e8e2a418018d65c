import HabitModel
import HabitStore

extension Viewer {
    /// The user who is named, else the viewer.
    func userID(or name: String?) throws -> String {
        if let name { return name }
        guard case .user(_, let id) = self else {
            throw HabitError(.notSignedIn, "name a user, or say who you are with --as USER or HABITAT_USER")
        }
        return id
    }
}
