import Base
import HTTPServing
import HabitIngest
import HabitModel
import HabitStore
import StoreEngine

/// The result of a change that a client has sent.
struct AppliedChange: Sendable {
    enum Outcome: String, CaseIterable {
        case created
        case updated
        case deleted
        case unchanged
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
    var isChange: Bool {
        switch outcome {
        case .created, .updated, .deleted: true
        case .unchanged, .conflict, .refused: false
        }
    }

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
        if let problem {
            members.append(.init("problem", problem.document))
        }
        members.append(.init("result", .text(outcome.rawValue)))
        if let record {
            members.append(.init("version", .text(record.version)))
        }
        if outcome == .conflict {
            let feature = record.map { record in JSON.verbatim(record.feature) }
            members.append(.init("feature", feature ?? .null))
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
            self = try user.session.attempt {
                try ChangeWriter(change, for: user, tags: tags).write()
            }
        } catch let conflict as ChangeWriter.Conflict {
            let problem = Problem(
                .conflict,
                slug: "changed-meanwhile",
                detail:
                    "the record has changed since you read it: merge the changes and send them with the new version",
                field: "version")
            self.init(
                outcome: .conflict,
                change: try? sent.get(),
                record: conflict.record,
                problem: problem)
        } catch {
            let problem = Problem(error)
            guard problem.status.kind == .clientError else { throw error }
            self.init(outcome: .refused, change: try? sent.get(), problem: problem)
        }
    }
}

/// Writes one change to the store.
private struct ChangeWriter {
    /// The error of a change that is based on another version of the record.
    struct Conflict: Error {
        /// The current record, or `nil` if it does not exist.
        var record: SyncedRecord?
    }

    private let change: SentChange
    private let writes: FeatureWrites
    private let user: ActingUser
    private let records: SyncedRecords

    init(_ change: SentChange, for user: ActingUser, tags: LogTags) throws {
        guard let writes = change.collection.writes else {
            throw HabitError(.internal, "the collection is read-only")
        }
        self.change = change
        self.writes = writes
        self.user = user
        records = SyncedRecords(
            viewer: user.viewer,
            clock: user.clock,
            session: user.session,
            tags: tags)
    }

    func write() throws -> AppliedChange {
        switch (change.record, try stored()) {
        case (nil, nil): try result(.unchanged)
        case (nil, let stored?): try delete(stored)
        case (let record?, nil): try create(record)
        case (let record?, let stored?): try update(stored, to: record)
        }
    }

    /// Returns the stored record, or `nil` if it does not exist.
    private func stored() throws -> SyncedRecord? {
        try records.one(change.collection.kind, change.id)
    }

    private func result(_ outcome: AppliedChange.Outcome) throws -> AppliedChange {
        let record = try stored()
        return AppliedChange(outcome: outcome, change: change, record: record)
    }

    private func delete(_ stored: SyncedRecord) throws -> AppliedChange {
        guard change.version == stored.version else { throw Conflict(record: stored) }
        try writes.delete(change.id, user)
        return try result(.deleted)
    }

    private func create(_ record: RecordPayload) throws -> AppliedChange {
        guard change.version == nil else { throw Conflict(record: nil) }
        try record.requireOwner(user, of: change.collection.kind)
        let id = try writes.create(record, user)
        guard id == change.id else {
            throw HabitError(
                .idInvalid,
                "the id '\(change.id)' is not the id of this record",
                field: "id")
        }
        return try result(.created)
    }

    private func update(_ stored: SyncedRecord, to record: RecordPayload) throws -> AppliedChange {
        if try isRepeated(record, stored) {
            return AppliedChange(outcome: .unchanged, change: change, record: stored)
        }
        guard let update = writes.update else { throw Conflict(record: stored) }
        var record = record
        record.keepsDefaults = change.version == nil
        try update(change.id, record, user)
        let updated = try result(.updated)
        guard updated.record?.version != stored.version else { return try result(.unchanged) }
        guard change.version == stored.version else { throw Conflict(record: stored) }
        return updated
    }

    /// Whether a record of two users already has all values that a client may set.
    ///
    /// Such a record, for example a follow, cannot be written again by the user who has created it.
    private func isRepeated(_ record: RecordPayload, _ stored: SyncedRecord) throws -> Bool {
        let fields: [Field]
        switch change.collection.kind {
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
