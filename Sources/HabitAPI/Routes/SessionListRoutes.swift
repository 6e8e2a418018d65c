import Base
import HTTPServing
import HTTPTypes
import HabitModel
import HabitStore
import Hummingbird

/// Routes for the user's sessions: the sessions of browsers, and the tokens of sign-ins and of `habitat token create`.
package struct SessionListRoutes: RouteGroup {
    let store: StorePool
    let audit: AuditLog
    let callers: TokenAuthenticator

    /// Creates the routes.
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

    package var routes: [Route] {
        [
            Route(
                .get,
                "/sessions",
                operation: RouteOperation(
                    "sessions.list",
                    summary: "List your sessions",
                    description: "Returns the valid sessions and tokens of the user, without their secrets.",
                    permission: .users,
                    query: nil,
                    content: .content(.json, schema: Self.listSchema)),
                handler: sessions),
            Route(
                .get,
                "/sessions/{sessionId}",
                operation: RouteOperation(
                    "sessions.get",
                    summary: "Get a session",
                    description: "Returns a valid session or token of the user, without its secret.",
                    permission: .users,
                    pathParameters: [Self.idParameter],
                    query: nil,
                    content: .content(.json, schema: .reference("OwnSession"))),
                handler: oneSession),
            Route(
                .delete,
                "/sessions/{sessionId}",
                operation: RouteOperation(
                    "sessions.end",
                    summary: "End a session",
                    description:
                        "Revokes a session or a token, and the sessions that the token has opened. Returns 204.",
                    permission: .users,
                    pathParameters: [Self.idParameter],
                    query: nil,
                    status: "204"),
                handler: endSession),
        ]
    }

    private static let idParameter = JSON.pathParameter(
        "sessionId",
        "ID of a session in the list of sessions.")

    private static let listSchema: JSON = [
        "type": "object",
        "required": ["sessions"],
        "properties": ["sessions": ["type": "array", "items": .reference("OwnSession")]],
    ]

    /// The schema of a session in the list, which the document at `/api` contains as `OwnSession`.
    static let ownSessionSchema: JSON = [
        "type": "object",
        "required": ["id", "kind", "created_at", "expires_at", "current"],
        "properties": [
            "id": ["type": "string"],
            "kind": [
                "type": "string",
                "enum": ["bearer", "session", "sign-in"],
                "description":
                    "'session' for a browser with a cookie, 'sign-in' for the token of a sign-in with an ID token, 'bearer' for another token.",
            ],
            "label": ["type": "string", "nullable": true],
            "created_at": ["type": "string", "format": "date-time"],
            "expires_at": ["type": "string", "format": "date-time"],
            "current": ["type": "boolean", "description": "Whether the request uses this session."],
        ],
    ]

    @Sendable private func sessions(_ call: Call) async throws -> Response {
        let sessions = try await ownSessions(call)
        return Response(["sessions": .list(sessions.map(\.json))], headers: .notStored)
    }

    @Sendable private func oneSession(_ call: Call) async throws -> Response {
        let id = try call.pathParameter("sessionId")
        let sessions = try await ownSessions(call)
        guard let session = sessions.first(where: { session in session.token.id == id }) else {
            throw HabitError(.notFound, "session '\(id)' does not exist", field: "session")
        }
        return Response(session.json, headers: .notStored)
    }

    @Sendable private func endSession(_ call: Call) async throws -> Response {
        let viewer = try call.viewer
        let id = try call.pathParameter("sessionId")
        try await store.write(for: call.requester) { session in
            try TokenActions(clock: call.clock, in: session).revoke(
                id: id,
                Token.Kind.credentials,
                by: viewer)
        }
        audit.record("token.revoke", for: call, details: ["token": .text(id)])
        return Response(status: .noContent)
    }

    /// A session of the caller.
    private struct OwnSession: Sendable {
        var token: Token.Summary
        /// Whether the request uses this session.
        var isCurrent: Bool

        var json: JSON {
            [
                "id": .text(token.id),
                "kind": .text(token.kind.rawValue),
                "label": JSON(token.label),
                "created_at": Self.text(token.created),
                "expires_at": Self.text(token.expires),
                "current": .boolean(isCurrent),
            ]
        }

        private static func text(_ instant: Instant) -> JSON {
            .text(OffsetInstant(instant, offset: .utc).description)
        }
    }

    /// Reads the valid sessions of the caller.
    ///
    /// - Parameter call: The request, whose token is the current session.
    /// - Returns: The sessions.
    /// - Throws: An error of the store.
    private func ownSessions(_ call: Call) async throws -> [OwnSession] {
        let viewer = try call.viewer
        let current = try callers.credential(of: call.request)?.secret.map(Token.id)
        let tokens = try await store.read(for: call.requester) { session in
            try TokenActions(clock: call.clock, in: session).tokens(of: viewer, Token.Kind.credentials)
        }
        return tokens.map { token in OwnSession(token: token, isCurrent: token.id == current) }
    }
}
