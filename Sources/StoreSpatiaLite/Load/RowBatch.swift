import Base
import CPrefetch
import CSQLite
import GRDB
import Geo
import StoreEngine

/// A batch of new rows of a table, kept as bytes until they are written together.
///
/// Located rows are written first, in the order of a Hilbert curve, so that rows near each other have adjacent keys and
/// share pages. The other rows follow in the order in which they were added.
///
/// Memory: ``capacity`` bytes of values, and 24 bytes for each row, 48 during the sort.
final class RowBatch: InsertBatch {
    /// The number of bytes of values at which the batch is full.
    private static let capacity = 1 << 26
    /// The room for the last row, which can exceed the capacity.
    ///
    /// Few rows are larger.
    private static let typicalRowSize = 1 << 16

    /// The offset of a row's values and its sort order.
    private struct Entry {
        var order: UInt64
        var start: Int
        var number: Int
    }

    private let db: Database
    private let insert: RowInsert
    private let table: String
    private let columnCount: Int
    /// The values of the rows.
    ///
    /// The room for all of them is allocated at the beginning. Memory that no row uses is not committed by the system.
    /// A larger buffer later would require a copy of all values.
    private let bytes = GrowableByteBuffer(capacity: RowBatch.capacity + RowBatch.typicalRowSize)
    private var entries: [Entry] = []

    init(_ db: Database, table: String, columns: [String]) throws {
        self.db = db
        self.table = table
        columnCount = columns.count
        insert = try RowInsert(into: table, columns: ["id"] + columns, db)
    }

    var isFull: Bool { bytes.count >= Self.capacity }

    func add(_ values: [Value]) throws {
        guard values.count == columnCount else {
            throw HabitError(.internal, "the batch has \(columnCount) columns, but the row has \(values.count) values")
        }
        var order = UInt64.max
        let start = bytes.count
        bytes.append(atMost: Self.room(for: values)) { room in
            var cursor = Cursor(room: room)
            for value in values {
                if case .point(let position) = value { order = HilbertCell(position).order }
                cursor.append(value)
            }
            return cursor.offset
        }
        entries.append(Entry(order: order, start: start, number: entries.count))
    }

    func write() throws -> [Int64] {
        guard !entries.isEmpty else { return [] }
        let last = try Int64.fetchOne(db, sql: "SELECT max(id) FROM \(table)") ?? 0
        entries.sortRadix(by: \.order)
        var keys = [Int64](repeating: 0, count: entries.count)
        var points = [UInt8](repeating: 0, count: RowInsert.rowsAtOnce * PointBlob.length)
        try points.withUnsafeMutableBytes { points in
            try insert.run(entries.count) { row, slot in
                let key = last + 1 + Int64(row)
                keys[entries[row].number] = key
                sqlite3_bind_int64(slot.statement, slot.parameter, key)
                expectRow(row + Self.rowsAhead)
                let offset = slot.index * PointBlob.length
                bind(
                    entries[row], to: slot,
                    point: UnsafeMutableRawBufferPointer(rebasing: points[offset..<offset + PointBlob.length]))
            }
        }
        bytes.removeAll()
        entries.removeAll(keepingCapacity: true)
        return keys
    }

    /// The number of rows by which the values of a row are prefetched into the processor's cache.
    ///
    /// The values can be anywhere in the buffer.
    private static let rowsAhead = 8

    private func expectRow(_ row: Int) {
        guard row < entries.count, let values = bytes.all.baseAddress else { return }
        prefetch(values + entries[row].start)
        // Most rows fit into two cache lines of the processor.
        prefetch(values + entries[row].start + 64)
    }

    // MARK: Values as bytes

    private enum Tag {
        static let null: UInt8 = 0
        static let integer: UInt8 = 1
        static let number: UInt8 = 2
        static let text: UInt8 = 3
        static let blob: UInt8 = 4
        static let point: UInt8 = 5
    }

    /// Returns an upper bound for the number of bytes that the values need.
    private static func room(for values: [Value]) -> Int {
        var room = values.count * (1 + MemoryLayout<Position>.size)
        for value in values {
            switch value {
            case .text(let text): room += text.utf8.count
            case .blob(let blob): room += blob.count
            default: break
            }
        }
        return room
    }

    /// A writer for the bytes of one row.
    private struct Cursor {
        let room: UnsafeMutableRawBufferPointer
        var offset = 0

        mutating func append(_ value: Value) {
            switch value {
            case .null: append(Tag.null)
            case .integer(let value): append(Tag.integer, value)
            case .number(let value): append(Tag.number, value)
            case .text(var text): text.withUTF8 { append(Tag.text, UnsafeRawBufferPointer($0)) }
            case .blob(let blob): blob.withUnsafeBytes { append(Tag.blob, $0) }
            case .point(let position): append(Tag.point, position)
            }
        }

        private mutating func append<Number: BitwiseCopyable>(_ value: Number) {
            room.storeBytes(of: value, toByteOffset: offset, as: Number.self)
            offset += MemoryLayout<Number>.size
        }

        private mutating func append<Number: BitwiseCopyable>(_ tag: UInt8, _ value: Number) {
            append(tag)
            append(value)
        }

        private mutating func append(_ tag: UInt8, _ value: UnsafeRawBufferPointer) {
            append(tag, UInt32(value.count))
            UnsafeMutableRawBufferPointer(rebasing: room[offset...]).copyMemory(from: value)
            offset += value.count
        }
    }

    /// Binds the values of a row after its key.
    ///
    /// Texts and BLOBs are bound by their address in the buffer. The binary form of the point is written to `point`.
    private func bind(_ entry: Entry, to slot: RowInsert.Slot, point: UnsafeMutableRawBufferPointer) {
        let statement = slot.statement
        let bytes = bytes.all
        var offset = entry.start
        func load<Number: BitwiseCopyable>(_: Number.Type) -> Number {
            defer { offset += MemoryLayout<Number>.size }
            return bytes.loadUnaligned(fromByteOffset: offset, as: Number.self)
        }
        for parameter in slot.parameter + 1...slot.parameter + Int32(columnCount) {
            let tag = load(UInt8.self)
            switch tag {
            case Tag.integer: sqlite3_bind_int64(statement, parameter, load(Int64.self))
            case Tag.number: sqlite3_bind_double(statement, parameter, load(Double.self))
            case Tag.text, Tag.blob:
                let count = Int(load(UInt32.self))
                let value = bytes.baseAddress.map { $0 + offset }
                if tag == Tag.text {
                    sqlite3_bind_text(
                        statement, parameter, value?.assumingMemoryBound(to: CChar.self), Int32(count), nil)
                } else {
                    sqlite3_bind_blob(statement, parameter, value, Int32(count), nil)
                }
                offset += count
            case Tag.point:
                PointBlob.write(load(Position.self), into: point)
                sqlite3_bind_blob(statement, parameter, point.baseAddress, Int32(point.count), nil)
            default: sqlite3_bind_null(statement, parameter)
            }
        }
    }
}
