import Base
import HabitModel
import StoreEngine

/// The events of a load into a store without events, until their indexes are created.
///
/// The load has written all events in the store, so tables in memory can find them. The rows are collected in a batch,
/// because the engine stores rows with nearby positions next to each other. A lookup of a row in the batch writes the
/// batch.
///
/// Memory: the batch, and 40 to 54 bytes for each event.
final class InitialLoadIndex {
    private let batch: any InsertBatch
    private let event: any Statement
    private let didWrite: ([Int64]) -> Void
    /// The numbers of the events by ID and by habit and day.
    ///
    /// The first event has the number 1.
    private var ids = KeyTable()
    private var days = KeyTable()
    /// The stored keys of the written events, in the order of their numbers.
    private var keys: [Int64] = []
    /// The last ID passed to ``prefetch(id:habit:day:)`` and its hash.
    ///
    /// The next lookup and insert usually use this ID.
    private var expected = (id: "", hash: UInt64(0))

    /// Prepares an initial load, or returns `nil` if the store contains events.
    ///
    /// - Parameters:
    ///   - session: The session of the load.
    ///   - columns: The names of the columns.
    ///   - didWrite: A closure that receives the keys of new rows.
    /// - Throws: An error of the engine.
    init?(_ session: any Session, columns: [String], didWrite: @escaping ([Int64]) -> Void) throws {
        guard try session.first("SELECT id FROM event LIMIT 1", { $0.integer(0) }) == nil else { return nil }
        batch = try session.batch(into: "event", columns: columns, keyed: false)
        event = try session.prepare("SELECT external_id, user_id, habit_id, day FROM event WHERE id = :key")
        self.didWrite = didWrite
    }

    /// Prefetches the memory for the lookups of an event.
    ///
    /// Waiting for this memory is their main cost.
    func prefetch(id: String?, habit: Int64, day: Day) {
        days.prefetch(Self.hash(habit, day))
        guard let id else { return }
        expected = (id, Self.hash(id))
        ids.prefetch(expected.hash)
    }

    func find(habit: Int64, day: Day) throws -> (key: Int64, id: String)? {
        try days.firstCandidate(Self.hash(habit, day)) { number in
            let key = try key(number)
            let id = try row(key) { row -> String? in
                guard row.integer(2) == habit, row.day(3) == day else { return nil }
                return row.text(0) ?? ""
            }
            return id.map { (key, $0) }
        }
    }

    func find(id: String) throws -> (key: Int64, owner: Int64)? {
        try ids.firstCandidate(hash(id)) { number in
            let key = try key(number)
            let owner = try row(key) { row -> Int64? in
                row.withText(0) { $0.isEqual(to: id) } == true ? row.integer(1) : nil
            }
            return owner.map { (key, $0) }
        }
    }

    func insert(_ values: [Value], id: String, habit: Int64, day: Day) throws {
        try batch.add(values)
        ids.insert(hash(id))
        days.insert(Self.hash(habit, day))
        if batch.isFull { try write() }
    }

    /// Writes the pending rows.
    func write() throws {
        let new = try batch.write()
        keys += new
        didWrite(new)
    }

    private func key(_ number: Int) throws -> Int64 {
        if number > keys.count { try write() }
        return keys[number - 1]
    }

    private func row<Result>(_ key: Int64, _ body: (any Row) throws -> Result?) throws -> Result? {
        try event.bind([.integer(key)])
        return try event.firstRow(body) ?? nil
    }

    /// Returns the hash of an ID.
    ///
    /// IDs are in NFC, so equal IDs have the same bytes.
    private func hash(_ id: String) -> UInt64 { id == expected.id ? expected.hash : Self.hash(id) }

    private static func hash(_ id: String) -> UInt64 {
        var id = id
        var hasher = Hasher()
        id.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }

    /// Returns a sum with random factors of this process, which the table mixes.
    ///
    /// The random factors prevent a user from creating many events with the same hash.
    private static func hash(_ habit: Int64, _ day: Day) -> UInt64 {
        UInt64(bitPattern: habit) &* factors.habit &+ UInt64(bitPattern: Int64(day.number)) &* factors.day
    }

    private static let factors = (habit: UInt64.random(in: 0...(.max)) | 1, day: UInt64.random(in: 0...(.max)) | 1)
}
