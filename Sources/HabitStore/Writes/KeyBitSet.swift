import BitCollections

/// A set of nearly consecutive keys.
///
/// It uses one bit for each key, and a hashed set for very large keys.
final class KeyBitSet {
    /// The first key in the hashed set.
    ///
    /// The bits for all smaller keys take 1 GiB.
    private static let bound: Int64 = 1 << 33

    private var bits = BitSet()
    private var others: Set<Int64> = []

    func contains(_ key: Int64) -> Bool {
        guard Self.hasBit(key) else {
            return others.contains(key)
        }
        return bits.contains(Int(key))
    }

    func insert(_ key: Int64) {
        if Self.hasBit(key) {
            bits.insert(Int(key))
        } else {
            others.insert(key)
        }
    }

    private static func hasBit(_ key: Int64) -> Bool {
        (0..<bound).contains(key)
    }

    /// The keys in ascending order.
    var all: [Int64] {
        let keys = bits.map(Int64.init)
        guard !others.isEmpty else { return keys }
        return (keys + others).sorted()
    }
}
