import Base
import HTTPServing
import HTTPTypes
import HabitModel
import HabitStore
import Hummingbird
import StoreEngine

/// Routes that sign a person in with a passkey.
package struct PasskeySignInRoutes: RouteGroup {
    let bodies: RequestBodies
    let audit: AuditLog
    let sessions: BrowserSessions
    let passkeys: PasskeyVerifier

    /// Creates the routes.
    ///
    /// - Parameters:
    ///   - bodies: Reads the bodies of requests.
    ///   - audit: The audit log.
    ///   - sessions: Opens the sessions of browsers.
    ///   - passkeys: Verifies passkeys.
    package init(
        bodies: RequestBodies,
        audit: AuditLog,
        sessions: BrowserSessions,
        passkeys: PasskeyVerifier
    ) {
        self.bodies = bodies
        self.audit = audit
        self.sessions = sessions
        self.passkeys = passkeys
    }

    package var routes: [Route] {
        [
            Route(
                .post,
                "/sign-in/passkey/challenge",
                operation: RouteOperation(
                    "passkeys.sign-in-options",
                    summary: "Begin a sign-in with a passkey",
                    description:
                        "Returns the options for 'navigator.credentials.get' (Web Authentication, section 5.5) with bytes in base64url. The challenge is valid for 5 minutes and for one sign-in. Returns 404 if the server has no passkeys.",
                    permission: .everyone,
                    query: nil,
                    content: .content(.json, schema: ["type": "object"])),
                handler: options),
            Route(.post, "/sign-in/passkey", operation: Self.signInOperation, handler: signIn),
        ]
    }

    private static let signInOperation = RouteOperation(
        "passkeys.sign-in",
        summary: "Sign in with a passkey",
        description:
            "Verifies the response of an authenticator and returns 201 with the cookie of a session. Returns 401 if the response is invalid, and 403 if a page of another site sends the request.",
        permission: .everyone,
        query: nil,
        body: ["required": true, "content": .content(.json, schema: .bytesSchema(AssertionResponse.members))],
        status: "201",
        content: .content(.json, schema: .reference("Session")))

    /// The largest body that is accepted, in bytes.
    static let bodyLimit = 16_384

    @Sendable private func options(_ call: Call) throws -> Response {
        guard let party = passkeys.relyingParty(in: call.context) else { throw Problem.noPasskeys }
        let challenge = try passkeys.challenge(for: .signIn, at: call.clock.now)
        let options: JSON = [
            "challenge": .text(challenge),
            "rpId": .text(party.id),
            "timeout": .integer(PasskeyChallenge.timeout),
            "userVerification": "required",
        ]
        return Response(options, headers: .notStored)
    }

    @Sendable private func signIn(_ call: Call) async throws -> Response {
        guard let party = passkeys.relyingParty(in: call.context) else { throw Problem.noPasskeys }
        let response = try await bodies.withBody(
            of: call.request,
            for: "client \(call.client)",
            limit: Self.bodyLimit
        ) { body in
            try AssertionResponse(ObjectBody(response: body, reading: AssertionResponse.members))
        }
        let opened = try await auditingCopies(for: call) {
            try await sessions.open(for: call) {
                { [passkeys] session in try Self.proof(response, with: passkeys, at: party, call, in: session) }
            }
        }
        return Response(
            SignInRoutes.description(of: opened.viewer, expires: opened.expires),
            status: .created,
            headers: opened.headers)
    }

    /// Verifies a response in the transaction of the new session.
    private static func proof(
        _ response: AssertionResponse,
        with passkeys: PasskeyVerifier,
        at party: RelyingParty,
        _ call: Call,
        in session: any Session
    ) throws -> BrowserSessions.Proof {
        do {
            let passkey = try passkeys.signIn(response, at: party, clock: call.clock, in: session)
            return BrowserSessions.Proof(
                viewer: passkey.owner,
                source: .signIn,
                details: ["passkey": .text(passkey.id)])
        } catch let fault as PasskeyFault {
            throw Problem.passkeyInvalid(because: fault)
        } catch let copied as CopiedPasskey {
            throw Problem.passkeyCopied(because: copied)
        }
    }

    /// Runs `signIn`, and writes a line to the audit log if the passkey may have been copied.
    private func auditingCopies<Result>(
        for call: Call,
        _ signIn: () async throws -> Result
    ) async throws -> Result {
        do {
            return try await signIn()
        } catch let problem as Problem {
            if let copied = problem.cause as? CopiedPasskey {
                let passkey = copied.passkey
                audit.record(
                    "passkey.refuse",
                    for: call,
                    user: passkey.owner,
                    details: ["passkey": .text(passkey.id)])
            }
            throw problem
        }
    }
}
