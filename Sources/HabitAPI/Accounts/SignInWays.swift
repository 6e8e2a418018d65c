import Base
import HabitModel
import HabitStore

/// The ways in which a user signs in: passkeys, and identities at issuers.
package struct SignInWays: Sendable {
    private let store: StorePool
    private let audit: AuditLog
    private let callers: TokenAuthenticator

    /// Creates the ways of the users of a server.
    ///
    /// - Parameters:
    ///   - store: The connections to the store.
    ///   - audit: The audit log.
    ///   - callers: Finds the sessions of requests.
    package init(store: StorePool, audit: AuditLog, callers: TokenAuthenticator) {
        self.store = store
        self.audit = audit
        self.callers = callers
    }

    /// The ways of a user, oldest first.
    package struct Known: Sendable {
        /// The passkeys.
        package let passkeys: [Passkey]
        /// The identities at issuers.
        package let identities: [LinkedIdentity]
        /// Whether the request may add a way.
        package let canGrow: Bool
    }

    /// Reads the ways of the caller.
    ///
    /// - Parameter call: The request.
    /// - Returns: The ways.
    /// - Throws: An error of the store.
    package func known(for call: Call) async throws -> Known {
        let viewer = try call.viewer
        let canGrow = try await callers.isPersonalSession(call.request)
        return try await store.read(for: call.requester) { session in
            Known(
                passkeys: try PasskeyActions(clock: call.clock, in: session).passkeys(of: viewer),
                identities: try Identities(in: session).identities(of: viewer),
                canGrow: canGrow)
        }
    }

    /// Removes a passkey of the caller.
    ///
    /// The sessions that it has opened stay.
    ///
    /// - Parameters:
    ///   - id: The name of the passkey.
    ///   - call: The request.
    /// - Throws: `not-found` if the caller does not have the passkey, and the errors of the store.
    package func removePasskey(_ id: String, for call: Call) async throws {
        let viewer = try call.viewer
        try await store.write(for: call.requester) { session in
            try PasskeyActions(clock: call.clock, in: session).remove(id: id, by: viewer)
        }
        audit.record("passkey.delete", for: call, details: ["passkey": .text(id)])
    }

    /// Removes an identity of the caller.
    ///
    /// The sessions that it has opened stay.
    ///
    /// - Parameters:
    ///   - id: The name of the identity.
    ///   - call: The request.
    /// - Throws: `not-found` if the caller does not have the identity, and the errors of the store.
    package func removeIdentity(_ id: String, for call: Call) async throws {
        let viewer = try call.viewer
        let removed = try await store.write(for: call.requester) { session in
            try Identities(in: session).remove(id, of: viewer)
        }
        audit.record("identity.remove", for: call, details: ["issuer": .text(removed.issuer)])
    }
}
