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
    private let output: OutputBuffer

    /// Creates a renderer that writes the columns of `shape` to `output`.
    public init(_ shape: ResultShape, _ options: RenderOptions, _ output: OutputBuffer) {
        entries = TextTable(cardOf: shape).entries
        cells = TextCellWriter(options)
        lines = TextLineWriter(options, output)
        self.output = output
    }

    /// Writes nothing.
    public func begin() throws {}

    /// Appends the card of `row`.
    public func append(_ row: some Row) throws {
        if rowCount > 0 { lines.endLine() }
        lines.writeCard(entries, entries.map { entry in cells.cell(entry, of: row) })
        rowCount += 1
        try output.flushIfFull()
    }

    /// Writes nothing.
    public func end() throws {}
}
