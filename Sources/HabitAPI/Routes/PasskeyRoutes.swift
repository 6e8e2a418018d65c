import Base
import Foundation
import HTTPServing
import HTTPTypes
import HabitModel
import HabitStore
import Hummingbird

/// Routes for the user's passkeys.
package struct PasskeyRoutes: RouteGroup {
    let store: StorePool
    let bodies: RequestBodies
    let audit: AuditLog
    let callers: TokenAuthenticator
    let ways: SignInWays
    let passkeys: PasskeyVerifier

    /// Creates the routes.
    ///
    /// - Parameters:
    ///   - store: The connections to the store.
    ///   - bodies: Reads the bodies of requests.
    ///   - audit: The audit log.
    ///   - callers: Finds the sessions of requests.
    ///   - ways: Lists and removes the passkeys of users.
    ///   - passkeys: Verifies passkeys.
    package init(
        store: StorePool,
        bodies: RequestBodies,
        audit: AuditLog,
        callers: TokenAuthenticator,
        ways: SignInWays,
        passkeys: PasskeyVerifier
    ) {
        self.store = store
        self.bodies = bodies
        self.audit = audit
        self.callers = callers
        self.ways = ways
        self.passkeys = passkeys
    }

    package var routes: [Route] {
        [
            Route(
                .get,
                "/passkeys",
                operation: RouteOperation(
                    "passkeys.list",
                    summary: "List your passkeys",
                    description: "Returns the passkeys of the user, oldest first.",
                    permission: .users,
                    query: nil,
                    content: .content(.json, schema: Self.listSchema)),
                handler: list),
            Route(.post, "/passkeys", operation: Self.addOperation, handler: add),
            Route(
                .post,
                "/passkeys/challenge",
                operation: RouteOperation(
                    "passkeys.options",
                    summary: "Begin to add a passkey",
                    description:
                        "Returns the options for 'navigator.credentials.create' (Web Authentication, section 5.4) with bytes in base64url. The challenge is valid for 5 minutes and for one passkey of the user. The request needs the cookie of a session that no access token has opened. Returns 404 if the server has no passkeys.",
                    permission: .users,
                    query: nil,
                    content: .content(.json, schema: ["type": "object"])),
                handler: options),
            Route(.patch, "/passkeys/{passkeyId}", operation: Self.renameOperation, handler: rename),
            Route(
                .delete,
                "/passkeys/{passkeyId}",
                operation: RouteOperation(
                    "passkeys.remove",
                    summary: "Remove a passkey",
                    description:
                        "No user can sign in with the passkey from then on. The sessions that it has opened stay. Returns 204.",
                    permission: .users,
                    pathParameters: [Self.idParameter],
                    query: nil,
                    status: "204"),
                handler: remove),
        ]
    }

    // MARK: Descriptions

    private static let addOperation = RouteOperation(
        "passkeys.add",
        summary: "Add a passkey",
        description:
            "Verifies the response of an authenticator and returns 201 with the passkey. The request needs the cookie of a session that no access token has opened. A user has at most 20 passkeys.",
        permission: .users,
        query: nil,
        body: ["required": true, "content": .content(.json, schema: attestationSchema)],
        status: "201",
        content: content)

    private static let renameOperation = RouteOperation(
        "passkeys.update",
        summary: "Rename a passkey",
        description: "Changes the label. The label `null` removes it.",
        permission: .users,
        pathParameters: [idParameter],
        query: nil,
        body: ["required": true, "content": .content(.json, schema: changeSchema)],
        content: content)

    private static let idParameter = JSON.pathParameter("passkeyId", "ID of a passkey in the list of passkeys.")

    private static let attestationSchema: JSON = {
        guard case .object(var schema) = JSON.bytesSchema(AttestationResponse.members),
            case .object(var properties)? = schema["properties"]
        else { return .null }
        properties["label"] = labelSchema
        schema["properties"] = .object(properties)
        return .object(schema)
    }()

    private static let labelSchema: JSON = [
        "type": "string",
        "nullable": true,
        "maxLength": .integer(OwnTokens.labelLimit),
    ]

    private static let changeSchema: JSON = ["type": "object", "properties": ["label": labelSchema]]

    /// The schema of a passkey, which the document at `/api` contains as `Passkey`.
    static let passkeySchema: JSON = [
        "type": "object",
        "required": ["id", "label", "created_at", "used_at"],
        "properties": [
            "id": ["type": "string"],
            "label": ["type": "string", "nullable": true],
            "created_at": ["type": "string", "format": "date-time"],
            "used_at": [
                "type": "string",
                "format": "date-time",
                "nullable": true,
                "description": "Time of the last sign-in with the passkey.",
            ],
        ],
    ]

    private static let listSchema: JSON = [
        "type": "object",
        "required": ["passkeys"],
        "properties": ["passkeys": ["type": "array", "items": .reference("Passkey")]],
    ]

    private static let content = JSON.content(.json, schema: .reference("Passkey"))

    // MARK: New passkeys

    /// The server and the user of a request that adds a passkey.
    private struct Applicant {
        let party: RelyingParty
        let viewer: Viewer
        /// The key of the user.
        let key: Int64
        /// The ID of the user.
        let id: String
    }

    /// Returns the user of a request with the cookie of a session that no access token has opened.
    ///
    /// - Throws: 403 `not-signed-in` for a request with another credential, and 404 `not-found` if the server has no
    ///   passkeys.
    private func applicant(_ call: Call) async throws -> Applicant {
        try await callers.requirePersonalSession(call.request)
        guard case .user(let key, let id) = try call.viewer else { throw Problem.personalSessionRequired }
        guard let party = passkeys.relyingParty(in: call.context) else { throw Problem.noPasskeys }
        return Applicant(party: party, viewer: try call.viewer, key: key, id: id)
    }

    @Sendable private func options(_ call: Call) async throws -> Response {
        let applicant = try await applicant(call)
        let known = try await store.read(for: call.requester) { session in
            try PasskeyActions(clock: call.clock, in: session).passkeys(of: applicant.viewer)
        }
        guard known.count < PasskeyActions.limit else { throw Problem(PasskeyRefusal.tooMany) }
        let handle = PasskeyActions.userHandle(after: known)
        let challenge = try passkeys.challenge(
            for: .registration(user: applicant.key, userHandle: handle),
            at: call.clock.now)
        let options: JSON = [
            "challenge": .text(challenge),
            "rp": ["id": .text(applicant.party.id), "name": "Habitat"],
            "user": [
                "id": Self.text(handle),
                "name": .text(applicant.id),
                "displayName": .text(applicant.id),
            ],
            "pubKeyCredParams": .list(Passkey.Algorithm.allCases.map(\.parameters)),
            "timeout": .integer(PasskeyChallenge.timeout),
            "attestation": "none",
            "authenticatorSelection": [
                "residentKey": "required",
                "requireResidentKey": true,
                "userVerification": "required",
            ],
            "excludeCredentials": .list(known.map(Self.descriptor)),
        ]
        return Response(options, headers: .notStored)
    }

    /// Returns the description of a passkey that an authenticator already has.
    private static func descriptor(_ passkey: Passkey) -> JSON {
        ["type": "public-key", "id": text(passkey.credential.id)]
    }

    private static func text(_ bytes: [UInt8]) -> JSON {
        .text(Data(bytes).base64URLEncoded)
    }

    /// A verified passkey, and its label.
    private struct Sent {
        var registration: PasskeyVerifier.Registration
        var label: String?
    }

    @Sendable private func add(_ call: Call) async throws -> Response {
        let applicant = try await applicant(call)
        let sent = try await bodies.withBody(
            of: call.request,
            for: applicant.viewer.name,
            limit: PasskeySignInRoutes.bodyLimit
        ) { body in
            let object = try ObjectBody(response: body, reading: AttestationResponse.members + ["label"])
            return try verified(AttestationResponse(object), label: object.label, of: applicant, at: call.clock)
        }
        let passkey = try await store.write(for: call.requester) { session in
            guard try sent.registration.challenge.record(in: session, at: call.clock.now) else {
                throw Problem.newPasskeyInvalid(because: .usedChallenge)
            }
            do {
                let actions = PasskeyActions(clock: call.clock, in: session)
                return try actions.add(sent.registration.credential, label: sent.label, for: applicant.viewer)
            } catch let refused as PasskeyRefusal {
                throw Problem(refused)
            }
        }
        audit.record("passkey.create", for: call, details: ["passkey": .text(passkey.id)])
        return Response(Self.document(passkey), status: .created, headers: .notStored)
    }

    private func verified(
        _ response: AttestationResponse,
        label: String?,
        of applicant: Applicant,
        at clock: Clock
    ) throws -> Sent {
        do {
            let registration = try passkeys.registration(
                response,
                for: applicant.key,
                at: applicant.party,
                now: clock.now)
            return Sent(registration: registration, label: label)
        } catch {
            throw Problem.newPasskeyInvalid(because: error)
        }
    }

    // MARK: Passkeys of the user

    @Sendable private func list(_ call: Call) async throws -> Response {
        let known = try await ways.known(for: call)
        return Response(["passkeys": .list(known.passkeys.map(Self.document))], headers: .notStored)
    }

    @Sendable private func rename(_ call: Call) async throws -> Response {
        let viewer = try call.viewer
        let id = try call.pathParameter("passkeyId")
        let label = try await bodies.withBody(
            of: call.request,
            for: viewer.name,
            limit: PasskeySignInRoutes.bodyLimit
        ) { body in
            guard let sent = ObjectBody(body, reading: ["label"]) else {
                throw HabitError(
                    .rowInvalid,
                    "the body is not a JSON object with a text 'label': send one",
                    field: "label")
            }
            return try sent.label
        }
        let passkey = try await store.write(for: call.requester) { session in
            let actions = PasskeyActions(clock: call.clock, in: session)
            try actions.rename(id: id, to: label, by: viewer)
            return try actions.passkey(id: id, of: viewer)
        }
        audit.record("passkey.update", for: call, details: ["passkey": .text(id)])
        return Response(Self.document(passkey), headers: .notStored)
    }

    @Sendable private func remove(_ call: Call) async throws -> Response {
        try await ways.removePasskey(try call.pathParameter("passkeyId"), for: call)
        return Response(status: .noContent)
    }

    private static func document(_ passkey: Passkey) -> JSON {
        [
            "id": .text(passkey.id),
            "label": JSON(passkey.label),
            "created_at": text(passkey.created),
            "used_at": passkey.used.map(text) ?? .null,
        ]
    }

    private static func text(_ instant: Instant) -> JSON {
        .text(OffsetInstant(instant, offset: .utc).description)
    }
}

extension Passkey.Algorithm {
    /// The parameters of a new key pair with the algorithm's number in the registry of COSE (RFC 9053 and RFC 8812).
    fileprivate var parameters: JSON {
        switch self {
        case .es256: ["type": "public-key", "alg": -7]
        case .rs256: ["type": "public-key", "alg": -257]
        }
    }
}
