/// A hash table that numbers pairs of integers from 0 in the order of their first occurrence.
///
/// Memory: at most 80 bytes for each pair.
struct SlotTable {
    private struct Entry {
        var first: Int64
        var second: Int64
        /// The number of the pair, or a negative number if the entry is free.
        var slot: Int32
    }

    /// The number of different pairs.
    private(set) var count = 0
    private var entries: [Entry]
    private var mask: Int
    // The positions of events are from outside. With a random key, no file can make many pairs collide.
    private let key = Key()

    /// A random mask for each half of a pair.
    private struct Key {
        let first = UInt64.random(in: .min ... .max)
        let second = UInt64.random(in: .min ... .max)
    }

    init() {
        entries = Self.free(1 << 12)
        mask = entries.count - 1
    }

    private static func free(_ count: Int) -> [Entry] {
        let entry = Entry(first: 0, second: 0, slot: -1)
        return Array(repeating: entry, count: count)
    }

    /// Returns the number of a pair, which is the previous ``count`` if the pair is new.
    mutating func slot(of first: Int64, _ second: Int64) -> Int {
        var index = hash(first, second) & mask
        while entries[index].slot >= 0 {
            let entry = entries[index]
            if entry.first == first, entry.second == second {
                return Int(entry.slot)
            }
            index = (index + 1) & mask
        }
        entries[index] = Entry(
            first: first,
            second: second,
            slot: Int32(count))
        count += 1
        if 2 * count > entries.count {
            grow()
        }
        return count - 1
    }

    /// Calls a closure with each pair, in the order of their numbers.
    func forEach(_ body: (Int64, Int64) -> Void) {
        let used = entries.filter { $0.slot >= 0 }
        let ordered = used.sorted { entry, other in
            entry.slot < other.slot
        }
        for entry in ordered {
            body(entry.first, entry.second)
        }
    }

    /// Returns a hash of a pair: the folded product of its masked halves.
    private func hash(_ first: Int64, _ second: Int64) -> Int {
        let maskedFirst = UInt64(bitPattern: first) ^ key.first
        let maskedSecond = UInt64(bitPattern: second) ^ key.second
        let product = maskedFirst.multipliedFullWidth(by: maskedSecond)
        return Int(truncatingIfNeeded: product.high ^ product.low)
    }

    private mutating func grow() {
        let old = entries
        entries = Self.free(2 * old.count)
        mask = entries.count - 1
        for entry in old where entry.slot >= 0 {
            var index = hash(entry.first, entry.second) & mask
            while entries[index].slot >= 0 {
                index = (index + 1) & mask
            }
            entries[index] = entry
        }
    }
}
