import StoreEngine

/// Writes rows as a table for people, with numbers aligned right.
///
/// The output is empty if there are no rows. The table is at most as wide as the options specify. The first 500 rows
/// determine the column widths. Later rows are written immediately, and longer values are truncated with `…`.
public final class TextRenderer: Renderer {
    private static let sampleSize = 500

    /// Number of rows received, including the rows of a sample that is not yet written.
    public private(set) var rowCount = 0
    private let shape: ResultShape
    private let options: RenderOptions
    private let output: OutputBuffer
    private let scratch = OutputBuffer()
    private var sample: [[TextCell]] = []
    private var layout: TextLayout?
    private var isRight: [Bool] = []

    /// Creates a renderer for the columns of a table for people, or for all columns if `shape` does not list any.
    public init(_ shape: ResultShape, _ options: RenderOptions, _ output: OutputBuffer) {
        self.shape = shape.forPeople
        self.options = options
        self.output = output
    }

    /// The names of the columns that are omitted because the table is too narrow.
    ///
    /// The list is empty until the column widths are known, after 500 rows or `end()`.
    public var hiddenColumns: [String] { layout?.hidden ?? [] }

    /// Writes nothing: the header is written with the first rows.
    public func begin() throws {}

    /// Adds `row` to the sample, or writes it if the column widths are known.
    public func append(_ row: some Row) throws {
        let cells = shape.columns.map { TextCell($0, of: row, options, scratch: scratch) }
        rowCount += 1
        if let layout {
            write(cells, layout)
        } else {
            sample.append(cells)
            if sample.count == Self.sampleSize { writeSample() }
        }
        try output.flushIfFull()
    }

    /// Writes the sample if the result has fewer than 500 rows.
    public func end() throws {
        if layout == nil, rowCount > 0 { writeSample() }
    }

    private func writeSample() {
        let header = shape.columns.map { TextCell($0.name) }
        let natural = shape.columns.indices.map { i in
            sample.reduce(header[i].text.width) { max($0, $1[i].text.width) }
        }
        isRight = shape.columns.indices.map { i in
            sample.contains { $0[i].isNumber } && sample.allSatisfy { $0[i].isNumber || $0[i].text.width == 0 }
        }
        let layout = TextLayout(contents(natural), width: max(20, options.width))
        writeHeader(header, layout)
        for cells in sample { write(cells, layout) }
        self.layout = layout
        sample = []
    }

    /// Returns the columns with the properties of the cells of the sample and with their widths without truncation.
    private func contents(_ natural: [Int]) -> [TextLayout.Content] {
        let identity = shape.identity.map(\.name)
        return shape.columns.enumerated().map { i, column in
            TextLayout.Content(
                column, width: natural[i], isKey: identity.isEmpty ? i == 0 : identity.contains(column.name),
                hasSpaces: sample.contains { $0[i].text.text.utf8.contains(UInt8(ascii: " ")) }, isNumeric: isRight[i],
                isBlank: sample.allSatisfy { $0[i].text.width == 0 })
        }
    }

    private func writeHeader(_ header: [TextCell], _ layout: TextLayout) {
        writeLine(layout, style: TextStyle.bold, end: layout.hidden.isEmpty ? "" : "…") { header[$0.index].text }
        writeLine(layout, style: TextStyle.dim) { TerminalText(String(repeating: "─", count: $0.width)) }
    }

    private func write(_ cells: [TextCell], _ layout: TextLayout) {
        writeLine(layout) { cells[$0.index].text }
    }

    /// Writes one cell per slot, without trailing spaces on the line.
    private func writeLine(
        _ layout: TextLayout, style: String? = nil, end: String = "", cell: (TextLayout.Slot) -> TerminalText
    ) {
        var spaces = 0
        for slot in layout.slots {
            let whole = cell(slot)
            let text = slot.isID ? whole.cutInMiddle(to: slot.width) : whole.cut(to: slot.width)
            let padding = max(0, slot.width - text.width)
            if isRight[slot.index] { spaces += padding }
            if text.width > 0 {
                let color = style ?? TextStyle.color(of: shape.columns[slot.index], whole.text)
                write(text, after: spaces, color: options.color ? color : nil)
                spaces = 0
            }
            spaces += (isRight[slot.index] ? 0 : padding) + TextLayout.gap
        }
        if !end.isEmpty { write(TerminalText(end), after: spaces, color: nil) }
        output.append(UInt8(ascii: "\n"))
    }

    private func write(_ text: TerminalText, after spaces: Int, color: String?) {
        for _ in 0..<spaces { output.append(UInt8(ascii: " ")) }
        if let color { output.append(color) }
        output.append(text.isolated)
        if color != nil { output.append(TextStyle.reset) }
    }
}
