import Crypto
import Foundation
import HabitModel
import StoreEngine

/// What stands for a user, or for the operator, over HTTP: 256 random bits, of which the store keeps the SHA-256.
public struct Token: Sendable {
    /// What whoever holds it sends; shown once.
    public let secret: String
    /// What names it to people, for lists and revoking.
    public let id: String
    public let expires: Instant

    /// Whose a token is, and until when.
    public struct Holder: Sendable, Equatable {
        public let viewer: Viewer
        public let expires: Instant

        public init(viewer: Viewer, expires: Instant) {
            self.viewer = viewer
            self.expires = expires
        }
    }

    /// A token as a list shows it, without its secret.
    public struct Summary: Sendable, Equatable {
        public let id: String
        public let label: String?
        public let created: Instant
        public let expires: Instant
    }

    /// What is stored of a secret, and looked for.
    public static func digest(of secret: String) -> [UInt8] { Array(SHA256.hash(data: Data(secret.utf8))) }

    /// The name of the token with this digest.
    static func id(of digest: [UInt8]) -> String {
        digest.prefix(6).map { String(UInt16($0) + 256, radix: 16).dropFirst() }.joined()
    }

    /// The name of the token with this secret.
    public static func id(of secret: String) -> String { id(of: digest(of: secret)) }

    static func newSecret() -> String {
        var generator = SystemRandomNumberGenerator()
        let bytes = Data((0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
        return "hbt_" + bytes.base64URLEncoded
    }
}

/// Making, finding and revoking tokens.
public struct TokenActions {
    private let session: any Session
    private let clock: Clock

    public init(clock: Clock, in session: any Session) {
        self.clock = clock
        self.session = session
    }

    /// The longest a token lasts.
    public static let longest = Duration.seconds(366 * 86_400)

    /// The number of sessions that a user may have. A sign-in ends the oldest ones beyond it.
    public static let sessionLimit = 20

    /// Creates the token of a sign-in, and ends the user's oldest sessions beyond ``sessionLimit``.
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

    /// Makes a token for a user, or the operator; forgets those that have expired.
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

    /// Whose token this is; nil where there is none, or no longer.
    public func holder(of secret: String) throws -> Token.Holder? {
        let sql = SQL(
            """
            SELECT token.user_id, account.external_id, token.expires_at
            FROM token
            LEFT JOIN account ON account.id = token.user_id
            WHERE token.sha256 = :digest AND token.expires_at > :now
            """, ["digest": .blob(Token.digest(of: secret)), "now": .integer(clock.now.microseconds)])
        return try session.first(sql) { row in
            let viewer = row.isNull(0) ? Viewer.operator : .user(key: row.integer(0), id: row.text(1) ?? "")
            return Token.Holder(viewer: viewer, expires: Instant(microseconds: row.integer(2)))
        }
    }

    /// The tokens of a viewer that have not expired, oldest first: a user's own, or for the operator all.
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

    /// Ends a token, by its secret: nothing where there is none.
    public func revoke(secret: String) throws {
        try session.run(SQL("DELETE FROM token WHERE sha256 = :digest", ["digest": .blob(Token.digest(of: secret))]))
    }

    /// Ends all tokens of a user, and says how many there were.
    public func revokeAll(of viewer: Viewer) throws -> Int {
        guard case .user(let key, _) = viewer else { return 0 }
        return try session.run(SQL("DELETE FROM token WHERE user_id = :user", ["user": .integer(key)]))
    }

    /// Ends a token, by its id: any for the operator, a user's own for the user. Throws `not-found`.
    public func revoke(id: String, by viewer: Viewer) throws {
        var sql = SQL("DELETE FROM token WHERE external_id = :id", ["id": .text(id)])
        if case .user(let key, _) = viewer { sql += SQL(" AND user_id = :user", ["user": .integer(key)]) }
        guard try session.run(sql) > 0 else {
            throw HabitError(.notFound, "there is no token '\(id)'", field: "token", .list(.tokens))
        }
    }
}

/// The tokens that are in force: a user's own, or for the operator all.
public struct TokenQuery: Sendable {
    public var viewer: Viewer
    public var clock: Clock

    public init(viewer: Viewer, clock: Clock) {
        self.viewer = viewer
        self.clock = clock
    }

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
