import StoreEngine

/// Writes rows as lines for pipes: no header, a tab between cells, no padding and no truncation.
///
/// With `single`, the output is a line `name<TAB>value` for each column, or only the value if there is one column.
/// Backslashes, control characters and bidirectional overrides in texts are escaped as in C, so that each line is one row.
public final class PlainRenderer: PartRenderer {
    /// Number of rows written.
    public private(set) var rowCount = 0
    private let columns: [Column]
    private let options: RenderOptions
    private let output: OutputBuffer

    /// Creates a renderer that writes the columns of `shape` to `output`.
    public init(_ shape: ResultShape, options: RenderOptions, into output: OutputBuffer) {
        columns = shape.columns
        self.options = options
        self.output = output
    }

    /// Whether each value has the name of its column before it.
    private var isNamed: Bool { options.single && columns.count > 1 }

    /// Writes nothing.
    public func begin() throws {}

    /// Appends `row` as one line, or with `single` as one line per column.
    public func append(_ row: some Row) throws {
        let output = output
        let precision = options.precision
        for (i, column) in columns.enumerated() {
            if isNamed { output.append(column.name) }
            if isNamed || i > 0 { output.append(UInt8(ascii: "\t")) }
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
        let isPlain = text.allSatisfy { byte in
            (0x20..<0x7F).contains(byte) && byte != UInt8(ascii: "\\")
        }
        if isPlain { return append(text) }
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
