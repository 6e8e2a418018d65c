import StoreEngine

/// One row as a card for people: a line for each column, its name and its value; nothing is cut.
///
/// Further rows follow after an empty line.
public final class CardRenderer: Renderer {
    public private(set) var rowCount = 0
    private let columns: [Column]
    private let nameWidth: Int
    private let options: RenderOptions
    private let output: OutputBuffer
    private let scratch = OutputBuffer()

    public init(_ shape: ResultShape, _ options: RenderOptions, _ output: OutputBuffer) {
        columns = shape.columns
        nameWidth = columns.map { TerminalText($0.name).width }.max() ?? 0
        self.options = options
        self.output = output
    }

    public func begin() throws {}

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

    public func end() throws {}

    private func write(_ text: String, color: String?) {
        let color = options.color ? color : nil
        if let color { output.append(color) }
        output.append(text)
        if color != nil { output.append(TextStyle.reset) }
    }
}
