import Foundation
import HTTPTypes
import HabitModel
import HabitStore
import Hummingbird

/// Signing in with an identity, and out again.
extension HabitatServer {
    func addSession(to router: Router<HabitContext>) {
        router.route("session", [.post: signIn, .get: session, .delete: signOut])
    }

    /// How long a session lasts.
    private static let lifetime = Duration.seconds(30 * 86_400)

    private struct Credentials: Decodable {
        var id_token: String
        var nonce: String?
    }

    private func signIn(_ request: Request, _ context: HabitContext) async throws -> Response {
        guard let identities else {
            throw Problem(
                .notFound, ErrorCode.notFound.slug,
                "nobody can sign in with an identity here: use a token of 'habitat token create'")
        }
        let bytes = try await body(request, limit: 16_384)
        guard let sent = try? JSONDecoder().decode(Credentials.self, from: Data(bytes)) else {
            throw HabitError(.rowInvalid, "the body must be a JSON object with an 'id_token'", field: "id_token")
        }
        let clock = options.clock()
        let identity = try await identities.verify(sent.id_token, nonce: sent.nonce, now: clock.now)
        let (token, viewer) = try await pool.write { session in
            let viewer = try SignIn(in: session).account(of: identity)
            let token = try TokenActions(clock: clock, in: session).create(
                for: viewer, label: "sign-in", lifetime: Self.lifetime)
            return (token, viewer)
        }
        return Response(
            Self.description(of: viewer, expires: token.expires).merging(["token": .text(token.secret)]),
            status: .created, headers: [.cacheControl: "no-store"])
    }

    private func session(_ request: Request, _ context: HabitContext) async throws -> Response {
        guard let token = try Callers.token(of: request) else { throw Problem.notSignedIn }
        let holder = try await callers.holder(of: token)
        return Response(
            Self.description(of: holder.viewer, expires: holder.expires), headers: [.cacheControl: "no-store"])
    }

    private func signOut(_ request: Request, _ context: HabitContext) async throws -> Response {
        guard let token = try Callers.token(of: request) else { throw Problem.notSignedIn }
        guard try await callers.holder(of: token).expires.microseconds < .max else {
            throw Problem(
                .forbidden, ErrorCode.operatorOnly.slug,
                "this token is that of a file: it ends when the file is changed")
        }
        let clock = options.clock()
        try await pool.write { try TokenActions(clock: clock, in: $0).revoke(secret: token) }
        return Response(status: .noContent)
    }

    private static func description(of viewer: Viewer, expires: Instant) -> JSON {
        var user: JSON = .null
        if case .user(_, let id) = viewer { user = .text(id) }
        let isEndless = expires.microseconds == .max
        return [
            "user": user, "expires_at": isEndless ? .null : .text(OffsetInstant(expires, offset: .utc).description),
        ]
    }
}
