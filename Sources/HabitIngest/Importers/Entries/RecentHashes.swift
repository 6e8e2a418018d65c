/// A set of the hashes that were added last, with limited memory.
///
/// After 2 million further values a hash may be removed. Two different values have the same hash with a probability of
/// about 2⁻⁶⁴.
struct RecentHashes {
    private static let limit = 2_000_000

    private var newer: Set<Int> = []
    private var older: Set<Int> = []

    init() {}

    /// Adds a value.
    ///
    /// - Returns: Whether the value is new.
    mutating func insert(_ value: some Hashable) -> Bool {
        let hash = value.hashValue
        guard !older.contains(hash), newer.insert(hash).inserted else { return false }
        if newer.count >= Self.limit {
            older = newer
            newer = []
        }
        return true
    }
}
