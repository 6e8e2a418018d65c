import Crypto
import Foundation
import HabitModel
import Photos
import StoreEngine

/// Writes records into the store by their natural keys: what is new is inserted, what differs updated.
///
/// A record that breaks a rule throws a ``HabitError`` that names its field, and nothing of it is stored.
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

    /// Creates a writer. ``Engine/load(policy:_:beforeCommit:)`` and ``Session/writeRecords(policy:_:)`` also end its work.
    ///
    /// - Parameter isLoad: Whether no other statement reads the events before ``flushInserts()``.
    init(_ session: any Session, policy: ConflictPolicy, isLoad: Bool) throws {
        self.session = session
        references = try References(session)
        photos = try PhotoWriter(session)
        settingWriter = try SettingWriter(session, policy)
        users = try UserWriter(session, policy)
        habits = try HabitWriter(session, policy, references)
        follows = try FollowWriter(session, policy, references)
        events = try EventWriter(session, policy, references, photos, isLoad: isLoad)
        items = try ItemWriter(session, policy, references, photos)
        messages = try MessageWriter(session, policy, references)
        posts = try PostWriter(session, policy, references, photos)
    }

    /// The store's settings, as they are now.
    public var settings: Settings { settingWriter.settings }

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

    /// Runs `body`, which writes these records of one kind and no others. If each lookup is a network round trip, the lookups that
    /// the records need are sent together.
    ///
    /// - Parameter estimatedRemaining: About how many more records of the kind follow. With many, the writer reads the stored rows
    ///   once instead of looking up each.
    public func withPrefetch(
        _ records: @autoclosure () -> [Record], estimatedRemaining: Int = 0, _ body: () throws -> Void
    ) throws {
        events.estimatedRemaining = estimatedRemaining
        guard let pipeline = session.pipeline else { return try body() }
        try prefetch(records())
        defer { pipeline.forgetAnswers() }
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

    /// For a habit whose schedules were changed by other means: ``finish()`` checks its events again.
    func markRescheduled(habit key: Int64) { habits.markRescheduled(key) }

    /// Writes the pending events of a load. Call it before the indexes are made.
    func flushInserts() throws { try events.flushInserts() }

    /// Updates the columns derived from the records. Call it once, after the last write.
    func finish() throws {
        try events.markUnplanned(habits: habits.rescheduled)
        try items.applyClaims()
        try photos.removeUnused()
    }
}

extension Given {
    /// What goes into a column: nil where the field was not given.
    func column(_ value: (Value) -> StoreEngine.Value) -> StoreEngine.Value? {
        switch self {
        case .absent: nil
        case .null: .null
        case .value(let given): value(given)
        }
    }

    /// For columns that are never null: what is given as nothing is as good as not given.
    var orAbsent: Given { if case .null = self { .absent } else { self } }
}

extension Given<String> {
    var column: StoreEngine.Value? { column { .text($0) } }
}

extension Given<Day> {
    var column: StoreEngine.Value? { column { .day($0) } }
}

extension Given<OffsetInstant> {
    var instantColumn: StoreEngine.Value? { column { .integer($0.instant.microseconds) } }
    var offsetColumn: StoreEngine.Value? { column { .integer($0.offset.map { Int64($0.minutes) }) } }
}

/// Stores photos, each content once, and decodes it first to be sure that it is a picture.
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

    func column(_ photo: Given<Photo>) throws -> Value? {
        if case .absent = photo { return nil }
        isUsed = true
        return try photo.value.map { .integer(try key(of: $0)) } ?? .null
    }

    /// Removes the photos that no record has: those of records that were refused, or have another photo now.
    func removeUnused() throws {
        guard isUsed else { return }
        try Self.removeUnused(in: session)
    }

    /// Costs a walk over the photos' keys, not over the photos.
    static func removeUnused(in session: any Session) throws {
        let used = ["event", "item", "post"].map { "SELECT photo_id FROM \($0) WHERE photo_id IS NOT NULL" }
        try session.run(
            SQL("DELETE FROM photo WHERE id IN (SELECT id FROM photo EXCEPT \(used.joined(separator: " EXCEPT ")))"))
    }

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
