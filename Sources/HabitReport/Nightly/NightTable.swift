import HabitIngest
import HabitModel

/// A CSV file of a night in memory: its rows by the columns that tell one from another.
///
/// It reads what `CSVRenderer` writes: RFC 4180, UTF-8, an empty cell for null and `""` for the empty text, LF or CR LF.
/// Takes the bytes of the file, and some 100 for each row.
struct NightTable {
    /// A value's text; nil for null.
    typealias Cell = DelimitedRows.Cell

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
        var reader = DelimitedRows(bytes[...])
        guard let header = try Self.next(&reader, path) else {
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
            let start = reader.offset
            guard let cells = try Self.next(&reader, path) else { break }
            guard cells.count == columns.count else {
                throw Self.invalid(path, "has \(cells.count) cells, not \(columns.count)", line: reader.line)
            }
            let key = Key(cells: key.isEmpty ? cells : indexes.map { cells[$0] })
            guard rows.updateValue(start..<reader.offset, forKey: key) == nil else {
                throw HabitError(
                    .duplicateKey, "\(path) has two rows with the key of the one that begins in line \(reader.line)",
                    file: path, line: reader.line)
            }
        }
    }

    private static func next(_ reader: inout DelimitedRows, _ path: String) throws -> [Cell]? {
        do { return try reader.next() } catch let flaw as DelimitedRows.Flaw {
            throw invalid(path, flaw.description, line: reader.line)
        }
    }

    private static func invalid(_ path: String, _ flaw: String, line: Int) -> HabitError {
        HabitError(
            .rowInvalid, "\(path): the row that begins in line \(line) \(flaw): run the night again", file: path,
            line: line)
    }

    /// The bytes of a row, as they stand in the file.
    func source(_ row: Range<Int>) -> ArraySlice<UInt8> { bytes[row] }

    /// The cells of a row that ``rows`` has.
    func cells(_ row: Range<Int>) throws -> [Cell] {
        var reader = DelimitedRows(bytes[row])
        return try Self.next(&reader, path) ?? []
    }
}
