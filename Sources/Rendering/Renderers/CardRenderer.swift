import StoreEngine

/// Writes a row as a card for people: one line per column with its name and its value, without truncation.
///
/// An empty line separates rows.
public final class CardRenderer: Renderer {
    /// Number of rows written.
    public private(set) var rowCount = 0
    private let columns: [Column]
    private let nameWidth: Int
    private let options: RenderOptions
    private let output: OutputBuffer
    private let scratch = OutputBuffer()

    /// Creates a renderer that writes the columns of `shape` to `output`.
    public init(_ shape: ResultShape, _ options: RenderOptions, _ output: OutputBuffer) {
        columns = shape.forPeople.columns
        nameWidth = columns.map { TerminalText($0.name).width }.max() ?? 0
        self.options = options
        self.output = output
    }

    /// Writes nothing.
    public func begin() throws {}

    /// Appends the card of `row`.
    public func append(_ row: some Row) throws {
        if rowCount > 0 { output.append(UInt8(ascii: "\n")) }
        for column in columns {
            let value = TextCell(column, of: row, options, scratch: scratch).text
            write(TerminalText(column.name).text, color: TextStyle.bold)
            if value.width > 0 {
                let padding = nameWidth - TerminalText(column.name).width + TextLayout.gap
                output.append(String(repeating: " ", count: padding))
                write(value.isolated, color: TextStyle.color(of: column, value.text))
            }
            output.append(UInt8(ascii: "\n"))
        }
        rowCount += 1
        try output.flushIfFull()
    }

    /// Writes nothing.
    public func end() throws {}

    private func write(_ text: String, color: String?) {
        let color = options.color ? color : nil
        if let color { output.append(color) }
        output.append(text)
        if color != nil { output.append(TextStyle.reset) }
    }
}
