import StoreEngine

/// Rows as a table for people, no wider than the options say, numbers to the right; nothing at all where there is no row.
///
/// The first 500 rows decide the widths; later ones stream, and what is too long for them is cut with `…`.
public final class TextRenderer: Renderer {
    private static let sampleSize = 500

    public private(set) var rowCount = 0
    private let shape: ResultShape
    private let options: RenderOptions
    private let output: OutputBuffer
    private let scratch = OutputBuffer()
    private var sample: [[TextCell]] = []
    private var layout: TextLayout?
    private var isRight: [Bool] = []

    public init(_ shape: ResultShape, _ options: RenderOptions, _ output: OutputBuffer) {
        self.shape = shape.table.isEmpty ? shape : shape.selecting(shape.table) ?? shape
        self.options = options
        self.output = output
    }

    public var hiddenColumns: [String] { layout?.hidden ?? [] }

    public func begin() throws {}

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
        let layout = TextLayout(
            shape.columns, identity: shape.identity.map(\.name), natural: natural, width: max(20, options.width))
        writeHeader(header, layout)
        for cells in sample { write(cells, layout) }
        self.layout = layout
        sample = []
    }

    private func writeHeader(_ header: [TextCell], _ layout: TextLayout) {
        writeLine(layout, style: TextStyle.bold, end: layout.hidden.isEmpty ? "" : "…") { header[$0.index].text }
        writeLine(layout, style: TextStyle.dim) { TerminalText(String(repeating: "─", count: $0.width)) }
    }

    private func write(_ cells: [TextCell], _ layout: TextLayout) {
        writeLine(layout) { cells[$0.index].text }
    }

    /// Writes a cell for each slot, and no spaces at the end of the line.
    private func writeLine(
        _ layout: TextLayout, style: String? = nil, end: String = "", cell: (TextLayout.Slot) -> TerminalText
    ) {
        var spaces = 0
        for slot in layout.slots {
            let whole = cell(slot)
            let text = whole.cut(to: slot.width)
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
