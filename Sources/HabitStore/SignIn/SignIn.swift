import Base
import HabitModel
import StoreEngine

/// An identity that an issuer has verified.
///
/// The signature, the audience and the validity period of its token have been checked.
public struct VerifiedIdentity: Sendable {
    /// The issuer of the ID token.
    public var issuer: String
    /// The identifier of the person.
    ///
    /// The issuer never assigns it to another person.
    public var subject: String
    /// The email address, or `nil` if the issuer has not verified it.
    public var email: String?
    /// The name of the person, or `nil` if the token does not contain it.
    public var name: String?

    /// Creates an identity from the verified claims of a token.
    public init(issuer: String, subject: String, email: String?, name: String?) {
        self.issuer = issuer
        self.subject = subject
        self.email = email
        self.name = name
    }
}

/// A use of an ID token.
///
/// One token opens one session.
public struct IDTokenUse: Sendable {
    let digest: [UInt8]
    let expires: Instant

    /// Creates a use of an ID token.
    ///
    /// - Parameters:
    ///   - signed: The signed part of the token, which no other valid token has.
    ///   - expires: The instant from which the token is refused as expired.
    public init(of signed: some StringProtocol, until expires: Instant) {
        digest = Token.digest(of: String(signed))
        self.expires = expires
    }
}

/// A lookup of the account that an identity opens.
public struct SignIn {
    private let session: any Session

    /// Creates a lookup in `session`.
    public init(in session: any Session) { self.session = session }

    /// Records the use of an ID token, and deletes the records of expired tokens.
    ///
    /// - Parameters:
    ///   - use: The use to record.
    ///   - now: The current instant.
    /// - Returns: `false` if the token has been used before, on this server or on another server of the store.
    /// - Throws: An error of the engine.
    public func record(_ use: IDTokenUse, at now: Instant) throws -> Bool {
        let expired: SQL = "expires_at <= \(.integer(now.microseconds), as: "now")"
        try session.run("DELETE FROM used_id_token WHERE \(expired)")
        let sql: SQL = """
            INSERT INTO used_id_token (sha256, expires_at)
            VALUES (\(.blob(use.digest), as: "digest"), \(.integer(use.expires.microseconds), as: "expires"))
            ON CONFLICT DO NOTHING
            """
        return try session.run(sql) == 1
    }

    /// Returns the account of an identity, and creates it if it does not exist.
    ///
    /// If the identity is new, it opens an account from a load that has its verified address, if no user has signed in
    /// to that account. A user who has signed in may have entered the address of another person. An address is verified
    /// for only one account.
    ///
    /// - Parameters:
    ///   - identity: The identity of the person who signs in.
    ///   - timeZone: The time zone of a new account, or `nil` for UTC.
    ///   - signUp: The persons who get a new account.
    /// - Returns: The user who owns the account, and the effect on the accounts, or `nil` if the identity has opened
    ///   the account before.
    /// - Throws: `user-exists` if the address is verified for another account, or if several accounts from loads have
    ///   it. ``NotInvited`` if the identity has no account and does not get one. `field-invalid` if the address of
    ///   a new identity is not one email address.
    public func account(
        of identity: VerifiedIdentity,
        timeZone: TimeZoneRules? = nil,
        signUp: SignUp
    ) throws -> (user: Viewer, change: AccountChange?) {
        let isFree = try isFree(identity)
        if let known = try known(identity) {
            let isValid = identity.email.map(EmailAddress.isValid) ?? true
            if isFree, isValid {
                try update(identity)
            }
            return (known, nil)
        }
        if let email = identity.email, !email.isEmpty {
            _ = try EmailAddress.check(email, field: "email")
        }
        guard isFree else {
            throw HabitError(
                .userExists,
                "another account has this verified address: sign in with the identity of that account",
                field: "id_token")
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
        return (user, unclaimed == nil ? .create : .link)
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
        "\(.text(identity.email?.folded), as: "email")"
    }

    /// Returns the condition that a row of `identity` has the issuer and the subject of an identity.
    private static func matches(_ identity: VerifiedIdentity) -> SQL {
        "identity.issuer = \(issuer(identity)) AND identity.subject = \(subject(identity))"
    }

    /// Whether the address of an identity is not verified for another identity.
    private func isFree(_ identity: VerifiedIdentity) throws -> Bool {
        // An earlier version has stored the address in lower case, which differs from the folded form for some letters.
        let lower: SQL = "\(.text(identity.email?.composed.lowercased()), as: "lower")"
        let sql: SQL = """
            SELECT 1
            FROM identity
            WHERE email IN (\(Self.email(identity)), \(lower)) AND NOT (\(Self.matches(identity)))
            """
        return try session.first(sql) { _ in true } == nil
    }

    /// Stores the current address of the identity.
    private func update(_ identity: VerifiedIdentity) throws {
        let email = Self.email(identity)
        try session.run(
            """
            UPDATE identity SET email = \(email)
            WHERE \(Self.matches(identity)) AND email IS DISTINCT FROM \(email)
            """)
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

    private func unclaimed(_ identity: VerifiedIdentity) throws -> Viewer? {
        guard let email = identity.email, !email.isEmpty else { return nil }
        var found: [Viewer] = []
        let sql: SQL = """
            SELECT account.id, account.external_id
            FROM account
            WHERE \(session.dialect.folded("account.email")) = \(.text(email.folded), as: "email")
              AND NOT EXISTS (SELECT 1 FROM identity WHERE identity.user_id = account.id)
              AND NOT EXISTS (SELECT 1 FROM token WHERE token.user_id = account.id)
            ORDER BY account.id
            """
        try session.query(sql) { row in
            found.append(Self.viewer(row))
            return true
        }
        guard found.count <= 1 else {
            throw HabitError(
                .userExists,
                "several accounts have this address: ask the operator to keep it in only one account",
                field: "id_token")
        }
        return found.first
    }

    private static func viewer(_ row: any Row) -> Viewer {
        .user(key: row.integer(0), id: row.text(1) ?? "")
    }

    private func create(for identity: VerifiedIdentity, in timeZone: TimeZoneRules?) throws -> Viewer {
        var draft = UserDraft()
        let name = identity.name?.prefix(TextRule.userName.limit)
        if let name, !name.allSatisfy(\.isWhitespace) {
            draft.name = .value(String(name))
        }
        if let email = identity.email {
            draft.email = .value(email)
        }
        if let timeZone {
            draft.timeZone = .value(timeZone.id)
        }
        let id = try freeID(like: identity)
        try AccountActions(.operator, in: session).add(id, draft)
        return try .user(named: id, in: session)
    }

    /// Returns an unused user ID, derived from the name and not from the address, because all users can see it.
    private func freeID(like identity: VerifiedIdentity) throws -> String {
        let base = Self.readableID(identity.name ?? "")
        let access = AccessChecker(viewer: .operator, in: session)
        if try access.find(.user, base) == nil {
            return base
        }
        var attempt = 0
        while true {
            let hash = DerivedID.short([identity.issuer, identity.subject, String(attempt)])
            let id = "\(base)-\(hash.prefix(6))"
            if try access.find(.user, id) == nil {
                return id
            }
            attempt += 1
        }
    }

    /// Returns the letters and digits of a name with hyphens between the words, at most 40 characters.
    private static func readableID(_ name: String) -> String {
        let characters = name.folded.unicodeScalars.map { scalar -> Character in
            let properties = scalar.properties
            let isKept = properties.isAlphabetic || properties.numericType != nil
            return isKept ? Character(scalar) : "-"
        }
        let words = String(characters).split(separator: "-")
        let id = words.joined(separator: "-")
        return id.isEmpty ? "user" : String(id.prefix(40))
    }
}
