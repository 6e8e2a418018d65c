import Foundation
import HabitModel
import StoreEngine

/// A bearer token of a user or of the operator for HTTP.
///
/// The secret contains 256 random bits. The store contains only its SHA-256 digest.
public struct Token: Sendable {
    /// The secret that the client sends.
    ///
    /// It is shown only once.
    public let secret: String
    /// The name of the token in lists and for its revocation.
    public let id: String
    /// The instant at which the token expires.
    public let expires: Instant

    /// The owner and the expiry of a token.
    public struct Owner: Sendable, Equatable {
        /// The owner of the token.
        public let viewer: Viewer
        /// The instant at which the token expires.
        public let expires: Instant

        /// Creates an owner with the expiry of the token.
        public init(viewer: Viewer, expires: Instant) {
            self.viewer = viewer
            self.expires = expires
        }
    }

    /// The data of a token in a list, without its secret.
    public struct Summary: Sendable, Equatable {
        /// The name of the token.
        public let id: String
        /// The label of the token, or `nil` if it does not have one.
        public let label: String?
        /// The instant at which the token was created.
        public let created: Instant
        /// The instant at which the token expires.
        public let expires: Instant
    }

    /// Returns the digest of a secret, by which the store finds the token.
    public static func digest(of secret: String) -> [UInt8] { secret.utf8.sha256 }

    /// Returns the name of the token with this digest.
    static func id(of digest: [UInt8]) -> String { digest.prefix(6).hexadecimal }

    /// Returns the name of the token with this secret.
    public static func id(of secret: String) -> String { id(of: digest(of: secret)) }

    static func newSecret() -> String {
        var generator = SystemRandomNumberGenerator()
        let bytes = Data((0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
        return "hbt_" + bytes.base64URLEncoded
    }
}

/// Creates, finds and revokes tokens.
public struct TokenActions {
    private let session: any Session
    private let clock: Clock

    /// Creates the actions at the time of `clock`, in `session`.
    public init(clock: Clock, in session: any Session) {
        self.clock = clock
        self.session = session
    }

    /// The maximum lifetime of a token: 366 days.
    public static let longest = Duration.seconds(366 * 86_400)

    /// The maximum number of sessions of a user.
    ///
    /// A sign-in ends the oldest sessions in excess of it.
    public static let sessionLimit = 20

    /// Creates the token of a sign-in, and ends the user's oldest sessions in excess of ``sessionLimit``.
    ///
    /// - Parameters:
    ///   - viewer: The user who signs in.
    ///   - lifetime: The lifetime in whole seconds, at most ``longest``.
    /// - Returns: The new token, with its secret.
    /// - Throws: An error of the engine.
    public func createSession(for viewer: Viewer, lifetime: Duration) throws -> Token {
        let token = try create(for: viewer, label: "sign-in", lifetime: lifetime, isSession: true)
        if case .user(let key, _) = viewer {
            try session.run(
                SQL(
                    """
                    DELETE FROM token
                    WHERE user_id = :user AND is_session = 1 AND id NOT IN (
                      SELECT id
                      FROM token
                      WHERE user_id = :user AND is_session = 1
                      ORDER BY created_at DESC, id DESC
                      LIMIT :limit
                    )
                    """, ["user": .integer(key), "limit": .integer(Int64(Self.sessionLimit))]))
        }
        return token
    }

    /// Creates a token for a user or the operator, and deletes expired tokens.
    ///
    /// - Parameters:
    ///   - viewer: The owner of the token.
    ///   - label: The label of the token, or `nil`.
    ///   - lifetime: The lifetime in whole seconds. A longer lifetime than ``longest`` is shortened to it.
    /// - Returns: The new token, with its secret.
    /// - Throws: An error of the engine.
    public func create(for viewer: Viewer, label: String?, lifetime: Duration) throws -> Token {
        try create(for: viewer, label: label, lifetime: lifetime, isSession: false)
    }

    private func create(for viewer: Viewer, label: String?, lifetime: Duration, isSession: Bool) throws -> Token {
        var key: Int64?
        if case .user(let user, _) = viewer { key = user }
        let secret = Token.newSecret()
        let digest = Token.digest(of: secret)
        let id = Token.id(of: digest)
        let expires = Instant(
            microseconds: clock.now.microseconds + min(lifetime, Self.longest).components.seconds * 1_000_000)
        try session.run(
            SQL("DELETE FROM token WHERE expires_at <= :now", ["now": .integer(clock.now.microseconds)]))
        try session.run(
            SQL(
                """
                INSERT INTO token (external_id, user_id, sha256, label, created_at, expires_at, is_session)
                VALUES (:id, :user, :digest, :label, :now, :expires, :is_session)
                """,
                [
                    "id": .text(id), "user": .integer(key), "digest": .blob(digest), "label": .text(label?.composed),
                    "now": .integer(clock.now.microseconds), "expires": .integer(expires.microseconds),
                    "is_session": .boolean(isSession),
                ]))
        return Token(secret: secret, id: id, expires: expires)
    }

    /// Returns the owner of a token, or `nil` if the token is unknown, revoked or expired.
    public func holder(of secret: String) throws -> Token.Owner? {
        let sql = SQL(
            """
            SELECT token.user_id, account.external_id, token.expires_at
            FROM token
            LEFT JOIN account ON account.id = token.user_id
            WHERE token.sha256 = :digest AND token.expires_at > :now
            """, ["digest": .blob(Token.digest(of: secret)), "now": .integer(clock.now.microseconds)])
        return try session.first(sql) { row in
            let viewer = row.isNull(0) ? Viewer.operator : .user(key: row.integer(0), id: row.text(1) ?? "")
            return Token.Owner(viewer: viewer, expires: Instant(microseconds: row.integer(2)))
        }
    }

    /// Returns the valid tokens of a user, or all valid tokens for the operator, oldest first.
    public func tokens(of viewer: Viewer) throws -> [Token.Summary] {
        var tokens: [Token.Summary] = []
        try session.query(TokenQuery(viewer: viewer, clock: clock).selection.sql) { row in
            tokens.append(
                Token.Summary(
                    id: row.text(0) ?? "", label: row.text(2), created: Instant(microseconds: row.integer(3)),
                    expires: Instant(microseconds: row.integer(4))))
            return true
        }
        return tokens
    }

    /// Revokes a token by its secret.
    ///
    /// An unknown secret has no effect.
    public func revoke(secret: String) throws {
        try session.run(SQL("DELETE FROM token WHERE sha256 = :digest", ["digest": .blob(Token.digest(of: secret))]))
    }

    /// Revokes all tokens of a user, and returns their number.
    ///
    /// If `viewer` is the operator, the method does nothing and returns 0.
    public func revokeAll(of viewer: Viewer) throws -> Int {
        guard case .user(let key, _) = viewer else { return 0 }
        return try session.run(SQL("DELETE FROM token WHERE user_id = :user", ["user": .integer(key)]))
    }

    /// Revokes a token by its ID.
    ///
    /// The operator can revoke all tokens, a user only the user's own.
    ///
    /// - Parameters:
    ///   - id: The name of the token.
    ///   - viewer: The user or operator who revokes the token.
    /// - Throws: `not-found` if the viewer does not have such a token.
    public func revoke(id: String, by viewer: Viewer) throws {
        var sql = SQL("DELETE FROM token WHERE external_id = :id", ["id": .text(id)])
        if case .user(let key, _) = viewer { sql += SQL(" AND user_id = :user", ["user": .integer(key)]) }
        guard try session.run(sql) > 0 else {
            throw HabitError(.notFound, "the token '\(id)' does not exist", field: "token", .list(.tokens))
        }
    }
}

/// A query for the valid tokens of a user, or for all valid tokens if the viewer is the operator.
public struct TokenQuery: Sendable {
    /// The owner of the tokens, or the operator.
    public var viewer: Viewer
    /// The clock that determines which tokens have expired.
    public var clock: Clock

    /// Creates a query for the valid tokens of `viewer`.
    public init(viewer: Viewer, clock: Clock) {
        self.viewer = viewer
        self.clock = clock
    }

    /// The query as SQL with the shape of its rows, oldest token first.
    public var selection: Selection {
        var select = SelectBuilder(
            columns: [
                "token.external_id", "account.external_id", "token.label", "token.created_at", "token.expires_at",
            ],
            from: "token", order: ["token.created_at", "token.external_id"])
        select.joins = "LEFT JOIN account ON account.id = token.user_id"
        select.require("token.expires_at > :now", ["now": .integer(clock.now.microseconds)])
        if case .user(let key, _) = viewer { select.require("token.user_id = :user", ["user": .integer(key)]) }
        return Selection(select.sql, shape: Self.shape)
    }

    private static let shape = ResultShape(
        columns: [
            Column("id", .text, at: 0), Column("user", .text, at: 1), Column("label", .text, at: 2),
            Column("created_at", .instant(offset: nil), at: 3), Column("expires_at", .instant(offset: nil), at: 4),
        ],
        identity: ["id"])
}
