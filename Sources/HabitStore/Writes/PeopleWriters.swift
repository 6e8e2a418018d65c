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
        if stored == record.storedText {
            return .unchanged
        }
        if stored != nil, policy == .keep {
            return .unchanged
        }
        if stored != nil, policy == .reject {
            throw HabitError(
                .duplicateKey,
                "the store has a different value for '\(record.name)'",
                field: Field.value.name)
        }
        try StoreSettings.set(record.name, to: record.storedText, in: session)
        if case .limit(let setting, let value) = record {
            settings[setting] = value
        }
        return stored == nil ? .inserted : .updated
    }

    /// Sets the limit of a text, whatever the policy is.
    func setLimit(_ setting: Setting, to value: Int) throws {
        let record = SettingRecord.limit(setting, value)
        try StoreSettings.set(record.name, to: record.storedText, in: session)
        settings[setting] = value
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
            .users,
            columns: UserTable.columns.definitions(),
            naturalKey: ["external_id"],
            context)
        table.audience = { key, columns in
            if columns.contains("time_zone") {
                context.changed.rezoned.insert(key)
            }
            return RecordKind.users.audience(ofChanged: columns)
        }
    }

    func prefetch(_ records: [UserRecord]) throws {
        try table.prefetch(ids: records.map(\.id))
    }

    func write(_ record: UserRecord) throws -> WriteOutcome {
        let zone = try record.timeZone.value.map { name in
            try TimeZoneRules.named(name, field: Field.timeZone.name)
        }
        var key: Int64 = 0
        var oldZone: String?
        let outcome = try table.write(
            UserTable.columns.values(of: record, ()),
            naturalKey: [.text(record.id)]
        ) { row in
            guard zone != nil, let row else { return }
            key = row.integer(0)
            oldZone = row.text(Self.zoneIndex) ?? ""
        }
        if outcome == .updated, let zone, let oldZone, oldZone != zone.id {
            changeZone(of: key, from: TimeZoneRules(oldZone), to: zone)
        }
        return outcome
    }

    /// The index of the time zone in the rows of ``TableWriter``, which begin with the key.
    private static let zoneIndex: Int = {
        let index = UserTable.columns.firstIndex { column in
            column.name == "time_zone"
        }
        return 1 + (index ?? 0)
    }()

    /// Adds a user to ``rezoned`` if the set of dates that never existed may change.
    private func changeZone(
        of key: Int64,
        from old: TimeZoneRules?,
        to new: TimeZoneRules
    ) {
        references.forgetHabits()
        let oldDates = old?.missingDates ?? []
        if oldDates != new.missingDates {
            rezoned.insert(key)
        }
    }
}

final class FollowWriter {
    private let table: TableWriter
    private let references: References

    init(_ context: WriteContext) {
        references = context.references
        table = TableWriter(
            .follows,
            columns: FollowTable.columns.definitions(),
            naturalKey: ["follower_id", "followee_id"],
            context)
    }

    func prefetch(_ records: [FollowRecord]) throws {
        let users = records.flatMap { record in
            [record.follower, record.followee]
        }
        try references.prefetch(users: users)
        var naturalKeys: [[Value]] = []
        for record in records {
            guard let follower = try references.knownUser(record.follower),
                let followee = try references.knownUser(record.followee)
            else { continue }
            naturalKeys.append([.integer(follower), .integer(followee)])
        }
        try table.prefetch(naturalKeys)
    }

    func write(_ record: FollowRecord) throws -> WriteOutcome {
        guard record.follower != record.followee else {
            throw HabitError(
                .selfFollow,
                "the follower and the followed user are the same: correct one of them",
                field: Field.followee.name)
        }
        let follower = try references.user(record.follower, field: .follower)
        let followee = try references.user(record.followee, field: .followee)
        let keys = FollowTable.Keys(follower: follower, followee: followee)
        return try table.write(
            FollowTable.columns.values(of: record, keys),
            naturalKey: [.integer(follower), .integer(followee)])
    }
}

final class MessageWriter {
    private let table: TableWriter
    private let references: References

    init(_ context: WriteContext) {
        references = context.references
        table = TableWriter(
            .messages,
            columns: MessageTable.columns.definitions(),
            naturalKey: ["external_id"],
            context)
    }

    func prefetch(_ records: [MessageRecord]) throws {
        try references.prefetch(items: records.map(\.item))
        let users = records.flatMap { record in
            [record.sender, record.recipient]
        }
        try references.prefetch(users: users)
        try table.prefetch(ids: records.map(Self.id))
    }

    private static func id(of record: MessageRecord) -> String {
        if let id = record.id {
            return id
        }
        let sent = record.sentAt.value?.instant.microseconds
        return DerivedID.hashed([
            "message",
            record.item,
            record.sender,
            record.recipient,
            sent?.description ?? "",
            record.text,
        ])
    }

    func write(_ record: MessageRecord) throws -> WriteOutcome {
        let item = try references.item(record.item)
        let sender = try references.user(record.sender, field: .sender)
        let recipient = try references.user(record.recipient, field: .recipient)
        guard sender != recipient else {
            throw HabitError(
                .fieldInvalid,
                "the sender and the recipient are the same user: correct one of them",
                field: Field.recipient.name)
        }
        let id = Self.id(of: record)
        let keys = MessageTable.Keys(
            id: id,
            item: item.key,
            sender: sender,
            recipient: recipient)
        return try table.write(
            MessageTable.columns.values(of: record, keys),
            naturalKey: [.text(id)])
    }
}
