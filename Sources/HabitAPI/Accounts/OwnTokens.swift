import Base
import HTTPServing
import HabitModel
import HabitStore
import StoreEngine

/// Lists, creates and revokes the sessions, the access tokens and the calendar addresses of the caller, for the API and
/// for the account page.
///
/// Each change is one transaction, and the audit log has a line for each token after the commit.
package struct OwnTokens: Sendable {
    private let store: StorePool
    private let audit: AuditLog
    private let callers: TokenAuthenticator

    /// Creates the tokens of the users of a store.
    ///
    /// - Parameters:
    ///   - store: The connections to the store.
    ///   - audit: The audit log.
    ///   - callers: Finds the credentials of requests.
    package init(store: StorePool, audit: AuditLog, callers: TokenAuthenticator) {
        self.store = store
        self.audit = audit
        self.callers = callers
    }

    /// The maximum length of a label, in characters.
    package static let labelLimit = 50

    /// The number of access tokens with which a user cannot create a new one.
    package static let accessLimit = 50

    /// The lifetimes of a new access token, in days.
    package static let lifetimes = TokenActions.lifetimeDays

    /// A token without its secret.
    package struct Entry: Sendable {
        /// The data of the token.
        package let token: Token.Summary
        /// Whether the request uses the token.
        package let isCurrent: Bool

        /// Whether the token is the session of a browser.
        package var isSession: Bool { token.kind == .session }
        /// The reason for which the token was made, if it is a one-time link.
        package var linkPurpose: LinkPurpose? {
            guard token.kind == .link else { return nil }
            return token.label.flatMap(LinkPurpose.init)
        }
        /// Whether a program sends the token to act as the user.
        package var isAccessToken: Bool { Token.Kind.bearers.contains(token.kind) }
        /// Whether an earlier version has created the token at a sign-in with a service.
        package var isFromService: Bool { token.kind == .signIn }
        /// Whether the token is the address of a calendar.
        package var isCalendar: Bool { token.kind == .calendar }
        /// Whether the token has no expiry.
        package var isEndless: Bool { token.expires == Token.never }
    }

    /// Reads the valid tokens of the caller.
    ///
    /// - Parameters:
    ///   - kinds: The kinds of the tokens.
    ///   - call: The request.
    /// - Returns: The tokens, oldest first.
    /// - Throws: An error of the store.
    package func list(_ kinds: Set<Token.Kind>, for call: Call) async throws -> [Entry] {
        let viewer = try call.viewer
        let current = try currentID(of: call)
        let tokens = try await store.read(for: call.requester) { session in
            try TokenActions(clock: call.clock, in: session).tokens(of: viewer, kinds)
        }
        return tokens.map { token in Entry(token: token, isCurrent: token.id == current) }
    }

    /// Reads the valid tokens of all kinds of the caller.
    ///
    /// - Parameter call: The request.
    /// - Returns: The tokens, oldest first.
    /// - Throws: An error of the store.
    package func listAll(for call: Call) async throws -> [Entry] {
        try await list(Set(Token.Kind.allCases), for: call)
    }

    /// Returns the ID of the token of a request.
    private func currentID(of call: Call) throws -> String? {
        let credential = try callers.credential(of: call.request)
        return credential?.secret.map(Token.id)
    }

    /// Checks the label of a new token.
    ///
    /// - Parameter label: The label.
    /// - Throws: `field-invalid` if the label is too long, `text-invalid` if it has several lines.
    static func checkLabel(_ label: String) throws {
        guard label.unicodeScalars.count <= labelLimit else {
            throw HabitError(
                .fieldInvalid,
                "the label is longer than \(labelLimit) characters: send another label",
                field: "label")
        }
        try label.requireSingleLine("label")
    }

    // MARK: Sessions and access tokens

    /// Revokes a session, a one-time link or an access token, and the sessions that the access token has opened.
    ///
    /// - Parameters:
    ///   - id: The ID of the token.
    ///   - call: The request.
    /// - Throws: `not-found` if the caller does not have such a token, and the errors of the store.
    package func revoke(_ id: String, for call: Call) async throws {
        let viewer = try call.viewer
        try await store.write(for: call.requester) { session in
            try TokenActions(clock: call.clock, in: session).revoke(id: id, Token.Kind.ofSessions, by: viewer)
        }
        recordRevoked([id], for: call)
    }

    /// Ends the sessions of the caller's other browsers, and revokes the caller's one-time links.
    ///
    /// A link would open a new session for the person who has it.
    ///
    /// - Parameter call: The request, whose own session continues.
    /// - Throws: An error of the store.
    package func endOtherSessions(for call: Call) async throws {
        let viewer = try call.viewer
        let current = try currentID(of: call)
        let ended = try await store.write(for: call.requester) { session in
            let actions = TokenActions(clock: call.clock, in: session)
            let kinds: Set<Token.Kind> = [.session, .link]
            let tokens = try actions.tokens(of: viewer, kinds)
            let others = tokens.map(\.id).filter { id in id != current }
            for id in others {
                try actions.revoke(id: id, kinds, by: viewer)
            }
            return others
        }
        recordRevoked(ended, for: call)
    }

    private func recordRevoked(_ ids: [String], for call: Call) {
        for id in ids {
            audit.record("token.revoke", for: call, details: ["token": .text(id)])
        }
    }

    /// Creates an access token for the caller.
    ///
    /// A session that an access token has opened cannot create another token, which would outlive the first one.
    ///
    /// - Parameters:
    ///   - label: The label of the token; `nil` for none.
    ///   - days: The lifetime in days, one of ``lifetimes``.
    ///   - call: The request.
    /// - Returns: The token with its secret, which is not stored.
    /// - Throws: `field-invalid` for the label or the lifetime, or if the user has ``accessLimit`` tokens;
    ///   `text-invalid` for the label; 403 `not-signed-in` for a request with another credential than a personal session;
    ///   and the errors of the store.
    package func createAccess(label: String?, days: Int, for call: Call) async throws -> Token {
        let viewer = try call.viewer
        try await callers.requirePersonalSession(call.request)
        if let label { try Self.checkLabel(label) }
        guard Self.lifetimes.contains(days) else {
            let range = "\(Self.lifetimes.lowerBound) to \(Self.lifetimes.upperBound)"
            throw HabitError(.fieldInvalid, "the lifetime is not \(range) days: enter a number", field: "days")
        }
        let lifetime = Duration.seconds(days * 86_400)
        let token = try await store.write(for: call.requester) { session in
            let actions = TokenActions(clock: call.clock, in: session)
            guard try actions.tokens(of: viewer, Token.Kind.bearers).count < Self.accessLimit else {
                throw HabitError(
                    .fieldInvalid,
                    "you have \(Self.accessLimit) access tokens: revoke one of them first",
                    field: "label")
            }
            return try actions.create(for: viewer, label: label, lifetime: lifetime)
        }
        let end = OffsetInstant(token.expires, offset: .utc)
        let details: [String: JSON] = [
            "token": .text(token.id),
            "kind": .text(Token.Kind.bearer.rawValue),
            "expires_at": .text(end.description),
        ]
        audit.record("token.create", for: call, details: details)
        return token
    }

    // MARK: Calendar addresses

    /// A new address of a calendar.
    package struct Calendar: Sendable {
        /// The data of the address.
        let token: Token.Summary
        /// The URL of the calendar, which contains the secret and is not stored.
        package let url: String
    }

    /// The end of the path of a calendar.
    static let calendarEnding = ".ics"

    /// Creates an address of the caller's calendar.
    ///
    /// - Parameters:
    ///   - label: The label of the address; `nil` for none.
    ///   - call: The request.
    /// - Returns: The address.
    /// - Throws: `field-invalid` or `text-invalid` for the label, and the errors of the store.
    package func createCalendar(label: String?, for call: Call) async throws -> Calendar {
        let viewer = try call.viewer
        if let label { try Self.checkLabel(label) }
        let created = try await store.write(for: call.requester) { session in
            try TokenActions(clock: call.clock, in: session).createCalendar(for: viewer, label: label)
        }
        let token = created.token
        audit.record("calendar.create", for: call, details: ["calendar": .text(token.id)])
        for id in created.revoked {
            audit.record("calendar.revoke", for: call, details: ["calendar": .text(id)])
        }
        let summary = Token.Summary(
            id: token.id,
            kind: .calendar,
            label: label,
            created: call.clock.now,
            expires: token.expires)
        return Calendar(token: summary, url: "\(call.base)/calendars/\(token.secret)\(Self.calendarEnding)")
    }

    /// Revokes an address of the caller's calendar.
    ///
    /// - Parameters:
    ///   - id: The ID of the address.
    ///   - call: The request.
    /// - Throws: `not-found` if the caller does not have such an address, and the errors of the store.
    package func revokeCalendar(_ id: String, for call: Call) async throws {
        let viewer = try call.viewer
        try await store.write(for: call.requester) { session in
            do {
                try TokenActions(clock: call.clock, in: session).revoke(id: id, [.calendar], by: viewer)
            } catch let error as HabitError where error.code == .notFound {
                throw Self.unknownCalendar(id)
            }
        }
        audit.record("calendar.revoke", for: call, details: ["calendar": .text(id)])
    }

    /// The error for an address that the caller does not have.
    static func unknownCalendar(_ id: String) -> HabitError {
        HabitError(.notFound, "the calendar address '\(id)' does not exist", field: "calendar")
    }
}
