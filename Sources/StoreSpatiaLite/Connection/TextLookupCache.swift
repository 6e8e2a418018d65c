import CSQLite
import StoreEngine

/// A cache of one text column of a table, indexed by primary key and filled on first access.
///
/// Memory: 16 bytes for each key up to the largest requested key, and the texts. Both are bounded.
final class TextLookupCache {
    /// The byte range of a text in the cache.
    private struct Slot {
        var start: UInt32 = 0
        /// The length in bytes, or ``none`` if the text is not cached.
        var length = Self.none

        static let none = UInt32.max
    }

    /// The exclusive upper bound of the keys that are cached.
    ///
    /// If a table has larger keys, a join costs less.
    static let keyLimit: Int64 = 1 << 18
    /// The number of neighboring keys that are read together.
    ///
    /// Keys are assigned consecutively, and a query that reads one key often reads its neighbors soon.
    private static let together: Int64 = 16
    /// The size of the texts, in bytes, above which the cache is emptied before it reads more.
    private static let byteLimit = 1 << 23

    private let rows: SpatiaLiteStatement
    /// The slots, indexed by key.
    private var slots: [Slot] = []
    private let bytes = GrowableByteBuffer(capacity: 1 << 14)
    /// The text of the last requested key whose text is not cached.
    private let other = GrowableByteBuffer(capacity: 1 << 6)

    /// Creates a cache from a statement that returns the keys and texts between two keys.
    init(_ rows: SpatiaLiteStatement) { self.rows = rows }

    /// Returns the text of a row, valid until the next call, or `nil` if the row does not exist.
    func text(of key: Int64) throws -> UnsafeBufferPointer<UInt8>? {
        guard (0..<Self.keyLimit).contains(key) else { return try readAlone(key) }
        if let text = kept(key) { return text }
        try read(around: key)
        return kept(key)
    }

    private func kept(_ key: Int64) -> UnsafeBufferPointer<UInt8>? {
        guard key < slots.count else { return nil }
        let slot = slots[Int(key)]
        guard slot.length != Slot.none else { return nil }
        let start = Int(slot.start)
        let end = start + Int(slot.length)
        let text = UnsafeRawBufferPointer(rebasing: bytes.all[start..<end])
        return text.assumingMemoryBound(to: UInt8.self)
    }

    private func read(around key: Int64) throws {
        if bytes.count > Self.byteLimit { forget() }
        let first = key & ~(Self.together - 1)
        let end = first + Self.together
        makeSlots(for: Int(end))
        try rows.bind([.integer(first), .integer(end - 1)])
        try rows.forEach { row in
            let index = Int(row.integer(0))
            _ = row.readText(1) { text in
                slots[index] = Slot(start: UInt32(bytes.count), length: UInt32(text.count))
                text.bytes.withUnsafeBytes { textBytes in
                    _ = bytes.append(contentsOf: textBytes)
                }
            }
            return true
        }
    }

    /// Adds slots so that all keys below `end` have one.
    private func makeSlots(for end: Int) {
        guard slots.count < end else { return }
        let preferred = max(1 << 10, 2 * end)
        let size = min(Int(Self.keyLimit), preferred)
        slots += repeatElement(Slot(), count: size - slots.count)
    }

    private func readAlone(_ key: Int64) throws -> UnsafeBufferPointer<UInt8>? {
        var text: UnsafeBufferPointer<UInt8>?
        try rows.bind([.integer(key), .integer(key)])
        try rows.forEach { row in
            _ = row.readText(1) { found in
                other.removeAll()
                text = found.bytes.withUnsafeBytes { textBytes in
                    let copy = other.append(contentsOf: textBytes)
                    return copy.assumingMemoryBound(to: UInt8.self)
                }
            }
            return true
        }
        return text
    }

    private func forget() {
        bytes.removeAll()
        for index in slots.indices {
            slots[index].length = Slot.none
        }
    }
}

/// The columns of a result that contain keys, and the texts that replace the keys in the current row.
///
/// The type is not copyable and allocates its memory itself, so that no row changes a reference count.
struct RowTextLookups: ~Copyable {
    /// The text of one column in the current row.
    struct Text {
        /// Whether the column contains keys, so that `bytes` replaces its value.
        var isRead = false
        var bytes = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    }

    /// The text caches and their columns, retained until deinitialization.
    private let sources: UnsafeMutableBufferPointer<(index: Int, texts: Unmanaged<TextLookupCache>)>
    /// The texts, indexed by column of the result.
    let texts: UnsafeMutableBufferPointer<Text>

    /// Creates the texts from a cache for each column.
    ///
    /// Each cache must serve only one column of one statement at a time, because it returns one text at a time.
    init(_ sources: [Int: TextLookupCache] = [:]) {
        self.sources = .allocate(capacity: sources.count)
        _ = self.sources.initialize(
            from: sources.map { index, cache in (index, .passRetained(cache)) })
        let lastColumn = sources.keys.max() ?? -1
        texts = .allocate(capacity: lastColumn + 1)
        texts.initialize(repeating: Text())
        for index in sources.keys {
            texts[index].isRead = true
        }
    }

    deinit {
        for source in sources {
            source.texts.release()
        }
        sources.deallocate()
        texts.deallocate()
    }

    /// Reads the texts for the current row of a statement.
    ///
    /// Returns `false` if a text does not exist. An inner join would omit such a row.
    func find(of statement: OpaquePointer) throws -> Bool {
        for (index, source) in sources {
            let column = Int32(index)
            let key = sqlite3_column_int64(statement, column)
            if key == 0, sqlite3_column_type(statement, column) == SQLITE_NULL { return false }
            let text = try source._withUnsafeGuaranteedRef { cache in try cache.text(of: key) }
            guard let text else { return false }
            texts[index].bytes = text
        }
        return true
    }
}
