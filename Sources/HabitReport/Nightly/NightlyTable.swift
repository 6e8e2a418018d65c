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
        (self.bytes, self.path) = (bytes, path)
        var reader = DelimitedRows(bytes[...])
        guard let header = try Self.next(&reader, path) else {
            throw HabitError(.headerInvalid, "the file has no header: repeat the nightly run", file: path, line: 1)
        }
        columns = header.map { String(decoding: $0 ?? [], as: UTF8.self) }
        let indexes = key.compactMap { columns.firstIndex(of: $0) }
        guard indexes.count == key.count, Set(columns).count == columns.count else {
            throw HabitError(
                .headerInvalid, "a key column is missing or occurs twice: repeat the nightly run",
                file: path, line: 1)
        }
        while true {
            let start = reader.offset
            guard let cells = try Self.next(&reader, path) else { break }
            guard cells.count == columns.count else {
                throw Self.invalid(path, "has \(cells.count) cells, not \(columns.count)", line: reader.line)
            }
            let key = Key(cells: key.isEmpty ? cells : indexes.map { cells[$0] })
            guard rows.updateValue(start..<reader.offset, forKey: key) == nil else {
                throw HabitError(
                    .duplicateKey, "an earlier row has the same key: repeat the nightly run",
                    file: path, line: reader.line)
            }
        }
    }

    private static func next(_ reader: inout DelimitedRows, _ path: String) throws -> [Cell]? {
        do { return try reader.next() } catch let syntaxError as DelimitedRows.MalformedRow {
            throw invalid(path, syntaxError.description, line: reader.line)
        }
    }

    private static func invalid(_ path: String, _ syntaxError: String, line: Int) -> HabitError {
        HabitError(
            .rowInvalid, "the row \(syntaxError): repeat the nightly run", file: path, line: line)
    }

    /// Returns the unchanged bytes of a row.
    func source(_ row: Range<Int>) -> ArraySlice<UInt8> { bytes[row] }

    /// Returns the cells of a row, which must be a value of ``rows``.
    func cells(_ row: Range<Int>) throws -> [Cell] {
        var reader = DelimitedRows(bytes[row])
        return try Self.next(&reader, path) ?? []
    }
}
