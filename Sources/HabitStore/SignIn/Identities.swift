import Base
import HabitModel
import StoreEngine

/// An identity with which a user can sign in.
public struct LinkedIdentity: Sendable, Equatable {
    /// The name of the identity in lists and for its removal.
    public let id: String
    /// The issuer of the identity.
    public let issuer: String
    /// The identifier of the person at the issuer.
    public let subject: String
    /// The address that the issuer has verified and that belongs only to this account, or `nil`.
    public let email: String?

    init(issuer: String, subject: String, email: String?) {
        id = DerivedID.short([issuer, subject])
        self.issuer = issuer
        self.subject = subject
        self.email = email
    }
}

/// Lists and removes the identities of users.
///
/// ``SignIn/add(_:to:)`` adds them.
public struct Identities {
    private let session: any Session

    /// Creates the actions in `session`.
    public init(in session: any Session) { self.session = session }

    /// Returns the identities of a user, in the order in which they were added.
    ///
    /// - Parameter viewer: The user. The operator has no identities.
    /// - Returns: The identities.
    /// - Throws: An error of the engine.
    public func identities(of viewer: Viewer) throws -> [LinkedIdentity] {
        guard let key = viewer.key else { return [] }
        let sql: SQL = """
            SELECT issuer, subject, email
            FROM identity
            WHERE user_id = \(.integer(key), as: "user")
            ORDER BY id
            """
        var found: [LinkedIdentity] = []
        try session.query(sql) { row in
            found.append(
                LinkedIdentity(
                    issuer: row.text(0) ?? "",
                    subject: row.text(1) ?? "",
                    email: row.text(2)))
            return true
        }
        return found
    }

    /// Removes an identity of a user, who can no longer sign in with it.
    ///
    /// The sessions that the identity has opened stay valid. The method does not check whether the user has another way to
    /// sign in.
    ///
    /// - Parameters:
    ///   - id: The name of the identity.
    ///   - viewer: The user.
    /// - Returns: The removed identity.
    /// - Throws: `not-found` if the user does not have such an identity, and the errors of the engine.
    @discardableResult public func remove(_ id: String, of viewer: Viewer) throws -> LinkedIdentity {
        let identity = try identities(of: viewer).first { identity in identity.id == id }
        guard let identity, let key = viewer.key else {
            throw HabitError(.notFound, "the identity '\(id)' does not exist", field: "identity")
        }
        try session.run(
            """
            DELETE FROM identity
            WHERE issuer = \(.text(identity.issuer), as: "issuer")
              AND subject = \(.text(identity.subject), as: "subject")
              AND user_id = \(.integer(key), as: "user")
            """)
        return identity
    }
}
