import StoreEngine

/// Writes rows as a table for people, with numbers aligned right.
///
/// The output is empty if there are no rows. No line is wider than the options specify, and no value is truncated: a
/// long value wraps within its column. The first 500 rows determine the columns and their widths. Later rows are written
/// immediately.
public final class TextRenderer: Renderer {
    /// A row of the table.
    private struct Line {
        let cells: [TextCell]
        /// The value of the bar, or `nil` if the table has no bars.
        let value: Double?
    }

    private static let sampleSize = 500
    /// Minimum width of a column whose values wrap.
    ///
    /// A table that must show all columns wraps values in narrower columns, because cards are longer.
    private var narrowest: Int { omitsColumns ? 16 : 10 }

    /// Number of rows received, including the rows of a sample that is not yet written.
    public private(set) var rowCount = 0
    private let table: TextTable
    private let omitsColumns: Bool
    private let cells: TextCellWriter
    private let lines: TextLineWriter
    private let output: OutputBuffer
    private var sample: [Line] = []
    private var layout: TextLayout?
    private var isRight: [Bool] = []
    private var bars: BarColumn?
    /// Whether the sample is without values in a column, so that the table omits it.
    private var omitsBlankColumns = false
    /// Whether a row after the sample has a value in a column that is omitted because it was blank.
    private var isMissed: [Bool] = []

    /// Creates a renderer for the columns of a table for people, or for all columns if `shape` does not list any.
    public init(_ shape: ResultShape, _ options: RenderOptions, _ output: OutputBuffer) {
        table = TextTable(shape)
        bars = shape.isSelected ? nil : BarColumn(table.entries, options)
        omitsColumns = table.omitsColumns && !options.showsAllColumns
        cells = TextCellWriter(options)
        lines = TextLineWriter(options, output)
        self.output = output
    }

    /// The headings of the columns with values that the table omits.
    ///
    /// The list is empty until the column widths are known, after 500 rows or `end()`.
    public var hiddenColumns: [String] {
        guard let layout else { return [] }
        return table.entries.indices.filter { layout.hidden.contains($0) || isMissed[$0] }
            .map { table.entries[$0].heading }
    }

    /// Writes nothing: the header is written with the first rows.
    public func begin() throws {}

    /// Adds `row` to the sample, or writes it if the column widths are known.
    public func append(_ row: some Row) throws {
        let cells = table.entries.map { entry in self.cells.cell(entry, of: row) }
        let line = Line(cells: cells, value: bars.flatMap { table.entries[$0.index].column.number(of: row) })
        rowCount += 1
        if let layout {
            write(line, layout)
        } else {
            sample.append(line)
            if sample.count == Self.sampleSize { writeSample() }
        }
        try output.flushIfFull()
    }

    /// Writes the sample if the result has fewer than 500 rows.
    public func end() throws {
        if layout == nil, rowCount > 0 { writeSample() }
    }

    private func writeSample() {
        isRight = table.entries.indices.map { index in
            sample.contains { $0.cells[index].isNumber }
                && sample.allSatisfy { $0.cells[index].isNumber || $0.cells[index].text.width == 0 }
        }
        let contents = table.entries.indices.map { content(at: $0) }
        var layout = TextLayout(contents, width: lines.width, omitsColumns: omitsColumns)
        omitsBlankColumns = layout.slots.count + layout.hidden.count < contents.count
        fitBars(into: &layout)
        self.layout = layout
        isMissed = contents.map { _ in false }
        if !layout.isCards { writeHeader(layout) }
        for line in sample { write(line, layout) }
        sample = []
    }

    /// Adds the bars to the layout if they fit.
    private func fitBars(into layout: inout TextLayout) {
        guard var bars else { return }
        self.bars = nil
        let isShown = layout.slots.contains { slot in slot.index == bars.index }
        guard !layout.isCards, isShown else { return }
        let isShare = table.entries[bars.index].column.measure == .share
        let room = lines.width - layout.width - TextLayout.gap
        guard bars.fit(sample.compactMap(\.value), isShare: isShare, room: room) else { return }
        self.bars = bars
        layout.insertBars(at: table.entries.count, width: bars.width, after: bars.index)
        isRight.append(false)
    }

    /// Returns the widths of a column of the sample.
    private func content(at index: Int) -> TextLayout.Content {
        let entry = table.entries[index]
        let heading = TerminalText(entry.heading)
        let widest = sample.reduce(0) { width, line in max(width, line.cells[index].text.width) }
        let headingWord = entry.heading.split(separator: " ").reduce(0) { width, word in
            max(width, TerminalText(String(word)).width)
        }
        let least = wraps(index) ? min(widest, narrowest) : widest
        return TextLayout.Content(
            natural: max(heading.width, widest), least: max(headingWord, least),
            isBlank: entry.isOptional && !sample.contains { line in line.cells[index].isUsed })
    }

    /// Returns whether the values of a column may have several lines.
    ///
    /// The values of a column of IDs, numbers or dates may not.
    private func wraps(_ index: Int) -> Bool {
        let entry = table.entries[index]
        guard entry.column.measure == nil, !isRight[index] else { return false }
        guard entry.column.value == .text || entry.column.value == .any || entry.column.value == .json else {
            return false
        }
        return !entry.isKey || sample.contains { line in line.cells[index].text.text.utf8.contains(UInt8(ascii: " ")) }
    }

    private func writeHeader(_ layout: TextLayout) {
        let slots = layout.slots.filter { slot in slot.index < table.entries.count }
        let headings = slots.map { slot in
            TerminalText(table.entries[slot.index].heading).lines(of: slot.width)
        }
        let height = headings.reduce(1) { height, lines in max(height, lines.count) }
        for line in 0..<height {
            // Headings are aligned at the bottom.
            var texts: [Int: TerminalText] = [:]
            for (slot, lines) in zip(slots, headings) where line + lines.count >= height {
                texts[slot.index] = lines[line + lines.count - height]
            }
            self.lines.writeLine(layout, isRight: isRight, color: { _ in SGR.bold }) { index in
                texts[index] ?? TerminalText("")
            }
        }
        let rule = lines.style.text(of: .rule)
        let rules = Dictionary(uniqueKeysWithValues: slots.map { ($0.index, $0.width) })
        lines.writeLine(layout, isRight: isRight, color: { _ in SGR.dim }) { index in
            TerminalText(String(repeating: rule, count: rules[index] ?? 0))
        }
    }

    private func write(_ line: Line, _ layout: TextLayout) {
        let cells = line.cells
        if omitsBlankColumns { noteMissed(cells, layout) }
        if layout.isCards {
            lines.writeCard(table.entries, cells)
            return lines.endLine()
        }
        let bar = TerminalText(bars?.bar(line.value, lines.style) ?? "")
        func color(_ index: Int) -> String? {
            index < cells.count ? cells[index].status?.color(in: lines.style.palette) : nil
        }
        func text(_ index: Int) -> TerminalText { index < cells.count ? cells[index].text : bar }
        if layout.slots.allSatisfy({ slot in text(slot.index).width <= slot.width }) {
            return lines.writeLine(layout, isRight: isRight, color: color, cell: text)
        }
        writeWrapped(layout, color: color, cell: text)
    }

    private func writeWrapped(_ layout: TextLayout, color: (Int) -> String?, cell: (Int) -> TerminalText) {
        var parts: [[TerminalText]] = Array(repeating: [], count: table.entries.count + 1)
        for slot in layout.slots { parts[slot.index] = cell(slot.index).lines(of: slot.width) }
        let height = parts.reduce(1) { height, lines in max(height, lines.count) }
        for line in 0..<height {
            lines.writeLine(layout, isRight: isRight, color: color) { index in
                line < parts[index].count ? parts[index][line] : TerminalText("")
            }
        }
    }

    /// Notes the values of columns that are omitted because no row of the sample has a value.
    private func noteMissed(_ cells: [TextCell], _ layout: TextLayout) {
        for index in cells.indices where cells[index].isUsed && !isMissed[index] {
            isMissed[index] = !layout.slots.contains { $0.index == index } && !layout.hidden.contains(index)
        }
    }
}
