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

    /// What `body` makes of the first of the keys that may have been inserted with this hash for which it gives anything.
    func firstCandidate<Result>(_ hash: UInt64, _ body: (Int64) throws -> Result?) rethrows -> Result? {
        var place = start(hash)
        while slots[place] != 0 {
            if slots[place] >> 32 == hash >> 32, let found = try body(Int64(slots[place] & 0xFFFF_FFFF)) {
                return found
            }
            place = (place + 1) & (slots.count - 1)
        }
        for key in others { if let found = try body(key) { return found } }
        return nil
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
