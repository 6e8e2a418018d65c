import StoreEngine

/// Writes a row as a card for people: one line per column with its name and its value, without blank values.
///
/// A long value continues on the next line. An empty line separates rows.
public final class CardRenderer: Renderer {
    /// Number of rows written.
    public private(set) var rowCount = 0
    private let entries: [TextTable.Entry]
    private let cells: TextCellWriter
    private let lines: TextLineWriter
    private let layout: CardLayout

    /// Creates a renderer.
    ///
    /// - Parameters:
    ///   - shape: The columns of the rows.
    ///   - options: The options of the output.
    ///   - output: The buffer to which the renderer appends.
    public init(_ shape: ResultShape, options: RenderOptions, into output: OutputBuffer) {
        entries = TextTable(cardOf: shape).entries
        cells = TextCellWriter(options)
        lines = TextLineWriter(options, output)
        layout = CardLayout(entries, width: lines.width)
    }

    /// Writes nothing.
    public func begin() throws {}

    /// Appends the card of `row`.
    public func append(_ row: some Row) throws {
        if rowCount > 0 { lines.endLine() }
        let values = entries.map { entry in cells.cell(entry, of: row) }
        lines.writeCard(values, layout: layout)
        rowCount += 1
        try lines.output.flushIfFull()
    }

    /// Writes nothing.
    public func end() throws {}
}
