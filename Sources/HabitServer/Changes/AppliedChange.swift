import Base
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
    /// The change, or `nil` if it was malformed.
    var change: SentChange?
    /// The record after the change; after a conflict the current record, or `nil` if it does not exist.
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

    /// Returns the JSON object of the response.
    func json(number: Int) -> JSON {
        var members: [JSON.Member] = []
        if let change {
            members.append(.init("collection", .text(change.collection.id)))
            members.append(.init("id", .text(change.id)))
        }
        members.append(.init("number", .integer(number)))
        if let problem { members.append(.init("problem", problem.document)) }
        members.append(.init("result", .text(outcome.rawValue)))
        if let record { members.append(.init("version", .text(record.version))) }
        if outcome == .conflict {
            members.append(.init("feature", record.map { .verbatim($0.feature) } ?? .null))
        }
        return .ordered(members)
    }
}

extension AppliedChange {
    /// Applies a change in a savepoint.
    ///
    /// A change that was already applied has no effect.
    ///
    /// - Parameters:
    ///   - sent: The change, or the error of a malformed change.
    ///   - user: The user who sends the change.
    ///   - tags: The tags of the user's part of the log.
    /// - Throws: An error of the engine, which ends the transaction. An error of the client is a part of the result.
    init(_ sent: Result<SentChange, HabitError>, for user: ActingUser, tags: LogTags) throws {
        do {
            let change = try sent.get()
            self = try user.session.attempt { try change.write(for: user, tags: tags) }
        } catch let conflict as SentChange.Conflict {
            let problem = Problem(
                .conflict, "changed-meanwhile",
                "the record has changed since you read it: merge the changes and send them with the new version",
                field: "version")
            self.init(outcome: .conflict, change: try? sent.get(), record: conflict.record, problem: problem)
        } catch {
            let problem = Problem(error)
            guard problem.status.kind == .clientError else { throw error }
            self.init(outcome: .refused, change: try? sent.get(), problem: problem)
        }
    }
}

extension SentChange {
    /// The error of a change that is based on another version of the record.
    fileprivate struct Conflict: Error {
        /// The current record, or `nil` if it does not exist.
        var record: SyncedRecord?
    }

    fileprivate func write(for user: ActingUser, tags: LogTags) throws -> AppliedChange {
        guard let writes = collection.writes else { throw HabitError(.internal, "the collection is read-only") }
        let records = SyncedRecords(
            viewer: user.viewer, clock: user.clock, session: user.session, tags: tags)
        let stored = try records.one(collection.kind, id)
        func result(_ outcome: AppliedChange.Outcome) throws -> AppliedChange {
            AppliedChange(outcome: outcome, change: self, record: try records.one(collection.kind, id))
        }
        switch (record, stored) {
        case (nil, nil): return try result(.unchanged)
        case (nil, let stored?):
            guard version == stored.version else { throw Conflict(record: stored) }
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
            if try isRepeated(record, stored) {
                return AppliedChange(outcome: .unchanged, change: self, record: stored)
            }
            guard let update = writes.update else { throw Conflict(record: stored) }
            var record = record
            record.keepsDefaults = version == nil
            try update(id, record, user)
            let updated = try result(.updated)
            guard updated.record?.version != stored.version else { return try result(.unchanged) }
            guard version == stored.version else { throw Conflict(record: stored) }
            return updated
        }
    }

    /// Whether a record of two users already has all values that a client may set.
    ///
    /// Such a record, for example a follow, cannot be written again by the user who has created it.
    private func isRepeated(_ record: RecordPayload, _ stored: SyncedRecord) throws -> Bool {
        let fields: [Field]
        switch collection.kind {
        case .follows: fields = [.follower, .followee, .status, .share]
        case .claims: fields = [.item, .user, .state]
        case .messages: fields = [.item, .sender, .recipient, .text]
        default: return false
        }
        return try fields.allSatisfy { field in
            guard let sent = try record.optional(field) else { return true }
            return sent.composed == stored.text(field.name)
        }
    }
}
