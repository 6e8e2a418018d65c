import Base
import HTTPServing
import HTTPTypes
import HabitModel
import HabitStore
import Hummingbird

/// Routes that sign a user in with an access token, describe the session and sign the user out.
package struct SignInRoutes: RouteGroup {
    let bodies: RequestBodies
    let callers: TokenAuthenticator
    private let sessions: BrowserSessions

    /// Creates the routes.
    ///
    /// - Parameters:
    ///   - bodies: Reads the bodies of requests.
    ///   - callers: Finds the owners of tokens.
    ///   - sessions: Opens and ends the sessions of browsers.
    package init(bodies: RequestBodies, callers: TokenAuthenticator, sessions: BrowserSessions) {
        self.bodies = bodies
        self.callers = callers
        self.sessions = sessions
    }

    package var routes: [Route] {
        [
            Route(.post, "/session", operation: Self.signInOperation, handler: signIn),
            Route(
                .get,
                "/session",
                operation: RouteOperation(
                    "session.get",
                    summary: "Get the current session",
                    description: "Returns the user and the expiry time of the token or the session of the request.",
                    permission: .viewers,
                    query: nil,
                    content: Self.content),
                handler: session),
            Route(
                .delete,
                "/session",
                operation: RouteOperation(
                    "session.delete",
                    summary: "Sign out",
                    description: "Revokes the token or the session of the request. Returns 204.",
                    permission: .viewers,
                    query: nil,
                    status: "204"),
                handler: signOut),
        ]
    }

    // MARK: Sign-in

    private static let signInOperation = RouteOperation(
        "session.create",
        summary: "Sign in with an access token",
        description:
            "Opens the session of a browser with an access token, and returns 201 with a cookie. Returns 401 if the token is invalid, and 403 if a page of another site has sent the request.",
        permission: .everyone,
        query: nil,
        body: [
            "required": true,
            "content": .content(.json, schema: credentialsSchema),
        ],
        status: "201",
        content: content)

    private static let credentialsSchema: JSON = [
        "type": "object",
        "required": ["token"],
        "properties": ["token": ["type": "string", "description": "An access token."]],
    ]

    /// The largest body that is accepted, in bytes.
    private static let bodyLimit = 16_384

    @Sendable private func signIn(_ call: Call) async throws -> Response {
        let token = try await accessToken(in: call)
        let opened = try await sessions.open(with: token, for: call)
        return Response(
            Self.description(of: opened.viewer, expires: opened.expires),
            status: .created,
            headers: opened.headers)
    }

    /// Reads the body of a sign-in.
    ///
    /// - Parameter call: The request.
    /// - Returns: The access token.
    /// - Throws: `row-invalid` if the body is not a JSON object with a token, and the errors of
    ///   ``RequestBodies/withBody(of:for:limit:remedy:isOptional:_:)``.
    private func accessToken(in call: Call) async throws -> String {
        let requester = "client \(call.client)"
        return try await bodies.withBody(of: call.request, for: requester, limit: Self.bodyLimit) { body in
            guard let token = ObjectBody(body, reading: ["token"])?["token"] else {
                throw HabitError(
                    .rowInvalid,
                    "the body is not a JSON object with the member 'token': send an access token",
                    field: "token")
            }
            return token
        }
    }

    // MARK: The session of a request

    @Sendable private func session(_ call: Call) async throws -> Response {
        guard let credential = try callers.credential(of: call.request),
            let owner = try await callers.owner(of: credential)
        else { throw Problem.notSignedIn }
        return Response(
            Self.description(of: owner.viewer, expires: owner.expires),
            headers: .notStored)
    }

    @Sendable private func signOut(_ call: Call) async throws -> Response {
        Response(status: .noContent, headers: try await sessions.end(for: call))
    }

    // MARK: The document of a session

    /// The schema of the current session, which the document at `/api` contains as `Session`.
    static let sessionSchema: JSON = [
        "type": "object",
        "properties": [
            "user": ["type": "string", "nullable": true],
            "expires_at": ["type": "string", "nullable": true],
        ],
    ]

    private static let content = JSON.content(.json, schema: .reference("Session"))

    /// Returns the document of a session.
    static func description(of viewer: Viewer, expires: Instant) -> JSON {
        var user: JSON = .null
        if case .user(_, let id) = viewer { user = .text(id) }
        return [
            "user": user,
            "expires_at": expires.isEndless ? .null : text(expires),
        ]
    }

    private static func text(_ instant: Instant) -> JSON {
        .text(OffsetInstant(instant, offset: .utc).description)
    }
}
