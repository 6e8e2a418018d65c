import Base
import Foundation
import HabitModel
import StoreEngine

/// A secret for HTTP: a bearer token or a session of a user or of the operator, the address of a user's calendar, a link
/// that opens a session of a user, or the address of a shared view.
///
/// The secret contains 256 random bits. The store contains only its SHA-256 digest.
public struct Token: Sendable {
    /// The purpose of a token, for which alone its secret is valid.
    public enum Kind: String, Sendable, CaseIterable {
        /// A token that a client sends to act as the token's owner.
        case bearer
        /// A bearer token that a sign-in of an earlier version has created.
        case signIn = "sign-in"
        /// The secret that a browser sends as a cookie to act as the session's owner.
        case session
        /// The secret part of the address of a user's calendar.
        case calendar
        /// The secret part of a link that opens one session of its user.
        case link
        /// The secret part of the addresses of a shared view.
        case view

        /// The kinds of the tokens that a client sends in the header `Authorization`.
        public static let bearers: Set<Kind> = [.bearer, .signIn]
        /// The kinds in the list of a user's sessions: the secrets with which a client acts as their owner, or opens a
        /// session of the owner.
        public static let ofSessions: Set<Kind> = [.bearer, .signIn, .session, .link]

        /// The text with which the secrets of the kind begin.
        fileprivate var prefix: String {
            switch self {
            case .bearer, .signIn: "hbt_"
            case .session: "hbs_"
            case .calendar: "hbc_"
            case .link: "hbl_"
            case .view: "hbv_"
            }
        }
    }

    /// The secret that the client sends.
    ///
    /// It is shown only once.
    public let secret: String
    /// The name of the token in lists and for its revocation.
    public let id: String
    /// The instant at which the token expires.
    ///
    /// It is ``never`` if the token does not expire.
    public let expires: Instant

    /// The expiry of a token that is valid until it is revoked: the last second of the year 9999.
    public static let never = Instant(microseconds: 253_402_300_799_000_000)

    /// The owner, the kind and the expiry of a token.
    public struct Owner: Sendable, Equatable {
        /// The owner of the token.
        public let viewer: Viewer
        /// The purpose of the token.
        public let kind: Kind
        /// The instant at which the token expires.
        public let expires: Instant
        /// The latest instant to which the expiry of a session moves; equal to ``expires`` for other tokens.
        public var lastExpiry: Instant
        /// The digest of the token of the operator token file that has opened the session, or `nil`.
        ///
        /// Only a server with this token accepts the session.
        public var operatorDigest: [UInt8]?
        /// Whether a token in the store has opened the session, which ends with the token.
        public var hasSource = false
        /// The records that a shared view shows, or `nil` for other tokens.
        public var view: ViewDefinition?

        /// Creates an owner with the kind and the expiry of the token.
        public init(viewer: Viewer, kind: Kind = .bearer, expires: Instant) {
            self.viewer = viewer
            self.kind = kind
            self.expires = expires
            lastExpiry = expires
        }

        /// Returns the new expiry of a session that a request uses, or `nil` if the expiry stays.
        ///
        /// The expiry moves at most once a day, so that few requests write to the store.
        public func renewedExpiry(at now: Instant) -> Instant? {
            let next = min(now.adding(TokenActions.sessionLifetime), lastExpiry)
            let isLaterByOneDay = next >= expires.adding(.seconds(86_400))
            return isLaterByOneDay ? next : nil
        }
    }

    /// The data of a token in a list, without its secret.
    public struct Summary: Sendable, Equatable {
        /// The name of the token.
        public let id: String
        /// The purpose of the token.
        public let kind: Kind
        /// The label of the token, or `nil` if it does not have one.
        public let label: String?
        /// The instant at which the token was created.
        public let created: Instant
        /// The instant at which the token expires, or ``Token/never``.
        public let expires: Instant

        /// Creates the data of a token.
        public init(id: String, kind: Kind, label: String?, created: Instant, expires: Instant) {
            self.id = id
            self.kind = kind
            self.label = label
            self.created = created
            self.expires = expires
        }
    }

    /// Returns the digest of a secret, by which the store finds the token.
    public static func digest(of secret: String) -> [UInt8] {
        secret.utf8.sha256
    }

    /// Returns the name of the token with this digest.
    static func id(of digest: [UInt8]) -> String {
        digest.prefix(6).hexadecimal
    }

    /// Returns the name of the token with this secret.
    public static func id(of secret: String) -> String {
        id(of: digest(of: secret))
    }

    static func newSecret(_ kind: Kind) -> String {
        kind.prefix + Data([UInt8].random(count: 32)).base64URLEncoded
    }
}

/// Creates, finds and revokes tokens.
public struct TokenActions {
    let session: any Session
    let clock: Clock

    /// Creates the actions at the time of `clock`, in `session`.
    public init(clock: Clock, in session: any Session) {
        self.clock = clock
        self.session = session
    }

    /// The lifetimes that a client can request for a token or a view, in days.
    public static let lifetimeDays = 1...366

    /// The maximum lifetime of a token: the longest of ``lifetimeDays``.
    public static let longest = Duration.seconds(lifetimeDays.upperBound * 86_400)

    /// The lifetime of a session of a user after its last use: 30 days.
    public static let sessionLifetime = Duration.seconds(30 * 86_400)

    /// The lifetime of a session of the operator: 8 hours.
    public static let operatorSessionLifetime = Duration.seconds(8 * 3600)

    /// The maximum number of sessions of a user.
    ///
    /// A sign-in ends the oldest ones in excess of it.
    public static let sessionLimit = 20

    /// The maximum number of calendar addresses of a user.
    ///
    /// A new address revokes the oldest addresses in excess of it.
    public static let calendarLimit = 20

    /// A new token, and the oldest tokens that it has replaced.
    public struct Replacement: Sendable {
        /// The new token, with its secret.
        public let token: Token
        /// The IDs of the revoked tokens, newest first.
        public let revoked: [String]
    }

    /// A credential that opens a session.
    public enum SessionSource: Sendable {
        /// A bearer token in the store, with which the session ends.
        case token(secret: String)
        /// The token of the operator token file with this digest.
        case operatorFile(digest: [UInt8])
        /// A proof of the person that is not a token, such as an identity, a passkey or a one-time link. The session does
        /// not end with it.
        case signIn
    }

    /// Creates the session of a browser, and ends the user's oldest sessions in excess of ``sessionLimit``.
    ///
    /// A session of the operator ends after ``operatorSessionLifetime``. A session of a user ends after
    /// ``sessionLifetime`` without a request.
    ///
    /// - Parameters:
    ///   - viewer: The user who signs in, or the operator.
    ///   - source: The credential that opens the session.
    /// - Returns: The new session, with its secret, and the IDs of the ended sessions, or `nil` if the token of the
    ///   source has expired or has been revoked.
    /// - Throws: An error of the engine.
    public func createSession(for viewer: Viewer, from source: SessionSource) throws -> Replacement? {
        let lifetime = viewer.key == nil ? Self.operatorSessionLifetime : Self.sessionLifetime
        var session = NewToken(owner: viewer, kind: .session, label: "browser", expires: end(after: lifetime))
        switch source {
        case .signIn:
            break
        case .operatorFile(let digest):
            session.operatorDigest = digest
        case .token(let secret):
            guard let source = try bearer(secret) else { return nil }
            session.source = source.key
            session.expires = min(session.expires, source.expires)
        }
        let token = try create(session)
        return try replacingOldest(of: viewer, .session, with: token, limit: Self.sessionLimit)
    }

    /// The key and the expiry of a bearer token.
    private struct Bearer {
        var key: Int64
        var expires: Instant
    }

    /// Finds a valid bearer token.
    private func bearer(_ secret: String) throws -> Bearer? {
        let sql: SQL = """
            SELECT id, expires_at
            FROM token
            WHERE sha256 = \(.blob(Token.digest(of: secret)), as: "digest")
              AND expires_at > \(.integer(clock.now.microseconds), as: "now")
              AND \(Self.isOne(of: Token.Kind.bearers))
            """
        return try session.first(sql) { row in
            Bearer(key: row.integer(0), expires: Instant(microseconds: row.integer(1)))
        }
    }

    /// Moves the expiry of a session.
    ///
    /// - Parameters:
    ///   - secret: The secret of the session.
    ///   - expires: The new expiry: see ``Token/Owner/renewedExpiry(at:)``.
    /// - Throws: An error of the engine.
    public func renewSession(_ secret: String, until expires: Instant) throws {
        let expiry: SQL = "\(.integer(expires.microseconds), as: "expires")"
        try session.run(
            """
            UPDATE token SET expires_at = \(expiry)
            WHERE sha256 = \(.blob(Token.digest(of: secret)), as: "digest")
              AND kind = 'session'
              AND expires_at < \(expiry)
            """)
    }

    /// Creates the address of a user's calendar, and revokes the user's oldest addresses in excess of
    /// ``calendarLimit``.
    ///
    /// - Parameters:
    ///   - viewer: The user whose calendar the address shows.
    ///   - label: The label of the address, or `nil`.
    ///   - lifetime: The lifetime in whole seconds, at most ``longest``, or `nil` if the address does not expire.
    /// - Returns: The new token, whose secret is a part of the address, and the IDs of the revoked addresses.
    /// - Throws: `not-signed-in` if the viewer is the operator, who has no calendar; `text-invalid` for a label with
    ///   control characters or line breaks; or an error of the engine.
    public func createCalendar(
        for viewer: Viewer,
        label: String?,
        lifetime: Duration? = nil
    ) throws -> Replacement {
        guard case .user = viewer else {
            throw Access.notSignedIn
        }
        let expires = lifetime.map { lifetime in end(after: lifetime) } ?? Token.never
        let token = try create(
            NewToken(owner: viewer, kind: .calendar, label: label, expires: expires))
        return try replacingOldest(of: viewer, .calendar, with: token, limit: Self.calendarLimit)
    }

    /// Revokes the oldest of a user's tokens of a kind.
    ///
    /// - Parameters:
    ///   - viewer: The user. The number of the operator's tokens has no limit.
    ///   - kind: The kind of the tokens.
    ///   - label: The label of the tokens; `nil` stands for all labels.
    ///   - token: The new token.
    ///   - limit: The number of tokens to keep.
    /// - Returns: The new token, and the IDs of the revoked tokens, newest first.
    /// - Throws: An error of the engine.
    func replacingOldest(
        of viewer: Viewer,
        _ kind: Token.Kind,
        labeled label: String? = nil,
        with token: Token,
        limit: Int
    ) throws -> Replacement {
        guard let key = viewer.key else {
            return Replacement(token: token, revoked: [])
        }
        var own: SQL = "user_id = \(.integer(key), as: "user") AND kind = \(.text(kind.rawValue), as: "kind")"
        if let label {
            own += SQL(" AND label = \(.text(label), as: "label")")
        }
        let sql: SQL = """
            SELECT external_id
            FROM token
            WHERE \(own)
            ORDER BY created_at DESC, id DESC
            """
        var ids: [String] = []
        try session.query(sql) { row in
            ids.append(row.text(0) ?? "")
            return true
        }
        let revoked = Array(ids.dropFirst(limit))
        for id in revoked {
            try session.run("DELETE FROM token WHERE \(own) AND external_id = \(.text(id), as: "id")")
        }
        return Replacement(token: token, revoked: revoked)
    }

    /// Returns the condition that a token has one of several kinds.
    fileprivate static func isOne(of kinds: Set<Token.Kind>) -> SQL {
        let names = kinds.map(\.rawValue).sorted()
        let values = names.map { name -> SQL in "\(.text(name), as: "kind_\(name.filter(\.isLetter))")" }
        return "token.kind IN (\(values.joined(separator: ", ")))"
    }

    func end(after lifetime: Duration) -> Instant {
        clock.now.adding(min(lifetime, Self.longest))
    }

    /// Creates a bearer token for a user or the operator, and deletes expired tokens.
    ///
    /// - Parameters:
    ///   - viewer: The owner of the token.
    ///   - label: The label of the token, or `nil`.
    ///   - lifetime: The lifetime in whole seconds. A longer lifetime than ``longest`` is shortened to it.
    /// - Returns: The new token, with its secret.
    /// - Throws: `text-invalid` for a label with control characters or line breaks, or an error of the engine.
    public func create(for viewer: Viewer, label: String?, lifetime: Duration) throws -> Token {
        try create(
            NewToken(owner: viewer, kind: .bearer, label: label, expires: end(after: lifetime)))
    }

    /// The row of a token that is created.
    struct NewToken {
        var owner: Viewer
        var kind: Token.Kind
        var label: String?
        var expires: Instant
        /// The key of the token that has opened a session.
        var source: Int64?
        /// The digest of the token of the operator token file that has opened a session.
        var operatorDigest: [UInt8]?
        /// The records that a shared view shows.
        var view: ViewDefinition?
    }

    func create(_ token: NewToken) throws -> Token {
        try token.label?.requireSingleLine("label")
        let secret = Token.newSecret(token.kind)
        let digest = Token.digest(of: secret)
        let id = Token.id(of: digest)
        try session.run(
            "DELETE FROM token WHERE expires_at <= \(.integer(clock.now.microseconds), as: "now")")
        let values: [SQL] = [
            "\(.text(id), as: "id")",
            "\(.integer(token.owner.key), as: "user")",
            "\(.blob(digest), as: "digest")",
            "\(.text(token.label?.composed), as: "label")",
            "\(.integer(clock.now.microseconds), as: "now")",
            "\(.integer(token.expires.microseconds), as: "expires")",
            "\(.text(token.kind.rawValue), as: "kind")",
            "\(.integer(token.source), as: "source")",
            "\(token.operatorDigest.map(Value.blob) ?? .null, as: "operator_digest")",
            "\(.text(token.view?.json.text), as: "definition")",
        ]
        try session.run(
            """
            INSERT INTO token
              (
                external_id, user_id, sha256, label, created_at, expires_at, kind, source_id, operator_sha256, definition
              )
            VALUES (\(values.joined(separator: ", ")))
            """)
        return Token(secret: secret, id: id, expires: token.expires)
    }

    /// Returns the owner of a token, or `nil` if the token is unknown, revoked or expired.
    ///
    /// The caller must check the kind of the token before it uses the owner.
    public func owner(of secret: String) throws -> Token.Owner? {
        let sql: SQL = """
            SELECT
              token.user_id, account.external_id, token.expires_at, token.kind,
              token.created_at, source.expires_at, token.operator_sha256, token.source_id,
              token.definition
            FROM token
            LEFT JOIN account ON account.id = token.user_id
            LEFT JOIN token AS source ON source.id = token.source_id
            WHERE token.sha256 = \(.blob(Token.digest(of: secret)), as: "digest")
              AND token.expires_at > \(.integer(clock.now.microseconds), as: "now")
            """
        return try session.first(sql, Self.owner) ?? nil
    }

    /// Returns the owner in a row, or `nil` for a kind or a definition of a later version.
    private static func owner(_ row: any Row) -> Token.Owner? {
        guard let kind = Token.Kind(rawValue: row.text(3) ?? "") else { return nil }
        var viewer = Viewer.operator
        if !row.isNull(0) {
            viewer = .user(key: row.integer(0), id: row.text(1) ?? "")
        }
        var owner = Token.Owner(
            viewer: viewer,
            kind: kind,
            expires: Instant(microseconds: row.integer(2)))
        if kind == .session, viewer != .operator {
            let created = Instant(microseconds: row.integer(4))
            let sourceEnd = row.isNull(5) ? Token.never : Instant(microseconds: row.integer(5))
            owner.lastExpiry = min(created.adding(longest), sourceEnd)
        }
        if !row.isNull(6) {
            owner.operatorDigest = row.blob(6)
        }
        owner.hasSource = !row.isNull(7)
        if kind == .view {
            guard let view = try? ViewDefinition(stored: row.text(8) ?? "") else { return nil }
            owner.view = view
        }
        return owner
    }

    /// Returns the valid tokens of a user, or of all owners for the operator, oldest first.
    ///
    /// - Parameters:
    ///   - viewer: The owner of the tokens, or the operator.
    ///   - kinds: The kinds of the tokens.
    /// - Returns: The tokens without their secrets.
    /// - Throws: An error of the engine.
    public func tokens(of viewer: Viewer, _ kinds: Set<Token.Kind>) throws -> [Token.Summary] {
        var tokens: [Token.Summary] = []
        var query = TokenQuery(viewer: viewer, clock: clock)
        query.kinds = kinds
        try session.query(query.selection.sql) { row in
            guard let kind = Token.Kind(rawValue: row.text(2) ?? "") else { return true }
            tokens.append(
                Token.Summary(
                    id: row.text(0) ?? "",
                    kind: kind,
                    label: row.text(3),
                    created: Instant(microseconds: row.integer(4)),
                    expires: row.isNull(5) ? Token.never : Instant(microseconds: row.integer(5))))
            return true
        }
        return tokens
    }

    /// Revokes a token by its secret.
    ///
    /// An unknown secret has no effect.
    public func revoke(secret: String) throws {
        try session.run("DELETE FROM token WHERE sha256 = \(.blob(Token.digest(of: secret)), as: "digest")")
    }

    /// Revokes all tokens of a user, including the addresses of calendars and views and the links, and returns their
    /// number.
    ///
    /// If `viewer` is the operator, the method does nothing and returns 0.
    public func revokeAll(of viewer: Viewer) throws -> Int {
        guard case .user(let key, _) = viewer else { return 0 }
        let own: SQL = "user_id = \(.integer(key), as: "user")"
        // The deletion of a token removes its sessions without counting them.
        let sessions = try session.run("DELETE FROM token WHERE \(own) AND kind = 'session'")
        let others = try session.run("DELETE FROM token WHERE \(own)")
        return sessions + others
    }

    /// Revokes a token by its ID.
    ///
    /// The operator can revoke all tokens, a user only the user's own.
    ///
    /// - Parameters:
    ///   - id: The name of the token.
    ///   - kinds: The kinds of which the token may be.
    ///   - viewer: The user or operator who revokes the token.
    /// - Throws: `not-found` if the viewer does not have such a token.
    public func revoke(id: String, _ kinds: Set<Token.Kind> = Set(Token.Kind.allCases), by viewer: Viewer) throws {
        var sql = SQL("DELETE FROM token WHERE external_id = \(.text(id), as: "id") AND \(Self.isOne(of: kinds))")
        if case .user(let key, _) = viewer {
            sql += SQL(" AND user_id = \(.integer(key), as: "user")")
        }
        guard try session.run(sql) > 0 else {
            throw HabitError(
                .notFound,
                "the token '\(id)' does not exist",
                field: "token",
                .list(.tokens))
        }
    }
}

/// A query for the valid tokens of a user, or for all valid tokens if the viewer is the operator.
public struct TokenQuery: Sendable {
    /// The owner of the tokens, or the operator.
    public var viewer: Viewer
    /// The clock that determines which tokens have expired.
    public var clock: Clock
    /// The kinds of the tokens.
    public var kinds = Set(Token.Kind.allCases)

    /// Creates a query for the valid tokens of `viewer`.
    public init(viewer: Viewer, clock: Clock) {
        self.viewer = viewer
        self.clock = clock
    }

    /// The query as SQL with the shape of its rows, oldest token first.
    public var selection: Selection {
        Selection(select(["kind", "label"]).sql, shape: Self.shape)
    }

    /// Returns the query for the ID, the owner, some columns, the creation and the expiry of the tokens.
    ///
    /// - Parameter columns: The names of columns of the table.
    /// - Returns: The query, oldest token first. The expiry of a token that does not expire is null.
    func select(_ columns: [String]) -> Select {
        let never: SQL = "\(.integer(Token.never.microseconds), as: "never")"
        var select = Select(
            [SelectColumn("id", "token.external_id"), SelectColumn("owner", "account.external_id")]
                + .named(columns + ["created_at"], of: "token")
                + [SelectColumn("expires_at", "nullif(token.expires_at, \(never))")],
            from: "token",
            joins: "LEFT JOIN account ON account.id = token.user_id",
            order: [OrderTerm("token.created_at"), OrderTerm("token.external_id")])
        select.require("token.expires_at > \(.integer(clock.now.microseconds), as: "now")")
        select.require(TokenActions.isOne(of: kinds))
        if let key = viewer.key {
            select.require("token.user_id = \(.integer(key), as: "user")")
        }
        return select
    }

    private static let shape = ResultShape(
        columns: [
            Column("id", .text, at: 0),
            Column("user", .text, at: 1),
            Column("kind", .text, at: 2),
            Column("label", .text, at: 3),
            Column("created_at", .instant(offset: nil), at: 4),
            Column("expires_at", .instant(offset: nil), at: 5),
        ],
        identity: ["id"])
}

extension Instant {
    /// Returns the instant after a number of whole seconds.
    fileprivate func adding(_ duration: Duration) -> Instant {
        Instant(microseconds: microseconds + duration.components.seconds * 1_000_000)
    }
}
