import Base
import Crypto
import Foundation
import HabitModel
import Photos
import StoreEngine

/// Writes records into the store by natural key.
///
/// Inserts new records and updates records that differ.
///
/// If a record breaks a rule, the writer throws a ``HabitError`` that names the field and does not store any part of
/// the record.
public final class RecordWriter {
    private let session: any Session
    private let references: References
    private let settingWriter: SettingWriter
    private let users: UserWriter
    private let habits: HabitWriter
    private let follows: FollowWriter
    private let events: EventWriter
    private let items: ItemWriter
    private let messages: MessageWriter
    private let posts: PostWriter
    private let photos: PhotoWriter
    private let changed: ChangedRows

    /// Creates a writer for ``Engine/load(policy:_:beforeCommit:)`` and ``Session/writeRecords(policy:_:)``.
    ///
    /// The caller must call ``finish()`` after the last write.
    ///
    /// - Parameters:
    ///   - session: The session of the writes.
    ///   - policy: The treatment of a record that the store contains with other values.
    ///   - isLoad: Whether no other statement reads the events before ``flushInserts()``.
    /// - Throws: An error of the engine.
    init(_ session: any Session, policy: ConflictPolicy, isLoad: Bool) throws {
        self.session = session
        references = try References(session)
        photos = try PhotoWriter(session)
        changed = try ChangedRows(session, isLoad: isLoad)
        settingWriter = try SettingWriter(session, policy)
        users = try UserWriter(session, policy, references, changed)
        habits = try HabitWriter(session, policy, references, changed)
        follows = try FollowWriter(session, policy, references, changed)
        events = try EventWriter(session, policy, references, photos, changed, isLoad: isLoad)
        items = try ItemWriter(session, policy, references, photos, changed)
        messages = try MessageWriter(session, policy, references, changed)
        posts = try PostWriter(session, policy, references, photos, changed)
    }

    /// The current settings of the store.
    public var settings: Settings { settingWriter.settings }

    /// Writes a record, whose references must be in the store.
    ///
    /// - Parameter record: The record to write.
    /// - Returns: Whether the record was inserted, updated or unchanged.
    /// - Throws: A ``HabitError`` that names the field if the record breaks a rule.
    public func write(_ record: Record) throws -> WriteOutcome {
        switch record {
        case .setting(let record): return try settingWriter.write(record)
        case .user(let record): return try users.write(record)
        case .habit(let record): return try habits.write(record)
        case .schedule(let record): return try habits.write(record)
        case .follow(let record): return try follows.write(record)
        case .event(let record): return try events.write(record)
        case .item(let record): return try items.write(record)
        case .claim(let record): return try items.write(record)
        case .message(let record): return try messages.write(record)
        case .post(let record): return try posts.write(record)
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
        try events.isOfOther(id, than: user)
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
        _ records: @autoclosure () -> [Record], estimatedRemaining: Int = 0, _ body: () throws -> Void
    ) throws {
        events.estimatedRemaining = estimatedRemaining
        guard let pipeline = session.pipeline else { return try body() }
        try prefetch(records())
        defer { pipeline.invalidatePrefetch() }
        try body()
    }

    private func prefetch(_ records: [Record]) throws {
        switch records.first {
        case .user: try users.prefetch(records.compactMap { if case .user(let record) = $0 { record } else { nil } })
        case .habit: try habits.prefetch(records.compactMap { if case .habit(let record) = $0 { record } else { nil } })
        case .schedule:
            try habits.prefetch(records.compactMap { if case .schedule(let record) = $0 { record } else { nil } })
        case .follow:
            try follows.prefetch(records.compactMap { if case .follow(let record) = $0 { record } else { nil } })
        case .event: try events.prefetch(records.compactMap { if case .event(let record) = $0 { record } else { nil } })
        case .item: try items.prefetch(records.compactMap { if case .item(let record) = $0 { record } else { nil } })
        case .claim: try items.prefetch(records.compactMap { if case .claim(let record) = $0 { record } else { nil } })
        case .message:
            try messages.prefetch(records.compactMap { if case .message(let record) = $0 { record } else { nil } })
        case .post: try posts.prefetch(records.compactMap { if case .post(let record) = $0 { record } else { nil } })
        case .setting, nil: break
        }
    }

    /// Marks a habit whose schedules were changed by other means.
    ///
    /// ``finish()`` then updates its events.
    func markRescheduled(habit key: Int64) { habits.markRescheduled(key) }

    /// Writes the pending events of a load.
    ///
    /// Call this method before the indexes are created.
    func flushInserts() throws { try events.flushInserts() }

    /// Updates the columns derived from the records, and logs all changes.
    ///
    /// Call this method once, after the last write.
    func finish() throws {
        try events.markUnplanned(habits: habits.rescheduled.union(habitsOfRezonedUsers()))
        try items.applyClaims()
        try photos.removeUnused()
        try changed.log()
    }

    /// Returns the keys of the habits whose owners are ``UserWriter/rezoned``.
    private func habitsOfRezonedUsers() throws -> Set<Int64> {
        var habits: Set<Int64> = []
        for user in users.rezoned.sorted() {
            let sql = SQL("SELECT id FROM habit WHERE user_id = :user", ["user": .integer(user)])
            try session.query(sql) { row in
                habits.insert(row.integer(0))
                return true
            }
        }
        return habits
    }
}

extension FieldInput {
    /// Returns the value for a column, or `nil` if the field is absent.
    func column(_ value: (Value) -> StoreEngine.Value) -> StoreEngine.Value? {
        switch self {
        case .absent: nil
        case .null: .null
        case .value(let given): value(given)
        }
    }

    /// The value for a column that is never null.
    ///
    /// A null value is treated as an absent value.
    var orAbsent: FieldInput { if case .null = self { .absent } else { self } }
}

extension FieldInput<String> {
    var column: StoreEngine.Value? { column { .text($0) } }
}

extension FieldInput<Day> {
    var column: StoreEngine.Value? { column { .day($0) } }
}

extension FieldInput<OffsetInstant> {
    var instantColumn: StoreEngine.Value? { column { .integer($0.instant.microseconds) } }
    var offsetColumn: StoreEngine.Value? { column { .integer($0.offset.map { Int64($0.minutes) }) } }
}

/// Stores each photo once for equal bytes.
///
/// Decodes a new photo first, to check that it is an image.
final class PhotoWriter {
    private let session: any Session
    private let find: any Statement
    private let insert: any Statement
    private var isUsed = false

    init(_ session: any Session) throws {
        self.session = session
        find = try session.prepare("SELECT id FROM photo WHERE sha256 = :sha256")
        insert = try session.prepare(
            "INSERT INTO photo (sha256, media_type, bytes) VALUES (:sha256, :type, :bytes) RETURNING id")
    }

    func column(_ photo: FieldInput<Photo>) throws -> Value? {
        if case .absent = photo { return nil }
        isUsed = true
        return try photo.value.map { .integer(try key(of: $0)) } ?? .null
    }

    /// Removes the photos that no record uses, such as the photos of rejected records and replaced photos.
    func removeUnused() throws {
        guard isUsed else { return }
        try Self.removeUnused(in: session)
    }

    /// Removes the photos that no record uses.
    ///
    /// Reads the keys of all photos, but not their bytes.
    static func removeUnused(in session: any Session) throws {
        try session.run(SQL("DELETE FROM photo WHERE id IN (\(unusedKeys))"))
    }

    /// A query for the keys of the photos that no record uses.
    static let unusedKeys =
        "SELECT id FROM photo"
        + RecordKind.withPhotos.map { " EXCEPT SELECT photo_id FROM \($0.table) WHERE photo_id IS NOT NULL" }.joined()

    private func key(of photo: Photo) throws -> Int64 {
        let sha256 = photo.sha256
        if let key = try find.key([.blob(sha256)]) { return key }
        try HabitError.ofPhoto { () throws(PhotoError) in try photo.verify() }
        var key: Int64?
        try insert.bind([.blob(sha256), .text(photo.mediaType), .blob(photo.bytes)])
        try insert.forEach {
            key = $0.integer(0)
            return true
        }
        guard let key else { throw HabitError(.internal, "the photo was not stored") }
        return key
    }
}
