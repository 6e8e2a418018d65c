/// Numbers from 1, given in order, by a hash of what each stands for: open addressing, 8 bytes a slot, a third of them free
/// at least, and 4 bytes a number.
///
/// A slot holds the number and the upper half of the hash, and beside it lies the lower half: of a candidate it is as good
/// as certain that it is the one, but whoever asks must look. There is room for 2³² numbers.
struct KeyTable {
    private var slots = [UInt64](repeating: 0, count: 1 << 10)
    private var lowerHalves: [UInt32] = []

    /// The last number given.
    var count: Int { lowerHalves.count }

    /// Gives the next number.
    mutating func insert(_ hash: UInt64) {
        if 3 * (count + 1) > 2 * slots.count { grow() }
        lowerHalves.append(UInt32(truncatingIfNeeded: hash))
        put(UInt64(UInt32(truncatingIfNeeded: count)) | hash & ~0xFFFF_FFFF)
    }

    /// What `body` makes of the first of the numbers with this hash for which it gives anything.
    func firstCandidate<Result>(_ hash: UInt64, _ body: (Int) throws -> Result?) rethrows -> Result? {
        var place = start(hash)
        while slots[place] != 0 {
            let number = Int(slots[place] & 0xFFFF_FFFF)
            if slots[place] >> 32 == hash >> 32, lowerHalves[number - 1] == UInt32(truncatingIfNeeded: hash),
                let found = try body(number)
            {
                return found
            }
            place = (place + 1) & (slots.count - 1)
        }
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
