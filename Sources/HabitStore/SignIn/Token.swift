import Base
import Foundation
import HabitModel
import StoreEngine

/// A secret for HTTP: a bearer token of a user or of the operator, or the address of a user's calendar.
///
/// The secret contains 256 random bits. The store contains only its SHA-256 digest.
public struct Token: Sendable {
    /// The purpose of a token, for which alone its secret is valid.
    public enum Kind: String, Sendable, CaseIterable {
        /// A token that a client sends to act as the token's owner.
        case bearer
        /// The secret part of the address of a user's calendar.
        case calendar

        /// The text with which the secrets of the kind begin.
        fileprivate var prefix: String {
            switch self {
            case .bearer: "hbt_"
            case .calendar: "hbc_"
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

        /// Creates an owner with the kind and the expiry of the token.
        public init(viewer: Viewer, kind: Kind = .bearer, expires: Instant) {
            self.viewer = viewer
            self.kind = kind
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
        /// The instant at which the token expires, or ``Token/never``.
        public let expires: Instant

        /// Creates the data of a token.
        public init(id: String, label: String?, created: Instant, expires: Instant) {
            self.id = id
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
        var generator = SystemRandomNumberGenerator()
        let bytes = (0..<32).map { _ in
            UInt8.random(in: .min ... .max, using: &generator)
        }
        return kind.prefix + Data(bytes).base64URLEncoded
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

    /// Creates the token of a sign-in, and ends the user's oldest sessions in excess of ``sessionLimit``.
    ///
    /// - Parameters:
    ///   - viewer: The user who signs in.
    ///   - lifetime: The lifetime in whole seconds, at most ``longest``.
    /// - Returns: The new token, with its secret, and the IDs of the ended sessions.
    /// - Throws: An error of the engine.
    public func createSession(for viewer: Viewer, lifetime: Duration) throws -> Replacement {
        let token = try create(
            for: viewer,
            .bearer,
            label: "sign-in",
            until: end(after: lifetime),
            isSession: true)
        guard case .user(let key, _) = viewer else {
            return Replacement(token: token, revoked: [])
        }
        let ended = try revokeOldest(of: key, "is_session", inExcessOf: Self.sessionLimit)
        return Replacement(token: token, revoked: ended)
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
        guard case .user(let key, _) = viewer else {
            throw Access.notSignedIn
        }
        let expires = lifetime.map { lifetime in end(after: lifetime) } ?? Token.never
        let token = try create(
            for: viewer,
            .calendar,
            label: label,
            until: expires,
            isSession: false)
        let revoked = try revokeOldest(of: key, "is_calendar", inExcessOf: Self.calendarLimit)
        return Replacement(token: token, revoked: revoked)
    }

    /// Revokes the oldest of a user's tokens with a property.
    ///
    /// - Parameters:
    ///   - user: The key of the user.
    ///   - property: The column of the property.
    ///   - limit: The number of tokens to keep.
    /// - Returns: The IDs of the revoked tokens, newest first.
    /// - Throws: An error of the engine.
    private func revokeOldest(of user: Int64, _ property: String, inExcessOf limit: Int) throws -> [String] {
        let sql: SQL = """
            SELECT external_id
            FROM token
            WHERE user_id = \(.integer(user), as: "user") AND \(raw: property) = 1
            ORDER BY created_at DESC, id DESC
            """
        var ids: [String] = []
        try session.query(sql) { row in
            ids.append(row.text(0) ?? "")
            return true
        }
        let revoked = Array(ids.dropFirst(limit))
        for id in revoked {
            try session.run(
                """
                DELETE FROM token
                WHERE user_id = \(.integer(user), as: "user")
                  AND \(raw: property) = 1
                  AND external_id = \(.text(id), as: "id")
                """)
        }
        return revoked
    }

    private func end(after lifetime: Duration) -> Instant {
        let seconds = min(lifetime, Self.longest).components.seconds
        return Instant(microseconds: clock.now.microseconds + seconds * 1_000_000)
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
            for: viewer,
            .bearer,
            label: label,
            until: end(after: lifetime),
            isSession: false)
    }

    private func create(
        for viewer: Viewer,
        _ kind: Token.Kind,
        label: String?,
        until expires: Instant,
        isSession: Bool
    ) throws -> Token {
        try label?.requireSingleLine("label")
        let secret = Token.newSecret(kind)
        let digest = Token.digest(of: secret)
        let id = Token.id(of: digest)
        try session.run(
            "DELETE FROM token WHERE expires_at <= \(.integer(clock.now.microseconds), as: "now")")
        let values: [SQL] = [
            "\(.text(id), as: "id")",
            "\(.integer(viewer.key), as: "user")",
            "\(.blob(digest), as: "digest")",
            "\(.text(label?.composed), as: "label")",
            "\(.integer(clock.now.microseconds), as: "now")",
            "\(.integer(expires.microseconds), as: "expires")",
            "\(.boolean(isSession), as: "is_session")",
            "\(.boolean(kind == .calendar), as: "is_calendar")",
        ]
        try session.run(
            """
            INSERT INTO token (external_id, user_id, sha256, label, created_at, expires_at, is_session, is_calendar)
            VALUES (\(values.joined(separator: ", ")))
            """)
        return Token(secret: secret, id: id, expires: expires)
    }

    /// Returns the owner of a token, or `nil` if the token is unknown, revoked or expired.
    ///
    /// The caller must check the kind of the token before it uses the owner.
    public func owner(of secret: String) throws -> Token.Owner? {
        let sql: SQL = """
            SELECT token.user_id, account.external_id, token.expires_at, token.is_calendar
            FROM token
            LEFT JOIN account ON account.id = token.user_id
            WHERE token.sha256 = \(.blob(Token.digest(of: secret)), as: "digest")
              AND token.expires_at > \(.integer(clock.now.microseconds), as: "now")
            """
        return try session.first(sql) { row in
            var viewer = Viewer.operator
            if !row.isNull(0) {
                viewer = .user(key: row.integer(0), id: row.text(1) ?? "")
            }
            return Token.Owner(
                viewer: viewer,
                kind: row.integer(3) == 0 ? .bearer : .calendar,
                expires: Instant(microseconds: row.integer(2)))
        }
    }

    /// Returns the valid tokens of a user, or of all owners for the operator, oldest first.
    ///
    /// - Parameters:
    ///   - viewer: The owner of the tokens, or the operator.
    ///   - kind: The kind of the tokens.
    /// - Returns: The tokens without their secrets.
    /// - Throws: An error of the engine.
    public func tokens(of viewer: Viewer, _ kind: Token.Kind = .bearer) throws -> [Token.Summary] {
        var tokens: [Token.Summary] = []
        var query = TokenQuery(viewer: viewer, clock: clock)
        query.kind = kind
        try session.query(query.selection.sql) { row in
            tokens.append(
                Token.Summary(
                    id: row.text(0) ?? "",
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

    /// Revokes all tokens of a user, including the addresses of calendars, and returns their number.
    ///
    /// If `viewer` is the operator, the method does nothing and returns 0.
    public func revokeAll(of viewer: Viewer) throws -> Int {
        guard case .user(let key, _) = viewer else { return 0 }
        return try session.run("DELETE FROM token WHERE user_id = \(.integer(key), as: "user")")
    }

    /// Revokes a token by its ID.
    ///
    /// The operator can revoke all tokens, a user only the user's own.
    ///
    /// - Parameters:
    ///   - id: The name of the token.
    ///   - kind: The kind of the token, or `nil` for any kind.
    ///   - viewer: The user or operator who revokes the token.
    /// - Throws: `not-found` if the viewer does not have such a token.
    public func revoke(id: String, _ kind: Token.Kind? = nil, by viewer: Viewer) throws {
        var sql = SQL("DELETE FROM token WHERE external_id = \(.text(id), as: "id")")
        if let kind {
            sql += SQL(" AND is_calendar = \(.boolean(kind == .calendar), as: "is_calendar")")
        }
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
    /// The kind of the tokens, or `nil` for all kinds.
    public var kind: Token.Kind?

    /// Creates a query for the valid tokens of `viewer`.
    public init(viewer: Viewer, clock: Clock) {
        self.viewer = viewer
        self.clock = clock
    }

    /// The query as SQL with the shape of its rows, oldest token first.
    public var selection: Selection {
        let never: SQL = "\(.integer(Token.never.microseconds), as: "never")"
        var select = Select(
            [
                SelectColumn("id", "token.external_id"),
                SelectColumn("owner", "account.external_id"),
                SelectColumn("kind", "CASE token.is_calendar WHEN 1 THEN 'calendar' ELSE 'bearer' END"),
                SelectColumn("label", "token.label"),
                SelectColumn("created_at", "token.created_at"),
                SelectColumn("expires_at", "nullif(token.expires_at, \(never))"),
            ],
            from: "token",
            joins: "LEFT JOIN account ON account.id = token.user_id",
            order: [OrderTerm("token.created_at"), OrderTerm("token.external_id")])
        select.require("token.expires_at > \(.integer(clock.now.microseconds), as: "now")")
        if let kind {
            select.require("token.is_calendar = \(.boolean(kind == .calendar), as: "is_calendar")")
        }
        if let key = viewer.key {
            select.require("token.user_id = \(.integer(key), as: "user")")
        }
        return Selection(select.sql, shape: Self.shape)
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
