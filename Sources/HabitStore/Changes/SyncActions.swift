import Base
import HabitModel
import StoreEngine

/// A change that a client has made to its copy of a record.
public struct SyncChange: Sendable {
    /// The kind of the record.
    public var kind: RecordKind
    /// The ID of the record.
    ///
    /// The ID of a relation is a ``CompositeID`` of two IDs.
    public var id: String
    /// The version of the record on which the change is based; `nil` for a record that is new to the client.
    public var version: String?
    /// The values that replace the record, or `nil` if the change deletes the record.
    public var record: RecordChange?

    /// Creates a change.
    ///
    /// - Parameters:
    ///   - kind: The kind of the record.
    ///   - id: The ID of the record.
    ///   - version: The version on which the change is based, or `nil`.
    ///   - record: The values of the record, or `nil` for a deletion.
    public init(
        _ kind: RecordKind,
        id: String,
        version: String? = nil,
        record: RecordChange? = nil
    ) {
        self.kind = kind
        self.id = id
        self.version = version
        self.record = record
    }
}

/// The effect of a ``SyncChange`` on the store.
public struct SyncResult: Sendable, Equatable {
    /// A kind of effect.
    public enum Outcome: Sendable, CaseIterable {
        case created, updated, deleted
        /// The store has the values of the change already.
        case unchanged
        /// The record has changed since the client has read it, or the habit has an event with another ID on the day.
        ///
        /// The store is not changed.
        case conflict
    }

    /// The kind of the effect.
    public var outcome: Outcome
    /// The version of the record after the change, or `nil` if the user can see no such record.
    ///
    /// After a conflict with ``otherEvent``, it is the version of that event.
    public var version: String?
    /// The ID of the event that the habit of the change already has on its day, or `nil` for any other result.
    public var otherEvent: String?

    /// Creates a result.
    public init(_ outcome: Outcome, version: String? = nil, otherEvent: String? = nil) {
        self.outcome = outcome
        self.version = version
        self.otherEvent = otherEvent
    }
}

/// Applies the changes that a client has made to its copies of records.
///
/// A change is based on a version of the record. If another change came first, the change is a conflict, and the client
/// merges both. A change that was already applied has no effect, so that a client can repeat it.
public struct SyncActions {
    private let user: ActingUser
    private let records: SyncedRecords<StoredValues>

    /// Creates the actions of `user`.
    ///
    /// - Parameters:
    ///   - user: The user who has made the changes.
    ///   - tags: The tags of the user's part of the log, which the client had in its versions.
    package init(_ user: ActingUser, tags: LogTags) {
        self.user = user
        records = SyncedRecords(
            for: user.viewer,
            clock: user.clock,
            tags: tags,
            in: user.session,
            content: StoredValues.init)
    }

    /// The error of a change that is based on another version of the record.
    ///
    /// It ends the savepoint of the change.
    private struct Conflict: Error {
        /// The current version, or `nil` if the record does not exist.
        var version: String?
    }

    /// The error of a new event whose habit has another event on the day.
    ///
    /// It ends the savepoint of the change.
    private struct OtherEvent: Error {
        /// The ID of the other event.
        var id: String
        /// The error of the change if the other event does not exist.
        var error: HabitError
    }

    /// Applies a change in a savepoint.
    ///
    /// - Parameter change: The change.
    /// - Returns: The effect. A conflict is a result, and not an error.
    /// - Throws: The errors of ``RecordActions``; `id-invalid` if the ID of the change is not the ID of the new record.
    ///   After an error, the record is unchanged.
    public func apply(_ change: SyncChange) throws -> SyncResult {
        do {
            return try user.session.attempt {
                try write(change)
            }
        } catch let conflict as Conflict {
            return SyncResult(.conflict, version: conflict.version)
        } catch let other as OtherEvent {
            return try conflict(with: other)
        } catch let error as HabitError where error.code == .eventExists {
            guard let id = error.existingEvent else { throw error }
            return try conflict(with: OtherEvent(id: id, error: error))
        }
    }

    /// Returns the conflict of two events of one habit and day, for example of two devices.
    private func conflict(with other: OtherEvent) throws -> SyncResult {
        guard let stored = try records.one(.events, other.id) else { throw other.error }
        return SyncResult(.conflict, version: stored.version, otherEvent: stored.id)
    }

    private func write(_ change: SyncChange) throws -> SyncResult {
        switch (change.record, try stored(change)) {
        case (nil, nil): try result(.unchanged, of: change)
        case (nil, let stored?): try delete(stored, by: change)
        case (let record?, nil): try create(record, by: change)
        case (let record?, let stored?): try update(stored, to: record, by: change)
        }
    }

    /// Returns the stored record, or `nil` if it does not exist.
    private func stored(_ change: SyncChange) throws -> SyncedRecord<StoredValues>? {
        try records.one(SyncedCollection(change.kind), change.id)
    }

    private func result(_ outcome: SyncResult.Outcome, of change: SyncChange) throws -> SyncResult {
        SyncResult(outcome, version: try stored(change)?.version)
    }

    private func delete(
        _ stored: SyncedRecord<StoredValues>,
        by change: SyncChange
    ) throws -> SyncResult {
        guard change.version == stored.version else { throw Conflict(version: stored.version) }
        try RecordActions(user).delete(change.kind, id: change.id)
        return try result(.deleted, of: change)
    }

    private func create(_ record: RecordChange, by change: SyncChange) throws -> SyncResult {
        guard change.version == nil else { throw Conflict() }
        let id = try RecordActions(user).create(record.allowingUnplannedEvent)
        guard id == change.id else {
            let error = HabitError(
                .idInvalid,
                "the id '\(change.id)' is not the id of this record",
                field: Field.id.name)
            // A done event replaces the skipped event of the day, and keeps its ID.
            throw change.kind == .events ? OtherEvent(id: id, error: error) : error
        }
        return try result(.created, of: change)
    }

    private func update(
        _ stored: SyncedRecord<StoredValues>,
        to record: RecordChange,
        by change: SyncChange
    ) throws -> SyncResult {
        guard !stored.content.areRepeated(by: record) else {
            return SyncResult(.unchanged, version: stored.version)
        }
        // A message never changes.
        guard change.kind != .messages else { throw Conflict(version: stored.version) }
        let isRepeated = change.version == nil
        let record = isRepeated ? record.keepingDefaults : record
        try RecordActions(user).update(change.id, with: record.allowingUnplannedEvent)
        let updated = try result(.updated, of: change)
        guard updated.version != stored.version else {
            return SyncResult(.unchanged, version: stored.version)
        }
        guard change.version == stored.version else { throw Conflict(version: stored.version) }
        return updated
    }
}

extension HabitError {
    /// The ID of the event that the habit already has on the day, or `nil` for any other error.
    fileprivate var existingEvent: String? {
        for case .event(let id) in parameters { return id }
        return nil
    }
}

/// The stored values of a record of two users.
private struct StoredValues {
    private var texts: [String: String] = [:]

    /// Reads the values from a row.
    init(_ row: any Row, _ shape: ResultShape) {
        for column in shape.columns where Self.fields.contains(column.name) {
            texts[column.name] = row.text(column.index)
        }
    }

    private static let fields: Set<String> = {
        let fields: [Field] = [
            .follower, .followee, .status, .share, .item, .user, .state, .sender, .recipient, .text,
        ]
        return Set(fields.map(\.name))
    }()

    /// Whether a change has no other value than the stored values.
    ///
    /// Such a record, for example a follow, cannot be written again by the user who has created it. The records of one
    /// user can, so that their repetition is not decided here.
    func areRepeated(by change: RecordChange) -> Bool {
        switch change.values {
        case .follow(let follow):
            has(.follower, change.owner)
                && has(.followee, follow.followee)
                && has(.status, follow.status?.rawValue)
                && has(.share, follow.share?.rawValue)
        case .claim(let claim):
            has(.item, claim.item)
                && has(.user, change.owner)
                && has(.state, claim.state?.rawValue)
        case .message(let message):
            has(.item, message.item)
                && has(.sender, change.owner)
                && has(.recipient, message.recipient)
                && has(.text, message.text)
        case .habit, .pause, .event, .item, .post:
            false
        }
    }

    /// Whether a value is omitted or stored.
    ///
    /// Texts are compared by their characters.
    private func has(_ field: Field, _ value: String?) -> Bool {
        guard let value else { return true }
        return texts[field.name] == value
    }
}
