import StoreEngine

/// Writes rows as CSV (RFC 4180), always with a header.
///
/// A null is an empty cell and an empty text is `""`. A cell is quoted if it contains a comma, a quote or a line break,
/// or begins or ends with a space.
public final class CSVRenderer: PartRenderer {
    /// Number of rows written, without the header.
    public private(set) var rowCount = 0
    private let columns: [Column]
    private let cells: [(value: Column.Value, index: Int)]
    private let options: RenderOptions
    private let output: OutputBuffer

    /// Creates a renderer that writes the columns of `shape` to `output`.
    public init(_ shape: ResultShape, _ options: RenderOptions, _ output: OutputBuffer) {
        columns = shape.columns
        cells = columns.map { column in (column.value, column.index) }
        self.options = options
        self.output = output
    }

    /// Appends the header.
    public func begin() throws {
        for (i, column) in columns.enumerated() {
            if i > 0 { output.append(UInt8(ascii: ",")) }
            output.append(csv: column.name.utf8.span, spreadsheetSafe: options.spreadsheetSafe)
        }
        try endLine()
    }

    /// Appends `row` as one record.
    public func append(_ row: some Row) throws {
        let output = output
        let precision = options.precision
        let isSafe = options.spreadsheetSafe
        var isFirst = true
        for cell in cells {
            if !isFirst { output.append(UInt8(ascii: ",")) }
            isFirst = false
            _ = output.append(cell.value, at: cell.index, of: row, precision: precision) { text in
                output.append(csv: text, spreadsheetSafe: isSafe)
            }
        }
        rowCount += 1
        try endLine()
    }

    /// Writes nothing.
    public func end() throws {}

    private func endLine() throws {
        if options.crlf { output.append(UInt8(ascii: "\r")) }
        output.append(UInt8(ascii: "\n"))
        try output.flushIfFull()
    }

    /// Creates a renderer with the settings of another renderer.
    private init(copying other: CSVRenderer, into output: OutputBuffer) {
        columns = other.columns
        cells = other.cells
        options = other.options
        self.output = output
    }

    /// Creates a renderer for a part of the rows.
    public func part(into buffer: OutputBuffer) -> CSVRenderer { CSVRenderer(copying: self, into: buffer) }

    /// Appends the rows of a part.
    public func append(_ part: CSVRenderer, in buffer: OutputBuffer) throws {
        output.append(buffer)
        rowCount += part.rowCount
        try output.flushIfFull()
    }
}

extension OutputBuffer {
    /// Appends one text cell, quoted if RFC 4180, section 2, requires it.
    func append(csv text: Span<UInt8>, spreadsheetSafe: Bool) {
        if appendPlain(text, spreadsheetSafe: spreadsheetSafe) { return }
        let quotes = needsQuotes(text)
        if quotes { append(UInt8(ascii: "\"")) }
        if spreadsheetSafe, isFormula(text) { append(UInt8(ascii: "'")) }
        append(doublingQuotes: text)
        if quotes { append(UInt8(ascii: "\"")) }
    }

    /// Appends a text that needs no quotes and contains only printable ASCII, and returns whether it did.
    ///
    /// Most cells are such texts.
    private func appendPlain(_ text: Span<UInt8>, spreadsheetSafe: Bool) -> Bool {
        let space = UInt8(ascii: " ")
        guard let first = text.first, first != space else { return false }
        guard let last = text.last, last != space else { return false }
        if spreadsheetSafe, isFormula(text) { return false }
        return append(text) { eight in
            eight.nonASCII | eight.below(0x20) | eight.equal(to: ",") | eight.equal(to: "\"")
        }
    }

    private func needsQuotes(_ text: Span<UInt8>) -> Bool {
        let space = UInt8(ascii: " ")
        guard let first = text.first, let last = text.last else { return true }
        if first == space || last == space { return true }
        for index in text.indices where text[index] <= UInt8(ascii: ",") {
            switch text[index] {
            case UInt8(ascii: ","), UInt8(ascii: "\""), UInt8(ascii: "\n"), UInt8(ascii: "\r"): return true
            default: break
            }
        }
        return false
    }

    /// Whether a spreadsheet may evaluate the cell as a formula (OWASP, "CSV Injection").
    ///
    /// The full-width forms of the four signs, U+FF0B, U+FF0D, U+FF1D and U+FF20, are EF BC and one more byte in UTF-8.
    private func isFormula(_ text: Span<UInt8>) -> Bool {
        switch text.first {
        case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"):
            true
        case UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"):
            true
        case 0xEF where text.count >= 3 && text[1] == 0xBC:
            switch text[2] {
            case 0x8B, 0x8D, 0x9D, 0xA0: true
            default: false
            }
        default:
            false
        }
    }
}
