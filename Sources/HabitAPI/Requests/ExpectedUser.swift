import HTTPServing
import HTTPTypes
import HabitStore
import Hummingbird

/// The expected user of a request, from the header `Habitat-User`.
///
/// A page that stays open can send its request with the cookie of another person, who has signed in since then. The
/// header ends such a request before it reads or changes anything.
struct ExpectedUser: Sendable {
    /// The percent-encoded ID of the user; `nil` if the client expects no user.
    private let encodedID: String?

    /// Reads the header of a request.
    init(of request: Request) {
        encodedID = request.headers[.habitatUser]
    }

    /// Checks that the owner of the session or token of the request is the expected user.
    ///
    /// - Parameter viewer: The owner.
    /// - Throws: 412 `other-user`.
    func require(_ viewer: Viewer) throws {
        guard let encodedID else { return }
        guard case .user(_, let id) = viewer, encodedID.percentDecoded() == id else {
            throw Problem.otherUser
        }
    }
}

extension Problem {
    /// The problem of a request whose header `Habitat-User` names another user than its session or token.
    static let otherUser = Problem(
        .preconditionFailed,
        slug: ServerSlug.otherUser,
        detail:
            "the session or token does not belong to the user in the header 'Habitat-User': sign in as this user, or omit the header"
    )
}
