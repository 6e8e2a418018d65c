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
    /// The last ID passed to ``prefetch(id:habit:day:)``.
    ///
    /// The next lookup and insert usually use this ID.
    private var expectedID = ""
    private var expectedHash: UInt64 = 0

    /// Prepares an initial load, or returns `nil` if the store contains events.
    ///
    /// - Parameters:
    ///   - session: The session of the load.
    ///   - columns: The names of the columns.
    ///   - didWrite: A closure that receives the keys of new rows.
    /// - Throws: An error of the engine.
    init?(
        _ session: any Session,
        columns: [String],
        didWrite: @escaping ([Int64]) -> Void
    ) throws {
        let stored = try session.first("SELECT id FROM event LIMIT 1") { row in row.integer(0) }
        guard stored == nil else { return nil }
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
        expectedID = id
        expectedHash = Self.hash(id)
        ids.prefetch(expectedHash)
    }

    func find(habit: Int64, day: Day) throws -> EventWriter.EventKey? {
        let hash = Self.hash(habit, day)
        return try days.firstCandidate(hash) { number in
            let key = try key(number)
            return try row(key) { row in
                guard row.integer(2) == habit, row.day(3) == day else {
                    return nil
                }
                return EventWriter.EventKey(key: key, id: row.text(0) ?? "")
            }
        }
    }

    func find(id: String) throws -> EventWriter.EventOwner? {
        let hash = hash(id)
        return try ids.firstCandidate(hash) { number in
            let key = try key(number)
            return try row(key) { row in
                let isSame = row.withText(0) { text in text.isEqual(to: id) }
                guard isSame == true else { return nil }
                return EventWriter.EventOwner(key: key, owner: row.integer(1))
            }
        }
    }

    func insert(
        _ values: [Value],
        id: String,
        habit: Int64,
        day: Day
    ) throws {
        try batch.add(values)
        ids.insert(hash(id))
        days.insert(Self.hash(habit, day))
        if batch.isFull {
            try write()
        }
    }

    /// Writes the pending rows.
    func write() throws {
        let new = try batch.write()
        keys += new
        didWrite(new)
    }

    private func key(_ number: Int) throws -> Int64 {
        if number > keys.count {
            try write()
        }
        return keys[number - 1]
    }

    private func row<Result>(
        _ key: Int64,
        _ body: (any Row) throws -> Result?
    ) throws -> Result? {
        try event.bind([.integer(key)])
        let result = try event.firstRow(body)
        return result ?? nil
    }

    /// Returns the hash of an ID.
    ///
    /// IDs are in NFC, so equal IDs have the same bytes.
    private func hash(_ id: String) -> UInt64 {
        if id == expectedID {
            return expectedHash
        }
        return Self.hash(id)
    }

    private static func hash(_ id: String) -> UInt64 {
        var id = id
        var hasher = Hasher()
        id.withUTF8 { text in
            let bytes = UnsafeRawBufferPointer(text)
            hasher.combine(bytes: bytes)
        }
        let hash = hasher.finalize()
        return UInt64(bitPattern: Int64(hash))
    }

    /// Returns a sum with random factors of this process, which the table mixes.
    ///
    /// The random factors prevent a user from creating many events with the same hash.
    private static func hash(_ habit: Int64, _ day: Day) -> UInt64 {
        let habit = UInt64(bitPattern: habit)
        let day = UInt64(bitPattern: Int64(day.number))
        return habit &* factors.habit &+ day &* factors.day
    }

    /// Random odd numbers.
    private struct Factors {
        let habit = UInt64.random(in: 0...(.max)) | 1
        let day = UInt64.random(in: 0...(.max)) | 1
    }

    private static let factors = Factors()
}
