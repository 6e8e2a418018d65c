import Base
import Foundation
import HTTPTypes
import HabitModel
import HabitStore
import Hummingbird

/// Routes for the user's sessions, which are the tokens of sign-ins and of `habitat token create`.
extension HabitatServer {
    func addSessions(to router: Router<HabitContext>) {
        router.route("sessions", [.get: sessions])
        router.route("sessions/{sessionId}", [.get: oneSession, .delete: endSession])
    }

    private func sessions(_ request: Request, _ context: HabitContext) async throws -> Response {
        let sessions = try await ownSessions(request).map(\.json)
        return Response(["sessions": .list(sessions)], headers: [.cacheControl: "no-store"])
    }

    private func oneSession(_ request: Request, _ context: HabitContext) async throws -> Response {
        let id = try context.parameter("sessionId")
        guard let session = try await ownSessions(request).first(where: { $0.token.id == id }) else {
            throw HabitError(.notFound, "session '\(id)' does not exist", field: "session")
        }
        return Response(session.json, headers: [.cacheControl: "no-store"])
    }

    private func endSession(_ request: Request, _ context: HabitContext) async throws -> Response {
        let (viewer, _) = try await user(of: request)
        let (id, clock) = (try context.parameter("sessionId"), options.clock())
        try await pool.write(for: Requester(viewer)) {
            try TokenActions(clock: clock, in: $0).revoke(id: id, .bearer, by: viewer)
        }
        audit("token.revoke", request, context, ["token": .text(id)])
        return Response(status: .noContent)
    }

    private struct OwnSession: Sendable {
        var token: Token.Summary
        /// Whether the request uses this session.
        var isCurrent: Bool

        var json: JSON {
            func text(_ instant: Instant) -> JSON { .text(OffsetInstant(instant, offset: .utc).description) }
            return [
                "id": .text(token.id), "label": JSON(token.label), "created_at": text(token.created),
                "expires_at": text(token.expires), "current": .boolean(isCurrent),
            ]
        }
    }

    private func ownSessions(_ request: Request) async throws -> [OwnSession] {
        let (viewer, token) = try await user(of: request)
        let (clock, current) = (options.clock(), Token.id(of: token))
        let tokens = try await pool.read(for: Requester(viewer)) {
            try TokenActions(clock: clock, in: $0).tokens(of: viewer)
        }
        return tokens.map { OwnSession(token: $0, isCurrent: $0.id == current) }
    }

    /// Returns the user of a request and the token that the request contains.
    ///
    /// - Throws: 401 `not-signed-in` without a token, 403 `not-signed-in` for the operator's token.
    func user(of request: Request) async throws -> (Viewer, token: String) {
        guard let token = try TokenAuthenticator.token(of: request) else { throw Problem.notSignedIn }
        let viewer = try await authenticator.holder(of: token).viewer
        guard case .user = viewer else {
            throw Problem.userRequired("the operator has no account: send the token of a user")
        }
        return (viewer, token)
    }
}
