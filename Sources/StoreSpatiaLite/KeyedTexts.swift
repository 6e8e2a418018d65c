import CSQLite
import StoreEngine

/// What one column of a table says of its rows, by their keys, kept from when it was first asked for.
///
/// Memory: 16 bytes for each key up to the largest that was asked for, and the texts; both bounded.
final class KeyedTexts {
    private struct Slot {
        var start: UInt32 = 0
        /// ``none`` where nothing is kept.
        var length = Self.none

        static let none = UInt32.max
    }

    /// Larger keys are not kept: a join is better where there are any.
    static let keyLimit: Int64 = 1 << 18
    /// Keys are given one after the other, and what is asked of one is soon asked of its neighbours.
    private static let together: Int64 = 16
    private static let byteLimit = 1 << 23

    private let rows: SpatiaLiteStatement
    /// By the keys.
    private var slots: [Slot] = []
    private let bytes = ByteStack(capacity: 1 << 14)
    private let other = ByteStack(capacity: 1 << 6)

    /// `rows` gives the keys and the texts of the rows from one key to another.
    init(_ rows: SpatiaLiteStatement) { self.rows = rows }

    /// The text of a row, valid until another one is asked for; nil where there is no such row.
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
        let place = Int(slot.start)..<Int(slot.start) + Int(slot.length)
        return UnsafeRawBufferPointer(rebasing: bytes.all[place]).assumingMemoryBound(to: UInt8.self)
    }

    private func read(around key: Int64) throws {
        if bytes.count > Self.byteLimit { forget() }
        let first = key & ~(Self.together - 1)
        if slots.count < first + Self.together {
            let size = min(Int(Self.keyLimit), max(1 << 10, 2 * Int(first + Self.together)))
            slots += repeatElement(Slot(), count: size - slots.count)
        }
        try rows.bind([.integer(first), .integer(first + Self.together - 1)])
        try rows.forEach { row in
            let place = Int(row.integer(0))
            _ = row.readText(1) { text in
                slots[place] = Slot(start: UInt32(bytes.count), length: UInt32(text.count))
                text.bytes.withUnsafeBytes { _ = bytes.append(contentsOf: $0) }
            }
            return true
        }
    }

    private func readAlone(_ key: Int64) throws -> UnsafeBufferPointer<UInt8>? {
        var text: UnsafeBufferPointer<UInt8>?
        try rows.bind([.integer(key), .integer(key)])
        try rows.forEach { row in
            _ = row.readText(1) {
                other.removeAll()
                text = $0.bytes.withUnsafeBytes { other.append(contentsOf: $0).assumingMemoryBound(to: UInt8.self) }
            }
            return true
        }
        return text
    }

    private func forget() {
        bytes.removeAll()
        for place in slots.indices { slots[place].length = Slot.none }
    }
}

/// The columns of a result that hold keys, and what is read in their place in its present row.
///
/// Not copyable, and all of it in memory of its own: nothing counts references for each row.
struct RowTexts: ~Copyable {
    struct Text {
        /// Whether the column holds keys, so that the bytes are read in their place.
        var isRead = false
        var bytes = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    }

    /// Retained until the end.
    private let sources: UnsafeMutableBufferPointer<(index: Int, texts: Unmanaged<KeyedTexts>)>
    /// By the index in the result.
    let texts: UnsafeMutableBufferPointer<Text>

    /// Each source is of one column of one statement at a time, since it gives one text at a time.
    init(_ sources: [Int: KeyedTexts] = [:]) {
        self.sources = .allocate(capacity: sources.count)
        _ = self.sources.initialize(from: sources.map { ($0.key, .passRetained($0.value)) })
        texts = .allocate(capacity: (sources.keys.max() ?? -1) + 1)
        texts.initialize(repeating: Text())
        for index in sources.keys { texts[index].isRead = true }
    }

    deinit {
        for source in sources { source.texts.release() }
        sources.deallocate()
        texts.deallocate()
    }

    /// Looks for the texts of a statement's row. False where one is missing: a join would not have given the row.
    func find(of statement: OpaquePointer) throws -> Bool {
        for (index, source) in sources {
            let key = sqlite3_column_int64(statement, Int32(index))
            if key == 0, sqlite3_column_type(statement, Int32(index)) == SQLITE_NULL { return false }
            guard let text = try source._withUnsafeGuaranteedRef({ try $0.text(of: key) }) else { return false }
            texts[index].bytes = text
        }
        return true
    }
}
