import Base
import HabitModel
import StoreEngine

/// A lookup of the account that an identity opens.
public struct SignIn {
    private let session: any Session

    /// Creates a lookup in `session`.
    public init(in session: any Session) { self.session = session }

    /// Returns the account of an identity, and creates it if it does not exist.
    ///
    /// If the identity is new, it opens the account that the operator has given its verified and trusted address, if
    /// nothing else opens that account: no identity, session, token or passkey. Open one-time links, which another
    /// person may have, are deleted then. A trusted address belongs to only one account.
    ///
    /// If a trusted issuer reports another address of a known identity, the account gets the new address in place of
    /// the old one of the identity.
    ///
    /// - Parameters:
    ///   - identity: The identity of the person who signs in.
    ///   - timeZone: The time zone of a new account, or `nil` for the time zone of the identity, otherwise UTC.
    ///   - signUp: The persons who get a new account.
    /// - Returns: The user who owns the account, and the effect on the accounts, or `nil` if the identity has opened
    ///   the account before.
    /// - Throws: `user-exists` if the address is verified for another account, or if another account or several accounts
    ///   that nothing opens have it. ``NotInvited`` if the identity has no account and does not get one.
    public func account(
        of identity: VerifiedIdentity,
        timeZone: TimeZoneRules? = nil,
        signUp: SignUp
    ) throws -> (user: Viewer, change: AccountChange?) {
        let isFree = try isFree(identity)
        if let known = try known(identity) {
            if isFree {
                try update(identity, of: known)
            }
            return (known, nil)
        }
        guard isFree else {
            throw HabitError(
                .userExists,
                "another account has this verified address: sign in with the identity of that account")
        }
        let unclaimed = try unclaimed(identity)
        guard unclaimed != nil || signUp.permits(identity) else {
            throw NotInvited()
        }
        let user = try unclaimed ?? create(for: identity, in: timeZone)
        guard case .user(let key, _) = user else {
            throw HabitError(.internal, "the new account was not found")
        }
        try insert(identity, user: key)
        try session.run("DELETE FROM token WHERE user_id = \(.integer(key), as: "user") AND kind = 'link'")
        return (user, unclaimed == nil ? .create : .link)
    }

    /// Adds an identity to the account of a user, who can then sign in with it.
    ///
    /// - Parameters:
    ///   - identity: The identity.
    ///   - user: The user who is signed in.
    /// - Returns: `false` if the identity already belongs to the account.
    /// - Throws: `not-signed-in` for the operator, who has no account, and `user-exists` if the identity belongs to
    ///   another account.
    public func add(_ identity: VerifiedIdentity, to user: Viewer) throws -> Bool {
        guard case .user(let key, _) = user else {
            throw Access.notSignedIn
        }
        if let owner = try known(identity) {
            guard owner == user else {
                throw HabitError(
                    .userExists,
                    "this identity belongs to another account: use another identity, or sign in with this one")
            }
            return false
        }
        var added = identity
        if try !isFree(identity) {
            added.email = nil
        }
        try insert(added, user: key)
        return true
    }

    private func insert(_ identity: VerifiedIdentity, user: Int64) throws {
        let values: [SQL] = [
            Self.issuer(identity),
            Self.subject(identity),
            "\(.integer(user), as: "user")",
            Self.email(identity),
        ]
        try session.run(
            """
            INSERT INTO identity (issuer, subject, user_id, email)
            VALUES (\(values.joined(separator: ", ")))
            """)
    }

    private static func issuer(_ identity: VerifiedIdentity) -> SQL {
        "\(.text(identity.issuer), as: "issuer")"
    }

    private static func subject(_ identity: VerifiedIdentity) -> SQL {
        "\(.text(identity.subject), as: "subject")"
    }

    private static func email(_ identity: VerifiedIdentity) -> SQL {
        "\(.text(identity.ownEmail.map(EmailAddress.comparable)), as: "email")"
    }

    /// Returns the condition that a row of `identity` has the issuer and the subject of an identity.
    private static func matches(_ identity: VerifiedIdentity) -> SQL {
        "identity.issuer = \(issuer(identity)) AND identity.subject = \(subject(identity))"
    }

    /// Whether the address of an identity is not verified for another identity.
    private func isFree(_ identity: VerifiedIdentity) throws -> Bool {
        let sql: SQL = """
            SELECT 1
            FROM identity
            WHERE email = \(Self.email(identity)) AND NOT (\(Self.matches(identity)))
            """
        return try session.first(sql) { _ in true } == nil
    }

    /// Stores the current address of an identity.
    ///
    /// The account of the identity follows it, so that links are not mailed to an address that the person no longer has.
    private func update(_ identity: VerifiedIdentity, of user: Viewer) throws {
        try updateAccount(of: identity, user)
        let email = Self.email(identity)
        try session.run(
            """
            UPDATE identity SET email = \(email)
            WHERE \(Self.matches(identity)) AND email IS DISTINCT FROM \(email)
            """)
    }

    private func updateAccount(of identity: VerifiedIdentity, _ user: Viewer) throws {
        guard case .user(_, let id) = user, let new = identity.ownEmail else { return }
        let sql: SQL = "SELECT email FROM identity WHERE \(Self.matches(identity))"
        guard let old = try session.first(sql, { row in row.text(0) }) ?? nil,
            old != EmailAddress.comparable(new),
            try accounts(with: old).contains(where: { account in account.user == user }),
            try accounts(with: new).isEmpty
        else { return }
        var draft = UserDraft()
        draft.email = .value(new)
        try AccountActions(.operator, in: session).edit(id, draft)
    }

    private func known(_ identity: VerifiedIdentity) throws -> Viewer? {
        let sql: SQL = """
            SELECT account.id, account.external_id
            FROM identity
            JOIN account ON account.id = identity.user_id
            WHERE \(Self.matches(identity))
            """
        return try session.first(sql, Self.viewer)
    }

    /// An account with an address.
    private struct AccountMatch {
        var user: Viewer
        /// Whether an identity, a session, a token or a passkey opens the account.
        var isClaimed: Bool
    }

    /// Returns the accounts with an address.
    private func accounts(with address: String) throws -> [AccountMatch] {
        let comparable = EmailAddress.comparable(address)
        var found: [AccountMatch] = []
        let sql: SQL = """
            SELECT
              account.id, account.external_id, account.email,
              (SELECT count(*) FROM identity WHERE identity.user_id = account.id),
              (SELECT count(*) FROM token WHERE token.user_id = account.id AND token.kind <> 'link'),
              (SELECT count(*) FROM passkey WHERE passkey.user_id = account.id)
            FROM account
            WHERE \(session.dialect.folded("account.email")) = \(.text(address.folded), as: "email")
            ORDER BY account.id
            """
        try session.query(sql) { row in
            guard EmailAddress.comparable(row.text(2) ?? "") == comparable else { return true }
            let isClaimed = row.integer(3) + row.integer(4) + row.integer(5) > 0
            found.append(AccountMatch(user: Self.viewer(row), isClaimed: isClaimed))
            return true
        }
        return found
    }

    /// Returns the account that the address of a new identity opens, or `nil` if no account has the address.
    private func unclaimed(_ identity: VerifiedIdentity) throws -> Viewer? {
        guard let email = identity.ownEmail else { return nil }
        let accounts = try accounts(with: email)
        let unclaimed = accounts.filter { account in !account.isClaimed }
        guard unclaimed.count <= 1 else {
            throw HabitError(
                .userExists,
                "several accounts have this address: ask the operator to keep it in only one account")
        }
        guard !unclaimed.isEmpty || accounts.isEmpty else {
            throw HabitError(
                .userExists,
                "an account has this address already: sign in to it another way and add this service on the page /account"
            )
        }
        return unclaimed.first?.user
    }

    private static func viewer(_ row: any Row) -> Viewer {
        .user(key: row.integer(0), id: row.text(1) ?? "")
    }

    private func create(for identity: VerifiedIdentity, in timeZone: TimeZoneRules?) throws -> Viewer {
        var draft = UserDraft()
        if let name = identity.name {
            draft.name = .value(name)
        }
        // An address of another issuer may be the address of another person.
        if let email = identity.ownEmail {
            draft.email = .value(email)
        }
        if let zone = timeZone ?? identity.timeZone {
            draft.timeZone = .value(zone.id)
        }
        let id = try UserIDs.free(
            like: identity.name ?? "",
            seed: [identity.issuer, identity.subject],
            in: session)
        try AccountActions(.operator, in: session).add(id, draft)
        return try .user(named: id, in: session)
    }
}
