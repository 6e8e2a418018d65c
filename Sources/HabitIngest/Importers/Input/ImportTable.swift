import Base
import HabitModel

/// A reader of a file with delimited columns and a header, as other programs write it.
final class ImportTable {
    /// A row of a table.
    struct Row {
        /// The cells without surrounding white space.
        ///
        /// A row may have fewer cells than the header.
        var cells: [String]
        /// The line (from 1) on which the row begins.
        var line: Int
        /// The text of the row.
        var original: String
        /// The problem of a row that cannot be read.
        ///
        /// The row has no cells then.
        var problem: HabitError?

        /// Returns a cell, or an empty text if the row has no such cell.
        subscript(index: Int) -> String { index < cells.count ? cells[index] : "" }
    }

    /// The cells of the first row, or an empty list if the table has no header.
    let header: [String]
    /// The line (from 1) of the header.
    let headerLine: Int
    /// The delimiter of the cells.
    let delimiter: UInt8
    /// The name of the file in messages.
    let file: String
    private var scanner: DelimitedScanner

    private static let recordLimit = 1 << 20
    private static let cellLimit = 20_000

    /// Opens a table.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - options: The form of the file.
    ///   - hasHeader: Whether the first row is the header.
    /// - Throws: `encoding-invalid`, or an error of reading the file.
    init(_ file: ImportFile, _ options: TableOptions = TableOptions(), hasHeader: Bool = true) throws {
        self.file = file.displayName
        let window = InputWindow(try file.openText(options.encoding))
        try window.fill(upTo: ImportFile.headSize)
        let declaration = DelimiterLine(window.bytes.span)
        headerLine = declaration == nil ? 1 : 2
        if let declaration { window.consume(declaration.length) }
        if let known = options.delimiter ?? declaration?.delimiter {
            delimiter = known
        } else {
            delimiter = Self.delimiter(of: window.bytes.span)
        }
        scanner = DelimitedScanner(
            window, delimiter: delimiter, limit: Self.recordLimit, cellLimit: Self.cellLimit)
        if declaration != nil { scanner.countSkippedLine() }
        guard hasHeader, case .cells = try scanner.next() else {
            header = []
            return
        }
        header = scanner.cells.map { [scanner] cell in Self.text(scanner.text(of: cell)) }
    }

    /// Calls `body` with each row that has a cell with text.
    func forEach(_ body: (Row) throws -> Void) throws {
        while true {
            switch try scanner.next() {
            case .end: return
            case .blank: continue
            case .cells:
                let cells = scanner.cells.map { cell in Self.text(scanner.text(of: cell)) }
                let hasText = cells.contains { cell in !cell.isEmpty }
                guard hasText else { continue }
                let original = beginning(of: scanner.bytes.span)
                var row = Row(cells: cells, line: scanner.line, original: original)
                if String(validating: scanner.bytes, as: UTF8.self) == nil {
                    row.cells = []
                    row.problem = HabitError(.encodingInvalid, "the row is not UTF-8 text", .give(.encoding))
                }
                try body(row)
            case .tooLong(let original):
                let reason = "the row has more than \(Self.recordLimit) bytes"
                try body(problem(.recordTooLong, reason, original: original))
            case .invalidSyntax(.openQuote):
                try body(problem(.rowInvalid, "a quote is never closed: close it", original: ""))
            case .invalidSyntax:
                let reason = "a quote is not doubled, or its value is not quoted: correct the quotes"
                let original = beginning(of: scanner.bytes.span)
                try body(problem(.rowInvalid, reason, original: original))
            }
        }
    }

    private func problem(_ code: ErrorCode, _ reason: String, original: String) -> Row {
        Row(cells: [], line: scanner.line, original: original, problem: HabitError(code, reason))
    }

    private static func text(_ bytes: [UInt8]) -> String {
        String(decoding: bytes, as: UTF8.self).trimmed
    }

    /// Returns the delimiter that occurs equally often in the first five rows, or a comma.
    static func delimiter(of bytes: Span<UInt8>) -> UInt8 {
        let candidates = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]
        let counts = counts(of: candidates, in: bytes)
        let header = counts[0]
        let equal = candidates.filter { candidate in
            let first = header[candidate] ?? 0
            return first > 0 && counts.allSatisfy { row in row[candidate] == first }
        }
        func count(of candidate: UInt8) -> Int { header[candidate] ?? 0 }
        func mostFrequent(_ candidates: [UInt8]) -> UInt8? {
            candidates.max { first, second in count(of: first) < count(of: second) }
        }
        if let delimiter = mostFrequent(equal) { return delimiter }
        if let delimiter = mostFrequent(candidates), header[delimiter] != nil { return delimiter }
        return UInt8(ascii: ",")
    }

    /// Counts the candidates in each of the first rows, outside of quotes.
    private static func counts(of candidates: [UInt8], in bytes: Span<UInt8>) -> [[UInt8: Int]] {
        var counts: [[UInt8: Int]] = [[:]]
        var isQuoted = false
        var isEmpty = true
        for index in bytes.indices {
            let byte = bytes[index]
            if byte == ASCII.quote { isQuoted.toggle() }
            if !isQuoted, byte == ASCII.lineFeed || byte == ASCII.carriageReturn {
                if !isEmpty { counts.append([:]) }
                isEmpty = true
                if counts.count > 5 { break }
                continue
            }
            isEmpty = false
            if !isQuoted, candidates.contains(byte) {
                let row = counts.count - 1
                counts[row][byte, default: 0] += 1
            }
        }
        // The last row may be empty or cut off.
        if counts.count > 1 { counts.removeLast() }
        return counts
    }
}
