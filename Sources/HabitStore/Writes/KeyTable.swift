import CPrefetch

/// A hash table that assigns consecutive numbers from 1 on to hashes.
///
/// The table uses open addressing. It has 5 bytes for each slot and 8 bytes for each number. At least a third of the
/// slots are free. The capacity is 2³² numbers.
///
/// Each slot has a mark, one byte of its hash. The marks are stored together and fit into the processor's cache for a
/// million numbers. Most lookups are for a hash without a number, and they usually read only the marks. A candidate is
/// almost certainly the right number, but the caller must check it.
///
/// The table is not copyable, so access to its memory does not count references.
struct KeyTable: ~Copyable {
    /// The marks of the slots.
    ///
    /// The mark of a free slot is 0.
    private(set) var marks = [UInt8](repeating: 0, count: 1 << 10)
    private var slots = [UInt32](repeating: 0, count: 1 << 10)
    /// The hashes in the order of their numbers.
    private var hashes: [UInt64] = []

    /// The last number that was assigned.
    var count: Int { hashes.count }

    /// Assigns the next number to `hash`.
    mutating func insert(_ hash: UInt64) {
        if 3 * (count + 1) > 2 * slots.count {
            grow()
        }
        hashes.append(hash)
        put(count, hash)
    }

    /// Prefetches the memory that ``firstCandidate(_:_:)`` reads.
    func prefetch(_ hash: UInt64) {
        let slotIndex = start(hash).index
        marks.withUnsafeBufferPointer { marks in
            if let base = marks.baseAddress {
                CPrefetch.prefetch(base + slotIndex)
            }
        }
    }

    /// Calls `body` with each number of `hash` until the result is not `nil`, and returns this result.
    func firstCandidate<Result>(
        _ hash: UInt64,
        _ body: (Int) throws -> Result?
    ) rethrows -> Result? {
        let start = start(hash)
        var slotIndex = start.index
        while marks[slotIndex] != 0 {
            if marks[slotIndex] == start.mark {
                let number = Int(slots[slotIndex])
                if hashes[number - 1] == hash, let found = try body(number) {
                    return found
                }
            }
            slotIndex = next(slotIndex)
        }
        return nil
    }

    /// Returns the index of the slot after another, which is the first slot after the last.
    private func next(_ slotIndex: Int) -> Int {
        let mask = slots.count - 1
        return (slotIndex + 1) & mask
    }

    /// The index of the first slot of a search, and the mark of the hash.
    private struct Start {
        var index: Int
        var mark: UInt8
    }

    /// Returns the first slot of a search for `hash`, and the mark of the hash.
    ///
    /// The hash is mixed with the finalizer of MurmurHash3. Without it, linear hashes such as a sum of products occupy
    /// long runs of slots, and each search reads a run.
    private func start(_ hash: UInt64) -> Start {
        var mixed = (hash ^ hash >> 33) &* 0xFF51_AFD7_ED55_8CCD
        mixed = (mixed ^ mixed >> 33) &* 0xC4CE_B9FE_1A85_EC53
        let mask = slots.count - 1
        let mark = UInt8(truncatingIfNeeded: mixed >> 24) | 1
        return Start(index: Int(mixed >> 32) & mask, mark: mark)
    }

    private mutating func put(_ number: Int, _ hash: UInt64) {
        let start = start(hash)
        var slotIndex = start.index
        while marks[slotIndex] != 0 {
            slotIndex = next(slotIndex)
        }
        marks[slotIndex] = start.mark
        slots[slotIndex] = UInt32(truncatingIfNeeded: number)
    }

    private mutating func grow() {
        let size = 2 * slots.count
        marks = [UInt8](repeating: 0, count: size)
        slots = [UInt32](repeating: 0, count: size)
        for (index, hash) in hashes.enumerated() {
            put(index + 1, hash)
        }
    }
}
