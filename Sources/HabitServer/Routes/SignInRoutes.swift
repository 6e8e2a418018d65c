import Base
import Foundation
import HTTPTypes
import HabitModel
import HabitStore
import Hummingbird

/// Routes that sign a user in with an ID token, describe the session and sign the user out.
extension HabitatServer {
    func addSession(to router: Router<HabitContext>) {
        router.route("session", [.post: signIn, .get: session, .delete: signOut])
    }

    /// The lifetime of a session: 30 days.
    private static let lifetime = Duration.seconds(30 * 86_400)

    private struct Credentials: Decodable {
        var id_token: String
        var nonce: String?
        var time_zone: String?
    }

    private func signIn(_ request: Request, _ context: HabitContext) async throws -> Response {
        guard let identities else {
            throw Problem(
                .notFound, ErrorCode.notFound.slug,
                "sign-in is disabled on this server: use a token from the operator")
        }
        let sent = try await withBody(of: request, for: "client \(client(of: request, context))", limit: 16_384) {
            guard let sent = try? JSONDecoder().decode(Credentials.self, from: Data($0)) else {
                throw HabitError(
                    .rowInvalid, "the body is not a JSON object with the member 'id_token': send one", field: "id_token"
                )
            }
            return sent
        }
        let timeZone = try Self.timeZone(sent, request)
        let (created, viewer, change) = try await auditingRefusal(request, context) {
            try await openSession(sent, with: identities, timeZone)
        }
        let token = created.token
        if let change { audit("account.\(change.rawValue)", request, context, user: viewer, [:]) }
        audit(
            "token.create", request, context, user: viewer,
            ["token": .text(token.id), "expires_at": .text(OffsetInstant(token.expires, offset: .utc).description)])
        for id in created.revoked { audit("token.revoke", request, context, user: viewer, ["token": .text(id)]) }
        return Response(
            Self.description(of: viewer, expires: token.expires).merging(["token": .text(token.secret)]),
            status: .created, headers: [.cacheControl: "no-store"])
    }

    /// Verifies an ID token and creates a session of its person.
    private func openSession(
        _ sent: Credentials, with identities: IdentityVerifier, _ timeZone: TimeZoneRules?
    ) async throws -> (TokenActions.Replacement, Viewer, AccountChange?) {
        let clock = options.clock()
        let signUp = options.signIn?.signUp ?? .invited
        let (identity, use) = try await identities.verify(sent.id_token, nonce: sent.nonce, now: clock.now)
        return try await pool.write(for: .server) { session in
            guard try SignIn(in: session).record(use, at: clock.now) else { throw IdentityVerifier.invalid }
            let (viewer, change) = try SignIn(in: session).account(of: identity, timeZone: timeZone, signUp: signUp)
            let created = try TokenActions(clock: clock, in: session).createSession(
                for: viewer, lifetime: Self.lifetime)
            return (created, viewer, change)
        }
    }

    private static let notInvited = Problem(
        .forbidden, "not-invited",
        "no account is intended for this person: ask the operator to add an account with your e-mail address")

    /// Runs `signIn`, and audits a refusal.
    ///
    /// - Returns: The result of `signIn`.
    /// - Throws: 429 `too-many-requests` after too many refused sign-ins of the client, 403 `not-invited`, and the other
    ///   errors of `signIn`.
    private func auditingRefusal<Result>(
        _ request: Request, _ context: HabitContext, _ signIn: () async throws -> Result
    ) async throws -> Result {
        let client = client(of: request, context)
        if let seconds = signInFailures.wait(of: client) {
            throw Problem(
                .tooManyRequests, "too-many-requests",
                "too many sign-ins from this address were refused: try again in \(seconds) s",
                headers: [.retryAfter: "\(seconds)"])
        }
        do {
            return try await signIn()
        } catch {
            let problem = error is NotInvited ? Self.notInvited : Problem(error)
            guard problem.status.kind == .clientError else { throw error }
            _ = signInFailures.record(client)
            audit("sign-in.refuse", request, context, ["reason": .text(problem.slug)])
            throw problem
        }
    }

    /// Returns the time zone of a new account: the member `time_zone`, otherwise the header `Time-Zone`.
    ///
    /// - Throws: `time-zone-invalid`.
    private static func timeZone(_ sent: Credentials, _ request: Request) throws -> TimeZoneRules? {
        if let id = sent.time_zone { return try .named(id, field: Field.timeZone.name) }
        return try request.headers[.timeZone].map { try .named($0, field: HTTPField.Name.timeZone.rawName) }
    }

    private func session(_ request: Request, _ context: HabitContext) async throws -> Response {
        guard let token = try TokenAuthenticator.token(of: request) else { throw Problem.notSignedIn }
        let holder = try await authenticator.holder(of: token)
        return Response(
            Self.description(of: holder.viewer, expires: holder.expires), headers: [.cacheControl: "no-store"])
    }

    private func signOut(_ request: Request, _ context: HabitContext) async throws -> Response {
        guard let token = try TokenAuthenticator.token(of: request) else { throw Problem.notSignedIn }
        let holder = try await authenticator.holder(of: token)
        guard holder.expires.microseconds < .max else {
            throw Problem(
                .forbidden, ErrorCode.operatorOnly.slug,
                "the token of the operator token file cannot be revoked: change the file and restart the server")
        }
        let clock = options.clock()
        try await pool.write(for: Requester(holder.viewer)) {
            try TokenActions(clock: clock, in: $0).revoke(secret: token)
        }
        audit("token.revoke", request, context, ["token": .text(Token.id(of: token))])
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
