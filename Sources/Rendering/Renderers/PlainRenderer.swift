import StoreEngine

/// Writes rows as lines for pipes: no header, a tab between cells, no padding and no truncation.
///
/// With `single`, the output is a line `name<TAB>value` for each column. Backslashes, control characters and
/// bidirectional overrides in texts are escaped as in C, so that each line is one row.
public final class PlainRenderer: PartRenderer {
    /// Number of rows written.
    public private(set) var rowCount = 0
    private let columns: [Column]
    private let options: RenderOptions
    private let output: OutputBuffer

    /// Creates a renderer that writes the columns of `shape` to `output`.
    public init(_ shape: ResultShape, _ options: RenderOptions, _ output: OutputBuffer) {
        columns = shape.columns
        self.options = options
        self.output = output
    }

    /// Writes nothing.
    public func begin() throws {}

    /// Appends `row` as one line, or with `single` as one line per column.
    public func append(_ row: some Row) throws {
        let (output, precision) = (output, options.precision)
        for (i, column) in columns.enumerated() {
            if options.single { output.append(column.name) }
            if options.single || i > 0 { output.append(UInt8(ascii: "\t")) }
            _ = output.append(column.value, at: column.index, of: row, precision: precision) { text in
                output.append(plain: text)
            }
            if options.single { output.append(UInt8(ascii: "\n")) }
        }
        if !options.single { output.append(UInt8(ascii: "\n")) }
        rowCount += 1
        try output.flushIfFull()
    }

    /// Writes nothing.
    public func end() throws {}

    /// Creates a renderer with the settings of another renderer.
    private init(copying other: PlainRenderer, into output: OutputBuffer) {
        columns = other.columns
        options = other.options
        self.output = output
    }

    /// Creates a renderer for a part of the rows.
    public func part(into buffer: OutputBuffer) -> PlainRenderer { PlainRenderer(copying: self, into: buffer) }

    /// Appends the rows of a part.
    public func append(_ part: PlainRenderer, in buffer: OutputBuffer) throws {
        output.append(buffer)
        rowCount += part.rowCount
        try output.flushIfFull()
    }
}

extension OutputBuffer {
    /// Appends text on one line and escapes all characters on which a terminal acts.
    fileprivate func append(plain text: Span<UInt8>) {
        if text.allSatisfy({ (0x20..<0x7F).contains($0) && $0 != UInt8(ascii: "\\") }) { return append(text) }
        for scalar in text.text.unicodeScalars {
            switch scalar {
            case "\\": append(literal: "\\\\")
            case "\t": append(literal: "\\t")
            case "\n": append(literal: "\\n")
            case "\r": append(literal: "\\r")
            case _ where scalar.isUnsafeInTerminal:
                let digits = String(scalar.value, radix: 16)
                append("\\u" + String(repeating: "0", count: 4 - digits.count) + digits)
            default: append(String(scalar))
            }
        }
    }
}
