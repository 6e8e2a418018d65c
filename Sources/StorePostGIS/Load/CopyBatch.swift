import Base
import StoreEngine

/// New rows of a table in the text format of COPY, which are sent together.
///
/// Memory use is limited by ``capacity``.
final class CopyBatch: InsertBatch {
    /// Size in bytes from which the batch is full.
    private static let capacity = 1 << 24

    private let connection: PostGISConnection
    private let table: String
    private let columns: [String]
    private let isKeyed: Bool
    /// The rows.
    ///
    /// A row without a key begins with the delimiter after the key.
    private var rows: [[UInt8]] = []
    private var byteCount = 0

    init(_ connection: PostGISConnection, table: String, columns: [String], keyed: Bool) {
        self.connection = connection
        self.table = table
        self.columns = columns
        isKeyed = keyed
    }

    var isFull: Bool { byteCount >= Self.capacity }

    func add(_ values: [Value]) throws {
        guard values.count == columns.count else {
            throw HabitError(
                .internal, "the batch has \(columns.count) columns, but the row has \(values.count) values")
        }
        var row: [UInt8] = []
        row.reserveCapacity(200)
        for (index, value) in values.enumerated() {
            let needsSeparator = index > 0 || !isKeyed
            if needsSeparator {
                row.append(UInt8(ascii: "\t"))
            }
            Self.append(value, to: &row)
        }
        row.append(UInt8(ascii: "\n"))
        byteCount += row.count
        rows.append(row)
    }

    func write() throws -> [Int64] {
        guard !rows.isEmpty else { return [] }
        defer {
            rows.removeAll(keepingCapacity: true)
            byteCount = 0
        }
        return isKeyed ? try writeKeyed() : try writeWithNewKeys()
    }

    /// Writes rows with keys, and sets the sequence of the table to the largest key.
    private func writeKeyed() throws -> [Int64] {
        try copy(rows.flatMap(\.self), into: columns)
        guard columns[0] == "id" else { return [] }
        // In a SELECT from a table, a cluster could call `setval` on a worker, whose sequences have other ranges.
        let last = try connection.execute("SELECT greatest(max(id), 1) FROM habitat.\(table)").text ?? "1"
        try connection.execute("SELECT setval(pg_get_serial_sequence('habitat.\(table)', 'id'), \(last))")
        return []
    }

    /// Writes rows without keys.
    ///
    /// The keys are consecutive values of the sequence of the table.
    private func writeWithNewKeys() throws -> [Int64] {
        let taken = try connection.execute(
            """
            SELECT setval(name, nextval(name) + \(rows.count - 1))
            FROM pg_get_serial_sequence('habitat.\(table)', 'id') AS name
            """)
        guard let text = taken.text, let last = Int64(text) else {
            throw HabitError(.internal, "the server returned no keys")
        }
        let first = last - Int64(rows.count) + 1
        var bytes: [UInt8] = []
        bytes.reserveCapacity(byteCount + 12 * rows.count)
        for (key, row) in zip(first..., rows) {
            bytes += String(key).utf8
            bytes += row
        }
        try copy(bytes, into: ["id"] + columns)
        return Array(first...last)
    }

    private func copy(_ bytes: [UInt8], into columns: [String]) throws {
        let list = columns.joined(separator: ", ")
        try connection.copy("COPY \(table) (\(list)) FROM STDIN", bytes)
    }

    private static func append(_ value: Value, to row: inout [UInt8]) {
        switch value {
        case .null:
            row += #"\N"#.utf8
        case .integer(let number):
            row += String(number).utf8
        case .number(let number):
            row += String(number).utf8
        case .text(let text):
            append(text, to: &row)
        case .blob(let blob):
            row += #"\\x"#.utf8
            append(hexadecimal: blob, to: &row)
        case .point(let position):
            append(hexadecimal: PointEWKB.bytes(position), to: &row)
        }
    }

    private static func append(_ text: String, to row: inout [UInt8]) {
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\\"): row += #"\\"#.utf8
            case UInt8(ascii: "\n"): row += #"\n"#.utf8
            case UInt8(ascii: "\r"): row += #"\r"#.utf8
            case UInt8(ascii: "\t"): row += #"\t"#.utf8
            default: row.append(byte)
            }
        }
    }

    private static func append(hexadecimal bytes: [UInt8], to row: inout [UInt8]) {
        for byte in bytes {
            row.append(Hexadecimal.digit(of: byte >> 4))
            row.append(Hexadecimal.digit(of: byte & 15))
        }
    }
}
