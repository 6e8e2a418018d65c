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
    /// The keys of users whose private places have changed.
    private(set) var relocated: Set<Int64> = []
    private let privatePlaces: OnDemand<any Statement>

    init(_ context: WriteContext) {
        references = context.references
        privatePlaces = context.session.onDemand("SELECT private_places FROM account WHERE external_id = :id")
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
        var record = record
        record.privatePlaces = try completed(record.privatePlaces, of: record.id)
        var key: Int64 = 0
        var oldZone: String?
        var oldPlaces: String?
        let outcome = try table.write(
            UserTable.columns.values(of: record, ()),
            naturalKey: [.text(record.id)]
        ) { row in
            guard let row else { return }
            key = row.integer(0)
            oldZone = row.text(Self.zoneIndex) ?? ""
            oldPlaces = row.text(Self.placesIndex) ?? ""
        }
        if outcome == .updated, let zone, let oldZone, oldZone != zone.id {
            changeZone(of: key, from: TimeZoneRules(oldZone), to: zone)
        }
        if outcome == .updated, let oldPlaces, record.privatePlaces.changes(oldPlaces) {
            references.forgetHabits()
            relocated.insert(key)
        }
        return outcome
    }

    /// Returns the private places of a record with their codes, or null instead of an empty list.
    private func completed(
        _ places: FieldInput<PrivatePlaces>,
        of id: String
    ) throws -> FieldInput<PrivatePlaces> {
        guard let new = places.value else { return places }
        guard !new.places.isEmpty else { return .null }
        let statement = try privatePlaces.value()
        try statement.bind([.text(id)])
        let stored = try statement.firstRow { row in row.text(0) ?? "" }
        let known = try PrivatePlaces(stored ?? "")
        return .value(new.completed(from: known))
    }

    private static let zoneIndex = UserTable.columns.rowIndex(of: "time_zone")
    private static let placesIndex = UserTable.columns.rowIndex(of: "private_places")

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

extension FieldInput<PrivatePlaces> {
    /// Whether a record with this input changes the stored text of the places.
    fileprivate func changes(_ stored: String) -> Bool {
        switch self {
        case .absent: false
        case .null: !stored.isEmpty
        case .value(let places): places.text != stored
        }
    }
}

extension References {
    /// Prefetches the users of relations.
    ///
    /// - Parameter pairs: The IDs of the two users of each relation.
    /// - Returns: The natural keys of the relations of known users.
    /// - Throws: An error of the engine.
    fileprivate func prefetchPairs(_ pairs: [(first: String, second: String)]) throws -> [[Value]] {
        let users = pairs.flatMap { pair in [pair.first, pair.second] }
        try prefetch(users: users)
        var naturalKeys: [[Value]] = []
        for pair in pairs {
            guard let first = try knownUser(pair.first),
                let second = try knownUser(pair.second)
            else { continue }
            naturalKeys.append([.integer(first), .integer(second)])
        }
        return naturalKeys
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
        let pairs = records.map { record in (first: record.follower, second: record.followee) }
        try table.prefetch(references.prefetchPairs(pairs))
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

/// Writes blocks.
///
/// ``BlockRule`` then ends the relations of the two users.
final class BlockWriter {
    private let table: TableWriter
    private let references: References
    /// The blocks that this writer has inserted.
    private(set) var new: [BlockTable.Keys] = []

    init(_ context: WriteContext) {
        references = context.references
        table = TableWriter(
            .blocks,
            columns: BlockTable.columns.definitions(),
            naturalKey: ["blocker_id", "blocked_id"],
            context)
    }

    func prefetch(_ records: [BlockRecord]) throws {
        let pairs = records.map { record in (first: record.blocker, second: record.blocked) }
        try table.prefetch(references.prefetchPairs(pairs))
    }

    func write(_ record: BlockRecord) throws -> WriteOutcome {
        guard record.blocker != record.blocked else {
            throw HabitError(
                .fieldInvalid,
                "a user cannot block the same user: correct one of the two",
                field: Field.blocked.name)
        }
        let blocker = try references.user(record.blocker, field: .blocker)
        let blocked = try references.user(record.blocked, field: .blocked)
        let keys = BlockTable.Keys(blocker: blocker, blocked: blocked)
        let outcome = try table.write(
            BlockTable.columns.values(of: record, keys),
            naturalKey: [.integer(blocker), .integer(blocked)])
        if outcome == .inserted {
            new.append(keys)
        }
        return outcome
    }
}

/// Writes read markers, which never move backward.
final class ReadWriter {
    private let table: TableWriter
    private let references: References
    private let stored: OnDemand<any Statement>

    init(_ context: WriteContext) {
        references = context.references
        stored = context.session.onDemand(
            "SELECT read_at FROM read_marker WHERE item_id = :item AND user_id = :user")
        table = TableWriter(
            .reads,
            columns: ReadTable.columns.definitions(),
            naturalKey: ["item_id", "user_id"],
            context)
    }

    func prefetch(_ records: [ReadRecord]) throws {
        try references.prefetch(items: records.map(\.item))
        try references.prefetch(users: records.map(\.user))
    }

    func write(_ record: ReadRecord) throws -> WriteOutcome {
        let item = try references.item(record.item)
        let user = try references.user(record.user, field: .user)
        let key: [Value] = [.integer(item.key), .integer(user)]
        if let last = try stored.value().key(key), last >= record.readAt.instant.microseconds {
            return .unchanged
        }
        let keys = ReadTable.Keys(item: item.key, user: user)
        return try table.write(ReadTable.columns.values(of: record, keys), naturalKey: key)
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
