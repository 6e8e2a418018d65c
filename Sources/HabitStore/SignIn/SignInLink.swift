import Base
import HabitModel
import StoreEngine

/// The reason for which a one-time link is made.
///
/// The raw value is the label of the link in lists.
public enum LinkPurpose: String, Sendable, CaseIterable {
    /// The operator invites a person.
    case invitation
    /// A signed-in person signs in on another device.
    case device
    /// A person requests a link by mail.
    case mail

    /// The time for which the link is valid.
    public var lifetime: Duration {
        switch self {
        case .invitation: .seconds(7 * 86_400)
        case .device: .seconds(10 * 60)
        case .mail: .seconds(15 * 60)
        }
    }

    /// The maximum number of valid links of a user, or `nil` if their number has no limit.
    ///
    /// A new link revokes the oldest links of the same purpose in excess of it.
    var limit: Int? {
        switch self {
        case .invitation: nil
        case .device, .mail: 3
        }
    }
}

/// The user whose session a one-time link opens.
public struct LinkOwner: Sendable, Equatable {
    /// The user.
    public let viewer: Viewer
    /// The display name, otherwise the ID.
    public let name: String
}

extension TokenActions {
    /// Creates a one-time link that opens a session of a user.
    ///
    /// - Parameters:
    ///   - viewer: The user.
    ///   - purpose: The reason, which determines the lifetime.
    /// - Returns: The new token, whose secret is the fragment of the link, and the IDs of the revoked links.
    /// - Throws: `not-signed-in` if the viewer is the operator, or an error of the engine.
    public func createLink(for viewer: Viewer, _ purpose: LinkPurpose) throws -> Replacement {
        guard case .user = viewer else {
            throw Access.notSignedIn
        }
        let label = purpose.rawValue
        let expires = end(after: purpose.lifetime)
        let token = try create(NewToken(owner: viewer, kind: .link, label: label, expires: expires))
        guard let limit = purpose.limit else {
            return Replacement(token: token, revoked: [])
        }
        return try replacingOldest(of: viewer, .link, labeled: label, with: token, limit: limit)
    }

    /// Returns the user of a link, which stays valid.
    ///
    /// - Parameter secret: The secret of the link.
    /// - Returns: The user, or `nil` if the link is unknown, expired, used or revoked.
    /// - Throws: An error of the engine.
    public func linkOwner(_ secret: String) throws -> LinkOwner? {
        let sql: SQL = """
            SELECT account.id, account.external_id, account.name
            FROM token
            JOIN account ON account.id = token.user_id
            WHERE \(validLink(secret))
            """
        return try session.first(sql) { row in
            let id = row.text(1) ?? ""
            return LinkOwner(
                viewer: .user(key: row.integer(0), id: id),
                name: row.text(2) ?? id)
        }
    }

    /// Uses a link: deletes it.
    ///
    /// If several servers redeem a link at the same time, only one of them deletes it.
    ///
    /// - Parameter secret: The secret of the link.
    /// - Returns: The user of the link, or `nil` if the link is unknown, expired, used or revoked.
    /// - Throws: An error of the engine.
    public func redeemLink(_ secret: String) throws -> Viewer? {
        guard let viewer = try linkOwner(secret)?.viewer else { return nil }
        let deleted = try session.run("DELETE FROM token WHERE \(validLink(secret))")
        return deleted == 1 ? viewer : nil
    }

    /// Returns the condition that a token is the valid link with a secret.
    private func validLink(_ secret: String) -> SQL {
        """
        token.sha256 = \(.blob(Token.digest(of: secret)), as: "digest")
          AND token.kind = 'link'
          AND token.expires_at > \(.integer(clock.now.microseconds), as: "now")
        """
    }
}
