import HabitModel
import StoreEngine

/// What a sign-in changes about the accounts.
public enum AccountChange: String, Sendable {
    /// A new account.
    case create
    /// An account that existed is opened by this identity from now on.
    case link
}

extension SignIn {
    /// Opens the account of an identity, as ``account(of:timeZone:)``.
    ///
    /// - Returns: The user, and what has changed about the account; `nil` if the identity has opened it before.
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
