import HabitStore

/// Rows as lines for pipes: no header, a tab between cells, nothing padded or cut; with `single` a line `name<TAB>value`
/// for each column.
///
/// Backslashes, control characters and bidirectional overrides in texts are escaped as in C, so that a line is a row.
public struct PlainRenderer: Renderer {
    public private(set) var rowCount = 0
    private let columns: [Column]
    private let options: RenderOptions
    private let output: OutputBuffer

    public init(_ shape: ResultShape, _ options: RenderOptions, _ output: OutputBuffer) {
        columns = shape.columns
        self.options = options
        self.output = output
    }

    public mutating func begin() throws {}

    public mutating func append(_ row: some Row) throws {
        for (i, column) in columns.enumerated() {
            if options.single { output.append(column.name) }
            if options.single || i > 0 { output.append(UInt8(ascii: "\t")) }
            _ = output.append(column.value, at: column.index, of: row, precision: options.precision) { append($0) }
            if options.single { output.append(UInt8(ascii: "\n")) }
        }
        if !options.single { output.append(UInt8(ascii: "\n")) }
        rowCount += 1
        try output.flushIfFull()
    }

    public mutating func end() throws {}

    private func append(_ text: UnsafeBufferPointer<UInt8>) {
        if text.allSatisfy({ (0x20..<0x7F).contains($0) && $0 != UInt8(ascii: "\\") }) { return output.append(text) }
        for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
            switch scalar {
            case "\\": output.append(literal: "\\\\")
            case "\t": output.append(literal: "\\t")
            case "\n": output.append(literal: "\\n")
            case "\r": output.append(literal: "\\r")
            case _ where scalar.isUnsafeInTerminal:
                let digits = String(scalar.value, radix: 16)
                output.append("\\u" + String(repeating: "0", count: 4 - digits.count) + digits)
            default: output.append(String(scalar))
            }
        }
    }
}
