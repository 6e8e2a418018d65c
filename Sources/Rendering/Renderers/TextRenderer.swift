import StoreEngine

/// Writes rows as a table for people, with numbers aligned right.
///
/// The output is empty if there are no rows. No line is wider than the options specify, and no value is truncated: a
/// long value wraps within its column. The first 500 rows determine the columns and their widths. Later rows are written
/// immediately.
public final class TextRenderer: Renderer {
    private static let sampleSize = 500

    /// Number of rows received, including the rows of a sample that is not yet written.
    public private(set) var rowCount = 0
    private let entries: [TextTable.Entry]
    private let omitsColumns: Bool
    private let bars: BarColumn?
    private let cells: TextCellWriter
    private let lines: TextLineWriter
    private var sample: TextSample
    /// The writer of the table, or `nil` until the sample is complete.
    private var writer: TextTableWriter?

    /// Creates a renderer.
    ///
    /// - Parameters:
    ///   - shape: The columns of the rows. The table has the columns of a table for people, or all columns if the shape
    ///     does not list any.
    ///   - options: The options of the output.
    ///   - output: The buffer to which the renderer appends.
    public init(_ shape: ResultShape, options: RenderOptions, into output: OutputBuffer) {
        let table = TextTable(shape)
        entries = table.entries
        omitsColumns = table.omitsColumns && !options.showsAllColumns
        bars = shape.isSelected ? nil : BarColumn(table.entries, charts: options.page.charts)
        cells = TextCellWriter(options)
        lines = TextLineWriter(options, output)
        sample = TextSample(table.entries, omitsColumns: omitsColumns)
    }

    /// The headings of the columns with values that the table omits.
    ///
    /// The list is empty until the column widths are known, after 500 rows or `end()`.
    public var hiddenColumns: [String] {
        guard let writer else { return [] }
        return writer.hiddenIndexes.map { index in entries[index].heading }
    }

    /// Writes nothing: the header is written with the first rows.
    public func begin() throws {}

    /// Adds `row` to the sample, or writes it if the column widths are known.
    public func append(_ row: some Row) throws {
        let textRow = textRow(row)
        rowCount += 1
        if let writer {
            writer.write(textRow)
        } else {
            sample.append(textRow)
            if sample.rows.count == Self.sampleSize { writeSample() }
        }
        try lines.output.flushIfFull()
    }

    /// Writes the sample if the result has fewer than 500 rows.
    public func end() throws {
        if writer == nil, rowCount > 0 { writeSample() }
    }

    private func textRow(_ row: some Row) -> TextRow {
        let cells = entries.map { entry in self.cells.cell(entry, of: row) }
        let length = bars?.column.number(of: row)
        return TextRow(cells: cells, barLength: length)
    }

    private func writeSample() {
        let writer = TextTableWriter(sample, bars: bars, omitsColumns: omitsColumns, to: lines)
        writer.writeHeader()
        for row in sample.rows { writer.write(row) }
        sample.removeRows()
        self.writer = writer
    }
}
