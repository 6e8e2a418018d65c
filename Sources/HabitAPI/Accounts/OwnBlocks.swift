import Base
import HTTPServing
import HabitModel
import HabitStore
import StoreEngine

/// Lists, begins and ends the blocks of the caller, for the API and for the account page.
///
/// Each change is one transaction, and the audit log has a line for it after the commit.
package struct OwnBlocks: Sendable {
    /// A block of the caller, by the name that the pages know, since they do not import the store.
    package typealias Entry = BlockActions.StoredBlock

    private let store: StorePool
    private let audit: AuditLog

    /// Creates the blocks of the users of a store.
    ///
    /// - Parameters:
    ///   - store: The connections to the store.
    ///   - audit: The audit log.
    package init(store: StorePool, audit: AuditLog) {
        self.store = store
        self.audit = audit
    }

    /// Reads the blocks of the caller.
    ///
    /// - Parameter call: The request.
    /// - Returns: The blocks in the order of the IDs of the blocked users.
    /// - Throws: An error of the store.
    package func list(for call: Call) async throws -> [Entry] {
        let viewer = try call.viewer
        return try await store.read(for: call.requester) { session in
            let user = try ActingUser(viewer, clock: call.clock, in: session)
            return try BlockActions(user).all()
        }
    }

    /// Blocks a user.
    ///
    /// - Parameters:
    ///   - id: The ID of the user.
    ///   - call: The request.
    /// - Throws: The errors of ``BlockActions/block(_:)`` and of the store.
    package func block(_ id: String, for call: Call) async throws {
        let viewer = try call.viewer
        try await store.write(for: call.requester) { session in
            let user = try ActingUser(viewer, clock: call.clock, in: session)
            try BlockActions(user).block(id)
        }
        audit.record("block.create", for: call, details: ["blocked": .text(id)])
    }

    /// Ends a block of the caller.
    ///
    /// - Parameters:
    ///   - id: The ID of the blocked user.
    ///   - call: The request.
    /// - Throws: The errors of ``BlockActions/unblock(_:)`` and of the store.
    package func unblock(_ id: String, for call: Call) async throws {
        let viewer = try call.viewer
        try await store.write(for: call.requester) { session in
            let user = try ActingUser(viewer, clock: call.clock, in: session)
            try BlockActions(user).unblock(id)
        }
        audit.record("block.delete", for: call, details: ["blocked": .text(id)])
    }
}
