import HabitModel
import StoreEngine

/// The effect of a sign-in on the accounts.
public enum AccountChange: String, Sendable {
    /// The sign-in creates an account.
    case create
    /// The sign-in links the identity with an existing account.
    case link
}

extension SignIn {
    /// Opens the account of an identity, in the same way as ``account(of:timeZone:)``.
    ///
    /// - Parameters:
    ///   - identity: The identity of the person who signs in.
    ///   - timeZone: The time zone of a new account, or `nil` for UTC.
    ///   - session: The session of the sign-in.
    /// - Returns: The user, and the effect on the accounts, or `nil` if the identity has opened the account before.
    /// - Throws: The errors of ``account(of:timeZone:)``.
    public static func open(
        _ identity: VerifiedIdentity, timeZone: TimeZoneRules?, in session: any Session
    ) throws -> (user: Viewer, change: AccountChange?) {
        let newest = try session.first("SELECT max(id) FROM account") { $0.integer(0) } ?? 0
        let isKnown =
            try session.first(
                SQL(
                    "SELECT 1 FROM identity WHERE issuer = :issuer AND subject = :subject",
                    ["issuer": .text(identity.issuer), "subject": .text(identity.subject)])
            ) { _ in true } ?? false
        let user = try SignIn(in: session).account(of: identity, timeZone: timeZone)
        guard !isKnown, case .user(let key, _) = user else { return (user, nil) }
        return (user, key > newest ? .create : .link)
    }
}
