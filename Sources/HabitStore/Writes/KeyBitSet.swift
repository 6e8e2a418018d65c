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
        (0..<Self.bound).contains(key) ? bits.contains(Int(key)) : others.contains(key)
    }

    func insert(_ key: Int64) {
        if (0..<Self.bound).contains(key) { bits.insert(Int(key)) } else { others.insert(key) }
    }

    /// The keys in ascending order.
    var all: [Int64] {
        others.isEmpty ? bits.map(Int64.init) : (bits.map(Int64.init) + others).sorted()
    }
}
