import Base
import HTTPServing
import HTTPTypes
import HabitModel
import HabitStore
import Hummingbird

/// Routes for the user's sessions: the sessions of browsers, and the tokens of sign-ins and of `habitat token create`.
package struct SessionListRoutes: RouteGroup {
    private let tokens: OwnTokens

    /// Creates the routes.
    ///
    /// - Parameter tokens: Lists and revokes the sessions of users.
    package init(tokens: OwnTokens) {
        self.tokens = tokens
    }

    package var routes: [Route] {
        [
            Route(
                .get,
                "/sessions",
                operation: RouteOperation(
                    "sessions.list",
                    summary: "List your sessions",
                    description:
                        "Returns the valid sessions, one-time links and tokens of the user, without their secrets.",
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
                        "Revokes a session, a one-time link or a token, and the sessions that the token has opened. Returns 204.",
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
                "enum": ["bearer", "link", "session", "sign-in"],
                "description":
                    "'session' for a browser with a cookie, 'link' for an unused one-time link, 'sign-in' for the token of a sign-in of an earlier version, 'bearer' for another token.",
            ],
            "label": ["type": "string", "nullable": true],
            "created_at": ["type": "string", "format": "date-time"],
            "expires_at": ["type": "string", "format": "date-time"],
            "current": ["type": "boolean", "description": "Whether the request uses this session."],
        ],
    ]

    @Sendable private func sessions(_ call: Call) async throws -> Response {
        let sessions = try await tokens.list(Token.Kind.ofSessions, for: call)
        return Response(["sessions": .list(sessions.map(Self.document))], headers: .notStored)
    }

    @Sendable private func oneSession(_ call: Call) async throws -> Response {
        let id = try call.pathParameter("sessionId")
        let sessions = try await tokens.list(Token.Kind.ofSessions, for: call)
        guard let session = sessions.first(where: { session in session.token.id == id }) else {
            throw HabitError(.notFound, "session '\(id)' does not exist", field: "session")
        }
        return Response(Self.document(session), headers: .notStored)
    }

    @Sendable private func endSession(_ call: Call) async throws -> Response {
        try await tokens.revoke(try call.pathParameter("sessionId"), for: call)
        return Response(status: .noContent)
    }

    private static func document(_ session: OwnTokens.Entry) -> JSON {
        let token = session.token
        return [
            "id": .text(token.id),
            "kind": .text(token.kind.rawValue),
            "label": JSON(token.label),
            "created_at": text(token.created),
            "expires_at": text(token.expires),
            "current": .boolean(session.isCurrent),
        ]
    }

    private static func text(_ instant: Instant) -> JSON {
        .text(OffsetInstant(instant, offset: .utc).description)
    }
}
