import CSQLite

/// What one column of a table says of its rows, by their keys, kept from when it was first asked for.
///
/// Memory: 16 bytes for each key up to the largest that was asked for, and the texts; both bounded. Keys beyond share their
/// places, and may be read again and again.
final class KeyedTexts {
    private struct Slot {
        var key: Int64 = 0
        var start: UInt32 = 0
        /// ``none`` where nothing is kept here.
        var length = Self.none

        static let none = UInt32.max
    }

    /// Keys are given one after the other, and what is asked of one is soon asked of its neighbours.
    private static let together: Int64 = 16
    private static let slotLimit = 1 << 19
    private static let byteLimit = 1 << 23

    private let rows: SpatiaLiteStatement
    private var slots = [Slot](repeating: Slot(), count: 1 << 10)
    private let bytes = ByteStack(capacity: 1 << 14)

    /// `rows` gives the keys and the texts of the rows from one key to another.
    init(_ rows: SpatiaLiteStatement) { self.rows = rows }

    /// The text of a row, valid until another one is asked for; nil where there is no such row.
    func text(of key: Int64) throws -> UnsafeBufferPointer<UInt8>? {
        if let place = place(of: key) { return text(at: place) }
        try read(around: key)
        return place(of: key).map(text)
    }

    private func read(around key: Int64) throws {
        if bytes.count > Self.byteLimit { forget() }
        let size = min(Self.slotLimit, Int(clamping: key) &* 2)
        if size > slots.count { grow(to: size) }
        try rows.bind([.integer(key & ~(Self.together - 1)), .integer(key | (Self.together - 1))])
        try rows.forEach { row in
            let key = row.integer(0)
            _ = row.readText(1) { text in
                let start = UInt32(bytes.count)
                bytes.append(contentsOf: UnsafeRawBufferPointer(text))
                slots[slot(of: key)] = Slot(key: key, start: start, length: UInt32(text.count))
            }
            return true
        }
    }

    private func text(at place: Range<Int>) -> UnsafeBufferPointer<UInt8> {
        UnsafeRawBufferPointer(rebasing: bytes.all[place]).assumingMemoryBound(to: UInt8.self)
    }

    private func place(of key: Int64) -> Range<Int>? {
        let slot = slots[slot(of: key)]
        guard slot.key == key, slot.length != Slot.none else { return nil }
        return Int(slot.start)..<Int(slot.start) + Int(slot.length)
    }

    /// There are 2^n.
    private func slot(of key: Int64) -> Int { Int(truncatingIfNeeded: key) & (slots.count - 1) }

    private func grow(to size: Int) {
        let old = slots
        slots = [Slot](repeating: Slot(), count: 1 << (Int.bitWidth - (size - 1).leadingZeroBitCount))
        for entry in old where entry.length != Slot.none { slots[slot(of: entry.key)] = entry }
    }

    private func forget() {
        bytes.removeAll()
        for place in slots.indices { slots[place].length = Slot.none }
    }
}

/// The columns of a result that hold keys, and what is read in their place in its present row.
final class RowTexts {
    struct Text {
        /// Whether the column holds keys, so that this is read.
        var isRead = false
        /// Nil where it is null.
        var bytes: UnsafeBufferPointer<UInt8>?
    }

    private let sources: [(index: Int, texts: KeyedTexts)]
    /// By the index in the result. In memory of its own: what a row's cell is read from is not counted for each of them.
    let texts: UnsafeMutableBufferPointer<Text>

    /// Each source is of one column alone, since it gives one text at a time.
    init(_ sources: [Int: KeyedTexts]) {
        self.sources = sources.map { ($0.key, $0.value) }
        texts = .allocate(capacity: (sources.keys.max() ?? -1) + 1)
        texts.initialize(repeating: Text())
        for index in sources.keys { texts[index].isRead = true }
    }

    deinit { texts.deallocate() }

    /// Looks for the texts of a statement's row.
    func find(of statement: OpaquePointer) throws {
        for (index, source) in sources {
            let key = sqlite3_column_int64(statement, Int32(index))
            let isNull = key == 0 && sqlite3_column_type(statement, Int32(index)) == SQLITE_NULL
            texts[index].bytes = isNull ? nil : try source.text(of: key)
        }
    }
}
