import HabitModel

/// Who somebody is, as an issuer has vouched for it: the signature, the audience and the time have been checked.
public struct VerifiedIdentity: Sendable {
    public var issuer: String
    /// What the issuer never gives to anybody else.
    public var subject: String
    /// Only where the issuer says that it is theirs.
    public var email: String?
    public var name: String?

    public init(issuer: String, subject: String, email: String?, name: String?) {
        self.issuer = issuer
        self.subject = subject
        self.email = email
        self.name = name
    }
}

/// From an identity to the account that it opens.
public struct SignIn {
    private let session: any Session

    public init(in session: any Session) { self.session = session }

    /// The account of an identity, made where there is none.
    ///
    /// An account that came from elsewhere is taken over by whoever proves to own its address, once: not where anybody has
    /// signed in to it before, since then somebody else may have written the address there.
    public func account(of identity: VerifiedIdentity) throws -> Viewer {
        if let known = try known(identity) { return known }
        let viewer = try unclaimed(identity) ?? create(for: identity)
        guard case .user(let key, _) = viewer else { throw HabitError(.internal, "the account is not there") }
        try session.run(
            SQL(
                "INSERT INTO identity (issuer, subject, user_id) VALUES (:issuer, :subject, :user)",
                ["issuer": .text(identity.issuer), "subject": .text(identity.subject), "user": .integer(key)]))
        return viewer
    }

    private func known(_ identity: VerifiedIdentity) throws -> Viewer? {
        try session.first(
            SQL(
                """
                SELECT account.id, account.external_id
                FROM identity
                JOIN account ON account.id = identity.user_id
                WHERE identity.issuer = :issuer AND identity.subject = :subject
                """, ["issuer": .text(identity.issuer), "subject": .text(identity.subject)]),
            Self.viewer)
    }

    private func unclaimed(_ identity: VerifiedIdentity) throws -> Viewer? {
        guard let email = identity.email, !email.isEmpty else { return nil }
        var found: [Viewer] = []
        let sql = SQL(
            """
            SELECT account.id, account.external_id
            FROM account
            WHERE lower(account.email) = lower(:email)
              AND NOT EXISTS (SELECT 1 FROM identity WHERE identity.user_id = account.id)
              AND NOT EXISTS (SELECT 1 FROM token WHERE token.user_id = account.id)
            ORDER BY account.id
            """, ["email": .text(email)])
        try session.query(sql) {
            found.append(Self.viewer($0))
            return true
        }
        return found.count == 1 ? found[0] : nil
    }

    private static func viewer(_ row: any Row) -> Viewer { .user(key: row.integer(0), id: row.text(1) ?? "") }

    private func create(for identity: VerifiedIdentity) throws -> Viewer {
        var draft = UserDraft()
        draft.name = identity.name.map { .value($0) } ?? .absent
        draft.email = identity.email.map { .value($0) } ?? .absent
        let id = try freeID(like: identity)
        try AccountActions(.operator, in: session).add(id, draft)
        return try .user(named: id, in: session)
    }

    /// From the name and not from the address, since everybody sees it.
    private func freeID(like identity: VerifiedIdentity) throws -> String {
        let letters = (identity.name ?? "").folded.unicodeScalars.map { scalar in
            scalar.properties.isAlphabetic || scalar.properties.numericType != nil ? Character(scalar) : "-"
        }
        let words = String(letters).split(separator: "-").joined(separator: "-")
        let base = words.isEmpty ? "user" : String(words.prefix(40))
        let things = Things(viewer: .operator, in: session)
        if try things.find(.user, base) == nil { return base }
        var attempt = 0
        while true {
            let id = base + "-" + DerivedID.short([identity.issuer, identity.subject, String(attempt)]).prefix(6)
            if try things.find(.user, id) == nil { return id }
            attempt += 1
        }
    }
}
