import Base
import HTTPServing
import HabitModel
import HabitStore
import StoreEngine

/// Reads, changes and deletes the caller's own account, for the resource `/user` and for the account page.
///
/// Each change is one transaction, and the audit log has a line for it after its commit.
package struct AccountChanges: Sendable {
    private let store: StorePool
    private let audit: AuditLog

    /// Creates the changes of accounts in a store.
    ///
    /// - Parameters:
    ///   - store: The connections to the store.
    ///   - audit: The audit log.
    package init(store: StorePool, audit: AuditLog) {
        self.store = store
        self.audit = audit
    }

    /// Reads the values of the account.
    ///
    /// - Parameter call: The request of the user.
    /// - Returns: The values.
    /// - Throws: 401 `not-signed-in` if another request has deleted the account, and the errors of the store.
    package func details(for call: Call) async throws -> AccountDetails {
        let viewer = try call.viewer
        return try await store.read(for: call.requester) { session in
            try AccountDetails(of: viewer, in: session)
        }
    }

    /// Changes the name.
    ///
    /// - Parameters:
    ///   - name: The new name; an empty text removes it.
    ///   - call: The request of the user.
    /// - Throws: The errors of ``edit(_:for:reading:)``.
    package func setName(_ name: String, for call: Call) async throws {
        var draft = UserDraft()
        draft.name = name.isEmpty ? .null : .value(name)
        try await edit(draft, for: call)
    }

    /// Changes the time zone.
    ///
    /// - Parameters:
    ///   - id: The IANA name of the zone.
    ///   - call: The request of the user.
    /// - Throws: The errors of ``edit(_:for:reading:)``.
    package func setTimeZone(_ id: String, for call: Call) async throws {
        var draft = UserDraft()
        draft.timeZone = .value(id)
        try await edit(draft, for: call)
    }

    /// Permits or refuses new positions.
    ///
    /// - Parameters:
    ///   - isPermitted: Whether the server stores positions.
    ///   - call: The request of the user.
    /// - Throws: The errors of ``edit(_:for:reading:)``.
    package func setSharesLocation(_ isPermitted: Bool, for call: Call) async throws {
        var draft = UserDraft()
        draft.sharesLocation = .value(isPermitted)
        try await edit(draft, for: call)
    }

    /// Adds a private place, or replaces the place of the same name.
    ///
    /// - Parameters:
    ///   - place: The place.
    ///   - call: The request of the user.
    /// - Throws: `field-invalid` if the user has the maximum number of other places, and the errors of
    ///   ``edit(_:for:reading:)``.
    package func setPrivatePlace(_ place: PrivatePlace, for call: Call) async throws {
        let viewer = try call.viewer
        try await change(for: call) { session, id in
            try AccountActions(viewer, in: session).setPrivatePlace(place, of: id)
        }
    }

    /// Deletes a private place.
    ///
    /// - Parameters:
    ///   - name: The name of the place in any letter case.
    ///   - call: The request of the user.
    /// - Throws: `not-found` if the user has no place with the name, and the errors of ``edit(_:for:reading:)``.
    package func deletePrivatePlace(_ name: String, for call: Call) async throws {
        let viewer = try call.viewer
        try await change(for: call) { session, id in
            try AccountActions(viewer, in: session).deletePrivatePlace(name, of: id)
        }
    }

    private func edit(_ draft: UserDraft, for call: Call) async throws {
        try await edit(draft, for: call) { _ in }
    }

    /// Changes the account, and reads the result in the same transaction.
    ///
    /// - Parameters:
    ///   - draft: The values to change.
    ///   - call: The request of the user.
    ///   - read: Reads the changed account.
    /// - Returns: The result of `read`.
    /// - Throws: 412 `changed-meanwhile` if a precondition of the request is false, 401 `not-signed-in` if another
    ///   request has deleted the account, the errors of ``AccountActions/edit(_:_:)``, of `read` and of the store.
    func edit<Result: Sendable>(
        _ draft: UserDraft,
        for call: Call,
        reading read: @escaping @Sendable (any Session) throws -> Result
    ) async throws -> Result {
        let viewer = try call.viewer
        return try await change(for: call) { session, id in
            try AccountActions(viewer, in: session).edit(id, draft)
            return try read(session)
        }
    }

    /// Changes the account in a transaction whose beginning checks that the account exists and meets the precondition.
    private func change<Result: Sendable>(
        for call: Call,
        _ body: @escaping @Sendable (any Session, _ id: String) throws -> Result
    ) async throws -> Result {
        let viewer = try call.viewer
        let condition = Preconditions(call.request.headers)
        let result = try await store.write(for: call.requester) { session in
            let id = try Self.requireStored(viewer, if: condition, in: session)
            return try body(session, id)
        }
        audit.record("account.update", for: call)
        return result
    }

    /// Deletes the account with all its records and sessions.
    ///
    /// - Parameter call: The request of the user.
    /// - Throws: The errors of ``edit(_:for:reading:)``.
    package func delete(for call: Call) async throws {
        let viewer = try call.viewer
        let condition = Preconditions(call.request.headers)
        try await store.write(for: call.requester) { session in
            let id = try Self.requireStored(viewer, if: condition, in: session)
            _ = try AccountActions(viewer, in: session).delete(id)
        }
        audit.record("account.delete", for: call, user: viewer)
    }

    /// Checks that the account of a user exists and meets a condition, and returns its ID.
    private static func requireStored(
        _ viewer: Viewer,
        if condition: Preconditions,
        in session: any Session
    ) throws -> String {
        guard case .user(_, let id) = viewer else { throw Problem.notSignedIn }
        let stored = try OwnAccount.storedTag(of: viewer, in: session)
        try condition.check(stored: stored, of: "account")
        return id
    }
}
