import Base
import HabitModel
import StoreEngine

/// Writes records into the store by natural key.
///
/// Inserts new records and updates records that differ.
///
/// If a record breaks a rule, the writer throws a ``HabitError`` that names the field and does not store any part of
/// the record.
public final class RecordWriter {
    let context: WriteContext
    private let settingWriter: OnDemand<SettingWriter>
    private let users: OnDemand<UserWriter>
    private let habits: OnDemand<HabitWriter>
    private let pauses: OnDemand<PauseWriter>
    private let follows: OnDemand<FollowWriter>
    private let blocks: OnDemand<BlockWriter>
    private let events: OnDemand<EventWriter>
    private let items: OnDemand<ItemWriter>
    private let messages: OnDemand<MessageWriter>
    private let reads: OnDemand<ReadWriter>
    private let posts: OnDemand<PostWriter>

    /// Creates a writer for ``Engine/load(policy:_:beforeCommit:)`` and ``Session/writeRecords(policy:_:)``.
    ///
    /// The writer of a kind is made when its first record arrives. A load begins with the writer of events,
    /// because it must know whether the store has events before the first write.
    ///
    /// The caller must call ``finish()`` after the last write.
    ///
    /// - Parameters:
    ///   - session: The session of the writes.
    ///   - policy: The treatment of a record that the store contains with other values.
    ///   - isLoad: Whether no other statement reads the events before ``flushInserts()``.
    /// - Throws: An error of the engine.
    init(_ session: any Session, policy: ConflictPolicy, isLoad: Bool) throws {
        let context = try WriteContext(session, policy: policy, isLoad: isLoad)
        self.context = context
        settingWriter = OnDemand { try SettingWriter(context) }
        users = OnDemand { UserWriter(context) }
        habits = OnDemand { HabitWriter(context) }
        pauses = OnDemand { PauseWriter(context) }
        follows = OnDemand { FollowWriter(context) }
        blocks = OnDemand { BlockWriter(context) }
        events = OnDemand { try EventWriter(context) }
        items = OnDemand { ItemWriter(context) }
        messages = OnDemand { MessageWriter(context) }
        reads = OnDemand { ReadWriter(context) }
        posts = OnDemand { PostWriter(context) }
        if isLoad {
            _ = try events.value()
        }
    }

    /// The current settings of the store.
    ///
    /// - Throws: An error of the engine.
    public var settings: Settings {
        get throws { try settingWriter.value().settings }
    }

    /// Sets a limit, whatever the policy for stored records is.
    ///
    /// - Parameters:
    ///   - setting: The setting of the limit.
    ///   - value: The limit in the unit of the setting.
    /// - Throws: An error of the engine.
    public func setLimit(_ setting: Setting, to value: Int) throws {
        try settingWriter.value().setLimit(setting, to: value)
    }

    /// Writes a record, whose references must be in the store.
    ///
    /// - Parameter record: The record to write.
    /// - Returns: Whether the record was inserted, updated or unchanged.
    /// - Throws: A ``HabitError`` that names the field if the record breaks a rule.
    public func write(_ record: Record) throws -> WriteOutcome {
        switch record {
        case .setting(let record):
            return try settingWriter.value().write(record)
        case .user(let record):
            return try users.value().write(record)
        case .habit(let record):
            return try habits.value().write(record)
        case .schedule(let record):
            return try habits.value().write(record)
        case .pause(let record):
            return try pauses.value().write(record)
        case .follow(let record):
            return try follows.value().write(record)
        case .block(let record):
            return try blocks.value().write(record)
        case .event(let record):
            return try events.value().write(record)
        case .item(let record):
            return try items.value().write(record)
        case .claim(let record):
            return try items.value().write(record)
        case .message(let record):
            return try messages.value().write(record)
        case .read(let record):
            return try reads.value().write(record)
        case .post(let record):
            return try posts.value().write(record)
        }
    }

    /// Returns whether an event with an ID exists and belongs to another user.
    ///
    /// - Parameters:
    ///   - id: The ID of the event.
    ///   - user: The ID of the user.
    /// - Returns: `false` if no event has the ID, or if the event belongs to the user.
    /// - Throws: An error of the engine.
    public func isEventOfOther(_ id: String, than user: String) throws -> Bool {
        try events.value().isOfOther(id, than: user)
    }

    /// Runs `body`, which writes only these records of one kind.
    ///
    /// If each lookup is a network round trip, the writer sends all lookups for the records together.
    ///
    /// - Parameters:
    ///   - records: The records, all of the same kind.
    ///   - estimatedRemaining: The estimated number of further records of the kind. If it is large, the writer may read
    ///     all stored rows once instead of looking up each row.
    ///   - body: A closure that writes the records.
    /// - Throws: The error thrown by `body`, or an error of the engine.
    public func withPrefetch(
        _ records: @autoclosure () -> [Record],
        estimatedRemaining: Int = 0,
        _ body: () throws -> Void
    ) throws {
        if estimatedRemaining > 0 || events.made != nil {
            try events.value().estimatedRemaining = estimatedRemaining
        }
        guard let pipeline = context.session.pipeline else {
            return try body()
        }
        try prefetch(records())
        defer { pipeline.invalidatePrefetch() }
        try body()
    }

    private func prefetch(_ records: [Record]) throws {
        switch records.first {
        case .setting, nil:
            break
        case .user:
            try users.value().prefetch(Self.payloads(of: records))
        case .habit:
            try habits.value().prefetch(Self.payloads(of: records) as [HabitRecord])
        case .schedule:
            try habits.value().prefetch(Self.payloads(of: records) as [ScheduleRecord])
        case .pause:
            try pauses.value().prefetch(Self.payloads(of: records))
        case .follow:
            try follows.value().prefetch(Self.payloads(of: records))
        case .block:
            try blocks.value().prefetch(Self.payloads(of: records))
        case .event:
            try events.value().prefetch(Self.payloads(of: records))
        case .item:
            try items.value().prefetch(Self.payloads(of: records) as [ItemRecord])
        case .claim:
            try items.value().prefetch(Self.payloads(of: records) as [ClaimRecord])
        case .message:
            try messages.value().prefetch(Self.payloads(of: records))
        case .read:
            try reads.value().prefetch(Self.payloads(of: records))
        case .post:
            try posts.value().prefetch(Self.payloads(of: records))
        }
    }

    /// Returns the records of one kind.
    private static func payloads<Payload>(of records: [Record]) -> [Payload] {
        records.compactMap { record in record.payload as? Payload }
    }

    /// Marks a habit whose schedules were changed by other means.
    ///
    /// ``finish()`` then updates its events.
    func markRescheduled(habit key: Int64) throws {
        try habits.value().markRescheduled(key)
    }

    /// Marks the habits of a pause that was deleted.
    ///
    /// ``finish()`` then updates their events.
    func markChanged(_ paused: PauseWriter.PausedHabits) throws {
        try pauses.value().markChanged(paused)
    }

    /// Writes the pending events of a load.
    ///
    /// Call this method before the indexes are created.
    func flushInserts() throws { try events.made?.flushInserts() }

    /// Updates the columns derived from the records, and logs all changes.
    ///
    /// Call this method once, after the last write.
    func finish() throws {
        var rescheduled = habits.made?.rescheduled ?? []
        rescheduled.formUnion(pauses.made?.habits ?? [])
        try rescheduled.formUnion(habitsOfChangedUsers())
        if !rescheduled.isEmpty {
            try events.value().markUnplanned(habits: rescheduled)
        }
        for user in users.made?.relocated.sorted() ?? [] {
            let area = try context.references.hiddenArea(ofUser: user)
            try PrivacyMarks.update(recordsOf: user, in: area, context)
        }
        // A claim that a block ends does not change its item.
        try applyBlocks()
        try items.made?.applyClaims()
        try context.photos.removeUnused()
        try context.changed.log()
    }

    /// Ends the relations between users and the users whom they block, and logs the new blocks.
    private func applyBlocks() throws {
        let rule = BlockRule(context.session)
        for block in try newBlocks() {
            try rule.begin(block)
        }
        let hasClaims = items.made?.hasWrittenClaims ?? false
        guard hasClaims || follows.made != nil else { return }
        let changed = context.changed
        try changed.flush()
        try rule.enforce(onFollows: changed.of(.follows), claims: changed.of(.claims))
    }

    /// Returns the blocks of two users whom no other block has hidden from each other before, one for each two users.
    private func newBlocks() throws -> [BlockTable.Keys] {
        let written = blocks.made?.new ?? []
        let rule = BlockRule(context.session)
        let all = Set(written)
        return try written.filter { block in
            if all.contains(block.reversed) {
                return block.blocker < block.blocked
            }
            return try !rule.exists(block.reversed)
        }
    }

    /// Returns the keys of the habits whose owners are ``UserWriter/rezoned``, or have changed the pauses of all
    /// habits.
    private func habitsOfChangedUsers() throws -> Set<Int64> {
        var habits: Set<Int64> = []
        let rezoned = users.made?.rezoned ?? []
        let users = rezoned.union(pauses.made?.users ?? [])
        for user in users.sorted() {
            let sql: SQL = "SELECT id FROM habit WHERE user_id = \(.integer(user), as: "user")"
            try context.session.query(sql) { row in
                habits.insert(row.integer(0))
                return true
            }
        }
        return habits
    }
}

extension Record {
    /// The record without its kind.
    fileprivate var payload: any Sendable {
        switch self {
        case .setting(let record): record
        case .user(let record): record
        case .habit(let record): record
        case .schedule(let record): record
        case .pause(let record): record
        case .follow(let record): record
        case .block(let record): record
        case .event(let record): record
        case .item(let record): record
        case .claim(let record): record
        case .message(let record): record
        case .read(let record): record
        case .post(let record): record
        }
    }
}
