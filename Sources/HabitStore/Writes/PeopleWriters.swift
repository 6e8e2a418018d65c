import Base
import HabitModel
import StoreEngine

final class SettingWriter {
    private let session: any Session
    private let policy: ConflictPolicy
    private(set) var settings: Settings

    init(_ context: WriteContext) throws {
        session = context.session
        policy = context.policy
        settings = try StoreSettings.read(in: session)
    }

    func write(_ record: SettingRecord) throws -> WriteOutcome {
        let stored = try StoreSettings.text(record.name, in: session)
        if stored == record.storedText { return .unchanged }
        if stored != nil, policy == .keep { return .unchanged }
        if stored != nil, policy == .reject {
            throw HabitError(
                .duplicateKey, "the store has a different value for '\(record.name)'", field: Field.value.name)
        }
        try StoreSettings.set(record.name, to: record.storedText, in: session)
        if case .limit(let setting, let value) = record { settings[setting] = value }
        return stored == nil ? .inserted : .updated
    }
}

final class UserWriter {
    private let table: TableWriter
    private let references: References
    /// The keys of users whose time zone has changed and has dates that never existed, before or after the change.
    private(set) var rezoned: Set<Int64> = []

    init(_ context: WriteContext) {
        references = context.references
        table = TableWriter(
            .users, columns: UserTable.columns.definitions(), naturalKey: ["external_id"], context)
    }

    func prefetch(_ records: [UserRecord]) throws { try table.prefetch(records.map { [.text($0.id)] }) }

    func write(_ record: UserRecord) throws -> WriteOutcome {
        let zone = try record.timeZone.value.map { try TimeZoneRules.named($0, field: Field.timeZone.name) }
        var stored: (key: Int64, zone: String)?
        let outcome = try table.write(
            UserTable.columns.values(of: record, ()), naturalKey: [.text(record.id)]
        ) { row in
            guard zone != nil, let row else { return }
            stored = (row.integer(0), row.text(Self.zoneIndex) ?? "")
        }
        if outcome == .updated, let zone, let stored, stored.zone != zone.id {
            changeZone(of: stored.key, from: TimeZoneRules(stored.zone), to: zone)
        }
        return outcome
    }

    /// The index of the time zone in the rows of ``TableWriter``, which begin with the key.
    private static let zoneIndex = 1 + (UserTable.columns.firstIndex { $0.name == "time_zone" } ?? 0)

    /// Adds a user to ``rezoned`` if the set of dates that never existed may change.
    private func changeZone(of key: Int64, from old: TimeZoneRules?, to new: TimeZoneRules) {
        references.forgetHabits()
        if old?.missingDates ?? [] != new.missingDates { rezoned.insert(key) }
    }
}

final class FollowWriter {
    private let table: TableWriter
    private let references: References

    init(_ context: WriteContext) {
        references = context.references
        table = TableWriter(
            .follows, columns: FollowTable.columns.definitions(), naturalKey: ["follower_id", "followee_id"], context)
    }

    func prefetch(_ records: [FollowRecord]) throws {
        try references.prefetch(users: records.flatMap { [$0.follower, $0.followee] })
        try table.prefetch(
            records.compactMap { record in
                guard let follower = try references.knownUser(record.follower),
                    let followee = try references.knownUser(record.followee)
                else { return nil }
                return [.integer(follower), .integer(followee)]
            })
    }

    func write(_ record: FollowRecord) throws -> WriteOutcome {
        guard record.follower != record.followee else {
            throw HabitError(
                .selfFollow, "the follower and the followed user are the same: correct one of them",
                field: Field.followee.name)
        }
        let follower = try references.user(record.follower, field: .follower)
        let followee = try references.user(record.followee, field: .followee)
        return try table.write(
            FollowTable.columns.values(of: record, FollowTable.Keys(follower: follower, followee: followee)),
            naturalKey: [.integer(follower), .integer(followee)])
    }
}

final class MessageWriter {
    private let table: TableWriter
    private let references: References

    init(_ context: WriteContext) {
        references = context.references
        table = TableWriter(
            .messages, columns: MessageTable.columns.definitions(), naturalKey: ["external_id"], context)
    }

    func prefetch(_ records: [MessageRecord]) throws {
        try references.prefetch(items: records.map(\.item))
        try references.prefetch(users: records.flatMap { [$0.sender, $0.recipient] })
        try table.prefetch(records.map { [.text(Self.id(of: $0))] })
    }

    private static func id(of record: MessageRecord) -> String {
        let sent = record.sentAt.value?.instant.microseconds.description ?? ""
        return record.id
            ?? DerivedID.hashed(["message", record.item, record.sender, record.recipient, sent, record.text])
    }

    func write(_ record: MessageRecord) throws -> WriteOutcome {
        let item = try references.item(record.item)
        let sender = try references.user(record.sender, field: .sender)
        let recipient = try references.user(record.recipient, field: .recipient)
        guard sender != recipient else {
            throw HabitError(
                .fieldInvalid, "the sender and the recipient are the same user: correct one of them",
                field: Field.recipient.name)
        }
        let id = Self.id(of: record)
        let keys = MessageTable.Keys(id: id, item: item.key, sender: sender, recipient: recipient)
        return try table.write(MessageTable.columns.values(of: record, keys), naturalKey: [.text(id)])
    }
}
