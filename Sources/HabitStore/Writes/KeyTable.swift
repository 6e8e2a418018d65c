import CPrefetch

/// Numbers from 1, given in order, by a hash of what each stands for: open addressing, 5 bytes a slot, a third of them free
/// at least, and 8 bytes a number.
///
/// A slot has a byte of its hash beside it, and those bytes lie together: that there is no number for a hash, which is what
/// most are asked about, they say without a look at anything else, and of a million numbers they fit into the processor's
/// cache. Of a candidate it is as good as certain that it is the one, but whoever asks must look. There is room for 2³²
/// numbers. Not copyable, so that nothing counts who refers to its memory.
struct KeyTable: ~Copyable {
    /// 0 where the slot is free.
    private(set) var marks = [UInt8](repeating: 0, count: 1 << 10)
    private var slots = [UInt32](repeating: 0, count: 1 << 10)
    /// By the numbers.
    private var hashes: [UInt64] = []

    /// The last number given.
    var count: Int { hashes.count }

    /// Gives the next number.
    mutating func insert(_ hash: UInt64) {
        if 3 * (count + 1) > 2 * slots.count { grow() }
        hashes.append(hash)
        put(count, hash)
    }

    /// Has the memory brought near that ``firstCandidate(_:_:)`` will look at.
    func expect(_ hash: UInt64) {
        let place = start(hash).place
        marks.withUnsafeBufferPointer { marks in
            if let base = marks.baseAddress { prefetch(base + place) }
        }
    }

    /// What `body` makes of the first of the numbers with this hash for which it gives anything.
    func firstCandidate<Result>(_ hash: UInt64, _ body: (Int) throws -> Result?) rethrows -> Result? {
        var (place, mark) = start(hash)
        while marks[place] != 0 {
            if marks[place] == mark {
                let number = Int(slots[place])
                if hashes[number - 1] == hash, let found = try body(number) { return found }
            }
            place = (place + 1) & (slots.count - 1)
        }
        return nil
    }

    /// The first slot to look at, and what is beside it where it is taken for this hash. The hash is mixed (the finalizer of
    /// MurmurHash3): what is linear in it, as one that is a sum of products, would lie in long runs, through which each search goes.
    private func start(_ hash: UInt64) -> (place: Int, mark: UInt8) {
        var mixed = (hash ^ hash >> 33) &* 0xFF51_AFD7_ED55_8CCD
        mixed = (mixed ^ mixed >> 33) &* 0xC4CE_B9FE_1A85_EC53
        return (Int(mixed >> 32) & (slots.count - 1), UInt8(truncatingIfNeeded: mixed >> 24) | 1)
    }

    private mutating func put(_ number: Int, _ hash: UInt64) {
        var (place, mark) = start(hash)
        while marks[place] != 0 { place = (place + 1) & (slots.count - 1) }
        marks[place] = mark
        slots[place] = UInt32(truncatingIfNeeded: number)
    }

    private mutating func grow() {
        let size = 2 * slots.count
        marks = [UInt8](repeating: 0, count: size)
        slots = [UInt32](repeating: 0, count: size)
        for (index, hash) in hashes.enumerated() { put(index + 1, hash) }
    }
}
