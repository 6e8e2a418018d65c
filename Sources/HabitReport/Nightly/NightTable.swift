import HabitModel

/// A CSV file of a night in memory: its rows by the columns that tell one from another.
///
/// It reads what `CSVRenderer` writes: RFC 4180, UTF-8, an empty cell for null and `""` for the empty text, LF or CR LF.
/// Takes the bytes of the file, and some 100 for each row.
struct NightTable {
    /// A value's text; nil for null.
    typealias Cell = [UInt8]?

    /// What tells a row from the others, and orders them: null first, then by bytes.
    struct Key: Hashable, Comparable {
        let cells: [Cell]

        static func < (a: Key, b: Key) -> Bool {
            for (first, second) in zip(a.cells, b.cells) where first != second {
                guard let first, let second else { return first == nil }
                return first.lexicographicallyPrecedes(second)
            }
            return a.cells.count < b.cells.count
        }
    }

    let columns: [String]
    private(set) var rows: [Key: Range<Int>] = [:]
    private let bytes: [UInt8]
    private let path: String

    /// - Parameters:
    ///   - key: the columns that tell one row from another; none where a row is known by all of its columns.
    ///   - path: of the file, for messages.
    /// - Throws: `row-invalid`, `header-invalid`, `duplicate-key`, with file and line.
    init(_ bytes: [UInt8], key: [String], path: String) throws {
        (self.bytes, self.path) = (bytes, path)
        var reader = NightCSV(bytes, path: path)
        guard let header = try reader.next() else {
            throw HabitError(.headerInvalid, "\(path) has no header: run the night again", file: path, line: 1)
        }
        columns = header.map { String(decoding: $0 ?? [], as: UTF8.self) }
        let indexes = key.compactMap { columns.firstIndex(of: $0) }
        guard indexes.count == key.count, Set(columns).count == columns.count else {
            throw HabitError(
                .headerInvalid, "\(path) does not have the columns of its key, or one twice: run the night again",
                file: path, line: 1)
        }
        while true {
            let (start, line) = (reader.position, reader.line)
            guard let cells = try reader.next() else { break }
            guard cells.count == columns.count else {
                throw reader.invalid("has \(cells.count) cells, not \(columns.count)", line)
            }
            let key = Key(cells: key.isEmpty ? cells : indexes.map { cells[$0] })
            guard rows.updateValue(start..<reader.position, forKey: key) == nil else {
                throw HabitError(
                    .duplicateKey, "\(path) has two rows with the key of the one that begins in line \(line)",
                    file: path, line: line)
            }
        }
    }

    /// The bytes of a row, as they stand in the file.
    func source(_ row: Range<Int>) -> ArraySlice<UInt8> { bytes[row] }

    /// The cells of a row that ``rows`` has.
    func cells(_ row: Range<Int>) throws -> [Cell] {
        var reader = NightCSV(bytes, from: row.lowerBound, path: path)
        return try reader.next() ?? []
    }
}

/// Reads CSV, a row at a time.
struct NightCSV {
    private let bytes: [UInt8]
    private let path: String
    /// Where the next row begins.
    private(set) var position: Int
    private(set) var line = 1

    init(_ bytes: [UInt8], from position: Int = 0, path: String) {
        (self.bytes, self.position, self.path) = (bytes, position, path)
    }

    /// The cells of the next row; nil at the end.
    ///
    /// - Throws: `row-invalid` for what no CSV is.
    mutating func next() throws -> [NightTable.Cell]? {
        guard position < bytes.count else { return nil }
        let first = line
        var cells: [NightTable.Cell] = []
        while true {
            cells.append(try cell(first))
            guard position < bytes.count else { throw invalid("does not end", first) }
            let end = bytes[position]
            position += 1
            if end == UInt8(ascii: "\n") { break }
        }
        line += 1
        return cells
    }

    /// Reads a cell, up to the comma or line feed that ends it.
    private mutating func cell(_ row: Int) throws -> NightTable.Cell {
        guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else { return plainCell() }
        var text: [UInt8] = []
        position += 1
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            if byte == UInt8(ascii: "\"") {
                guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else {
                    try endQuoted(row)
                    return text
                }
                position += 1
            } else if byte == UInt8(ascii: "\n") {
                line += 1
            }
            text.append(byte)
        }
        throw invalid("has a quote that is not closed", row)
    }

    private mutating func plainCell() -> NightTable.Cell {
        let start = position
        while position < bytes.count, bytes[position] != UInt8(ascii: ","), bytes[position] != UInt8(ascii: "\n") {
            position += 1
        }
        let isLast = position < bytes.count && bytes[position] == UInt8(ascii: "\n")
        let end = isLast && position > start && bytes[position - 1] == UInt8(ascii: "\r") ? position - 1 : position
        return start == end ? nil : Array(bytes[start..<end])
    }

    private mutating func endQuoted(_ row: Int) throws {
        if bytes[position...].starts(with: [UInt8(ascii: "\r"), UInt8(ascii: "\n")]) { position += 1 }
        guard position < bytes.count, bytes[position] == UInt8(ascii: ",") || bytes[position] == UInt8(ascii: "\n")
        else {
            throw invalid("has something behind a closing quote", row)
        }
    }

    func invalid(_ fault: String, _ line: Int) -> HabitError {
        HabitError(
            .rowInvalid, "\(path): the row that begins in line \(line) \(fault): run the night again", file: path,
            line: line)
    }
}
