import Base
import HabitIngest
import HabitModel

/// A CSV file of a nightly run in memory, with its rows indexed by key.
///
/// The format is the output of `CSVRenderer`: RFC 4180, UTF-8, an empty cell for null, `""` for an empty text, LF or
/// CRLF. Memory use is the size of the file plus about 100 bytes per row.
struct NightlyTable {
    /// The text of a cell, or `nil` for null.
    typealias Cell = DelimitedRows.Cell

    /// The cells that identify a row and determine its position: null first, then in byte order.
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

    /// Reads a CSV file.
    ///
    /// - Parameters:
    ///   - bytes: The content of the file.
    ///   - key: The names of the columns that identify a row. If the array is empty, all columns together identify a
    ///     row.
    ///   - path: The path of the file for messages.
    /// - Throws: `row-invalid`, `header-invalid` or `duplicate-key`, with file and line.
    init(_ bytes: [UInt8], key: [String], path: String) throws {
        self.bytes = bytes
        self.path = path
        var reader = DelimitedRows(bytes[...])
        guard let header = try Self.nextRow(of: &reader, path: path) else {
            throw HabitError(.headerInvalid, "the file has no header: repeat the nightly run", file: path, line: 1)
        }
        columns = header.map { cell in
            String(decoding: cell ?? [], as: UTF8.self)
        }
        let keyIndexes = key.compactMap { columns.firstIndex(of: $0) }
        guard keyIndexes.count == key.count, Set(columns).count == columns.count else {
            throw HabitError(
                .headerInvalid,
                "a key column is missing or occurs twice: repeat the nightly run",
                file: path,
                line: 1)
        }
        try readRows(from: &reader, keyIndexes: keyIndexes)
    }

    /// Reads the rows after the header.
    private mutating func readRows(from reader: inout DelimitedRows, keyIndexes: [Int]) throws {
        while true {
            let start = reader.offset
            guard let cells = try Self.nextRow(of: &reader, path: path) else { break }
            guard cells.count == columns.count else {
                let fault = "has \(cells.count) cells, not \(columns.count)"
                throw Self.invalidRow(fault, path: path, line: reader.line)
            }
            let keyCells = keyIndexes.isEmpty ? cells : keyIndexes.map { cells[$0] }
            let row = start..<reader.offset
            guard rows.updateValue(row, forKey: Key(cells: keyCells)) == nil else {
                throw HabitError(
                    .duplicateKey,
                    "an earlier row has the same key: repeat the nightly run",
                    file: path,
                    line: reader.line)
            }
        }
    }

    private static func nextRow(of reader: inout DelimitedRows, path: String) throws -> [Cell]? {
        do {
            return try reader.next()
        } catch let syntaxError as DelimitedRows.MalformedRow {
            throw invalidRow(syntaxError.description, path: path, line: reader.line)
        }
    }

    private static func invalidRow(_ fault: String, path: String, line: Int) -> HabitError {
        HabitError(.rowInvalid, "the row \(fault): repeat the nightly run", file: path, line: line)
    }

    /// Returns the unchanged bytes of a row.
    func source(_ row: Range<Int>) -> ArraySlice<UInt8> { bytes[row] }

    /// Returns the cells of a row, which must be a value of ``rows``.
    func cells(_ row: Range<Int>) throws -> [Cell] {
        var reader = DelimitedRows(bytes[row])
        return try Self.nextRow(of: &reader, path: path) ?? []
    }
}
