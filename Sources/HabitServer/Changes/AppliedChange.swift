import Foundation
import HabitIngest
import HabitModel
import HabitStore
import StoreEngine

/// The result of a change that a client has sent.
struct AppliedChange: Sendable {
    enum Outcome: String, CaseIterable {
        case created, updated, deleted, unchanged
        /// The record has changed since the client has read it.
        case conflict
        case refused
    }

    var outcome: Outcome
    var change: SentChange
    /// The record after the change; after a conflict the record as it is now, or `nil` if it does not exist.
    var record: SyncedRecord?
    var problem: Problem?

    /// Whether the store was changed.
    var isChange: Bool { [.created, .updated, .deleted].contains(outcome) }

    /// The name of the change in the audit log.
    var auditName: String {
        switch outcome {
        case .created: "create"
        case .deleted: "delete"
        case .updated, .unchanged, .conflict, .refused: "update"
        }
    }

    /// The JSON object of the response.
    var bytes: [UInt8] {
        var members: [String: JSON] = [
            "collection": .text(change.collection.id), "id": .text(change.id), "result": .text(outcome.rawValue),
        ]
        if let record { members["version"] = .text(record.version) }
        if let problem { members["problem"] = problem.document }
        let object = JSON.object(members).bytes
        guard outcome == .conflict else { return object }
        return object.dropLast() + Array(#","feature":"#.utf8) + (record?.feature ?? Array("null".utf8)) + [
            UInt8(ascii: "}")
        ]
    }
}

extension SentChange {
    /// Applies the change in a savepoint.
    ///
    /// A change that was already applied has no effect.
    ///
    /// - Parameter user: The user who sends the change.
    /// - Returns: The result. An error of the client is a part of the result.
    /// - Throws: An error of the engine, which ends the transaction.
    func apply(for user: ActingUser) throws -> AppliedChange {
        do {
            return try user.session.attempt { try write(for: user) }
        } catch let conflict as Conflict {
            let problem = Problem(
                .conflict, "changed-meanwhile",
                "the record has changed since you read it: merge the changes and send them with the new version",
                field: "version")
            return AppliedChange(outcome: .conflict, change: self, record: conflict.record, problem: problem)
        } catch {
            let problem = Problem(error)
            guard problem.status.kind == .clientError else { throw error }
            return AppliedChange(outcome: .refused, change: self, problem: problem)
        }
    }

    /// The error of a change that is based on another version of the record.
    private struct Conflict: Error {
        /// The record as it is now, or `nil` if it does not exist.
        var record: SyncedRecord?
    }

    private func write(for user: ActingUser) throws -> AppliedChange {
        guard let writes = collection.writes else { throw HabitError(.internal, "the collection is read-only") }
        let records = SyncedRecords(viewer: user.viewer, clock: user.clock, session: user.session)
        let stored = try records.one(collection.kind, id)
        let record = try record.get()
        func result(_ outcome: AppliedChange.Outcome) throws -> AppliedChange {
            AppliedChange(outcome: outcome, change: self, record: try records.one(collection.kind, id))
        }
        switch (record, stored) {
        case (nil, nil): return try result(.unchanged)
        case (nil, let stored?):
            guard version == nil || version == stored.version else { throw Conflict(record: stored) }
            try writes.delete(id, user)
            return try result(.deleted)
        case (let record?, nil):
            guard version == nil else { throw Conflict(record: nil) }
            try HabitatServer.requireOwn(record, collection.kind, of: user)
            guard try writes.create(record, user) == id else {
                throw HabitError(.idInvalid, "the id '\(id)' is not the id of this record", field: "id")
            }
            return try result(.created)
        case (let record?, let stored?):
            guard let update = writes.update, !isRepeated(stored) else {
                guard isRepeated(stored) else { throw Conflict(record: stored) }
                return try result(.unchanged)
            }
            try update(id, record, user)
            let updated = try result(.updated)
            if updated.record?.version == stored.version { return try result(.unchanged) }
            guard version == stored.version else { throw Conflict(record: stored) }
            return updated
        }
    }

    private static func json(_ value: Any) -> Data? {
        try? JSONSerialization.data(withJSONObject: [value], options: .sortedKeys)
    }

    /// Whether a record of two users already has all values that the client has sent.
    ///
    /// Such a record, for example a follow, cannot be written again by the user who has created it.
    private func isRepeated(_ stored: SyncedRecord) -> Bool {
        guard [.follows, .claims, .messages].contains(collection.kind) else { return false }
        let known = stored.properties
        return properties.allSatisfy { name, value in
            known[name].map { Self.json($0) == Self.json(value) } ?? true
        }
    }
}
