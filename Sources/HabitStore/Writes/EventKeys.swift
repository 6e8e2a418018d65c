import HabitModel

/// Finds the stored event with an id, and that of a habit on a day.
///
/// Where the store had no event when the load began, everything that can be found was written by the load: it is found
/// through tables in memory, 24 to 48 bytes an event, since the indexes are not there before the rows are (see
/// ``Session/load(_:)``). Else through the indexes.
final class EventKeys {
    private let byID: any Statement
    private let byDay: any Statement
    private let event: any Statement
    private var written: (ids: KeyTable, days: KeyTable)?

    init(_ session: any Session) throws {
        byID = try session.prepare("SELECT id, user_id FROM event WHERE external_id = :id")
        byDay = try session.prepare("SELECT id, external_id FROM event WHERE habit_id = :habit AND day = :day")
        event = try session.prepare("SELECT external_id, user_id, habit_id, day FROM event WHERE id = :key")
        let isEmpty = try session.first("SELECT id FROM event LIMIT 1") { $0.integer(0) } == nil
        if isEmpty { written = (KeyTable(), KeyTable()) }
    }

    /// The event of a habit on a day.
    func find(habit: Int64, day: Day) throws -> (key: Int64, id: String)? {
        guard let written else {
            try byDay.bind([.integer(habit), .day(day)])
            return try byDay.firstRow { ($0.integer(0), $0.text(1) ?? "") }
        }
        for key in written.days.candidates(Self.hash(habit, day)) {
            try event.bind([.integer(key)])
            let id = try event.firstRow { row -> String? in
                guard row.integer(2) == habit, row.withText(3, { Day(utf8: $0) }) == day else { return nil }
                return row.text(0) ?? ""
            }
            if let id = id ?? nil { return (key, id) }
        }
        return nil
    }

    /// The event with an id, and the key of its user.
    func find(id: String) throws -> (key: Int64, owner: Int64)? {
        guard let written else {
            try byID.bind([.text(id)])
            return try byID.firstRow { ($0.integer(0), $0.integer(1)) }
        }
        for key in written.ids.candidates(Self.hash(id)) {
            try event.bind([.integer(key)])
            let owner = try event.firstRow { row -> Int64? in
                row.withText(0) { $0.elementsEqual(id.utf8) } ? row.integer(1) : nil
            }
            if let owner = owner ?? nil { return (key, owner) }
        }
        return nil
    }

    /// To be told of every event that is inserted.
    func insert(_ key: Int64, id: String, habit: Int64, day: Day) {
        written?.ids.insert(key, Self.hash(id))
        written?.days.insert(key, Self.hash(habit, day))
    }

    /// Lets go of the tables: the indexes are about to be there.
    func forget() { written = nil }

    private static func hash(_ id: String) -> UInt64 {
        var id = id
        var hasher = Hasher()
        id.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }

    private static func hash(_ habit: Int64, _ day: Day) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(habit)
        hasher.combine(day.number)
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }
}

/// Keys by a hash of what they stand for: open addressing, 8 bytes a slot, a third of them free at least.
///
/// A slot holds 32 bits of the key and 32 of the hash, so that a candidate is nearly always the one; whoever asks must look.
/// Keys of more than 32 bits, which no load from nothing makes, are candidates for everything.
struct KeyTable {
    private var slots = [UInt64](repeating: 0, count: 1 << 10)
    private var count = 0
    private var others: [Int64] = []

    mutating func insert(_ key: Int64, _ hash: UInt64) {
        guard (1...Int64(UInt32.max)).contains(key) else { return others.append(key) }
        if 3 * (count + 1) > 2 * slots.count { grow() }
        count += 1
        put(UInt64(key) | hash & ~0xFFFF_FFFF)
    }

    /// The keys that may have been inserted with this hash.
    func candidates(_ hash: UInt64) -> [Int64] {
        var found = others
        var place = start(hash)
        while slots[place] != 0 {
            if slots[place] >> 32 == hash >> 32 { found.append(Int64(slots[place] & 0xFFFF_FFFF)) }
            place = (place + 1) & (slots.count - 1)
        }
        return found
    }

    /// The upper half of the hash decides, since that is what a slot keeps of it.
    private func start(_ slot: UInt64) -> Int { Int((slot >> 32 &* 0x9E37_79B9_7F4A_7C15) >> 24) & (slots.count - 1) }

    private mutating func put(_ slot: UInt64) {
        var place = start(slot)
        while slots[place] != 0 { place = (place + 1) & (slots.count - 1) }
        slots[place] = slot
    }

    private mutating func grow() {
        let old = slots
        slots = [UInt64](repeating: 0, count: 2 * old.count)
        for slot in old where slot != 0 { put(slot) }
    }
}

extension Statement {
    /// What `body` makes of the first row; nil where there is none.
    func firstRow<Result>(_ body: (any Row) throws -> Result) throws -> Result? {
        var result: Result?
        try forEach {
            result = try body($0)
            return false
        }
        return result
    }
}
