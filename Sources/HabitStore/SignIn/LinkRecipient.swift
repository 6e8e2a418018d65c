import Base
import HabitModel
import StoreEngine

/// An account with the address to which the server mails a one-time link.
public struct LinkRecipient: Sendable, Equatable {
    /// The user.
    public let viewer: Viewer
    /// The address as the account has it.
    public let address: String

    /// A user who has the address, and whether an issuer has verified it for the user.
    private struct Candidate {
        var recipient: LinkRecipient
        var isVerified: Bool
    }

    /// Finds the account with an address.
    ///
    /// A user may enter the address of another person. If an issuer has verified the address for one of several accounts
    /// with it, that account receives the link.
    ///
    /// Addresses are compared as by ``EmailAddress/comparable(_:)``.
    ///
    /// - Parameters:
    ///   - address: The address that a person has entered.
    ///   - session: A session of the store.
    /// - Returns: The account, or `nil` if no account or more than one has the address.
    /// - Throws: An error of the engine.
    public static func find(_ address: String, in session: any Session) throws -> LinkRecipient? {
        let comparable = EmailAddress.comparable(address)
        let email: SQL = "\(.text(comparable), as: "email")"
        let sql: SQL = """
            SELECT
              account.id, account.external_id, account.email,
              (SELECT count(*) FROM identity WHERE identity.user_id = account.id AND identity.email = \(email))
            FROM account
            WHERE \(session.dialect.folded("account.email")) = \(.text(address.folded), as: "folded")
            ORDER BY account.id
            """
        var candidates: [Candidate] = []
        try session.query(sql) { row in
            let known = row.text(2) ?? ""
            guard EmailAddress.comparable(known) == comparable else { return true }
            let viewer = Viewer.user(key: row.integer(0), id: row.text(1) ?? "")
            candidates.append(
                Candidate(
                    recipient: LinkRecipient(viewer: viewer, address: known),
                    isVerified: row.integer(3) > 0))
            return true
        }
        if candidates.count > 1 {
            candidates.removeAll { candidate in !candidate.isVerified }
        }
        return candidates.count == 1 ? candidates.first?.recipient : nil
    }
}
