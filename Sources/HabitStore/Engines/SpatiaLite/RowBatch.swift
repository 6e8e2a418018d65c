import CSpatiaLite
import GRDB
import Geo
import HabitModel

/// New rows of a table, kept as bytes until they are written together: those with a place in the order of a Hilbert curve,
/// so that what lies near a place has neighbouring keys and shares pages; then the others as they came.
///
/// Memory: what ``capacity`` says, and 24 bytes a row, 48 while they are sorted.
final class RowBatch: InsertBatch {
    /// So many bytes of values are written together.
    private static let capacity = 1 << 26

    /// Where a row's values begin, and its order among the others.
    private struct Entry {
        var order: UInt64
        var start: Int
        var number: Int
    }

    private let db: Database
    private let insert: GRDB.Statement
    private let table: String
    private let columnCount: Int
    private var bytes: [UInt8] = []
    private var entries: [Entry] = []

    init(_ db: Database, table: String, columns: [String]) throws {
        self.db = db
        self.table = table
        columnCount = columns.count
        let places = [String](repeating: "?", count: columns.count + 1)
        insert = try db.makeStatement(
            sql:
                "INSERT INTO \(table) (id, \(columns.joined(separator: ", "))) VALUES (\(places.joined(separator: ", ")))"
        )
    }

    var isFull: Bool { bytes.count >= Self.capacity }

    func add(_ values: [Value]) throws {
        guard values.count == columnCount else {
            throw HabitError(.internal, "\(values.count) values for \(columnCount) columns")
        }
        var order = UInt64.max
        let start = bytes.count
        for value in values {
            if case .point(let position) = value { order = HilbertCell(position).order }
            append(value)
        }
        entries.append(Entry(order: order, start: start, number: entries.count))
    }

    func write() throws -> [Int64] {
        guard !entries.isEmpty else { return [] }
        let last = try Int64.fetchOne(db, sql: "SELECT max(id) FROM \(table)") ?? 0
        entries.sortRadix(by: \.order)
        var keys = [Int64](repeating: 0, count: entries.count)
        try bytes.withUnsafeBytes { bytes in
            var point = [UInt8](repeating: 0, count: PointBlob.length)
            try point.withUnsafeMutableBytes { point in
                for (place, entry) in entries.enumerated() {
                    keys[entry.number] = last + 1 + Int64(place)
                    try write(bytes, from: entry.start, key: keys[entry.number], point)
                }
            }
        }
        bytes.removeAll(keepingCapacity: true)
        entries.removeAll(keepingCapacity: true)
        return keys
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

    private func append(_ value: Value) {
        switch value {
        case .null: bytes.append(Tag.null)
        case .integer(let value): append(Tag.integer, value)
        case .number(let value): append(Tag.number, value)
        case .text(var text):
            text.withUTF8 {
                append(Tag.text, UInt32($0.count))
                bytes.append(contentsOf: $0)
            }
        case .blob(let blob):
            append(Tag.blob, UInt32(blob.count))
            bytes.append(contentsOf: blob)
        case .point(let position): append(Tag.point, position)
        }
    }

    private func append<Number: BitwiseCopyable>(_ tag: UInt8, _ value: Number) {
        bytes.append(tag)
        withUnsafeBytes(of: value) { bytes.append(contentsOf: $0) }
    }

    /// Binds the values where they lie, and inserts the row.
    private func write(
        _ bytes: UnsafeRawBufferPointer, from start: Int, key: Int64, _ point: UnsafeMutableRawBufferPointer
    ) throws {
        let handle = insert.sqliteStatement
        sqlite3_bind_int64(handle, 1, key)
        var place = start
        func load<Number: BitwiseCopyable>(_: Number.Type) -> Number {
            defer { place += MemoryLayout<Number>.size }
            return bytes.loadUnaligned(fromByteOffset: place, as: Number.self)
        }
        for column in 2..<Int32(columnCount + 2) {
            let tag = load(UInt8.self)
            switch tag {
            case Tag.integer: sqlite3_bind_int64(handle, column, load(Int64.self))
            case Tag.number: sqlite3_bind_double(handle, column, load(Double.self))
            case Tag.text, Tag.blob:
                let count = Int(load(UInt32.self))
                let value = bytes.baseAddress.map { $0 + place }
                if tag == Tag.text {
                    sqlite3_bind_text(
                        handle, column, value?.assumingMemoryBound(to: CChar.self), Int32(count), nil)
                } else {
                    sqlite3_bind_blob(handle, column, value, Int32(count), nil)
                }
                place += count
            case Tag.point:
                PointBlob.write(load(Position.self), into: point)
                sqlite3_bind_blob(handle, column, point.baseAddress, Int32(point.count), nil)
            default: sqlite3_bind_null(handle, column)
            }
        }
        let code = sqlite3_step(handle)
        sqlite3_reset(handle)
        guard code == SQLITE_DONE else {
            throw DatabaseError(
                resultCode: ResultCode(rawValue: code), message: String(cString: sqlite3_errmsg(db.sqliteConnection)))
        }
    }
}
