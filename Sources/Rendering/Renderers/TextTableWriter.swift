/// Writes the header and the rows of a text table whose layout is known.
final class TextTableWriter {
    private let entries: [TextTable.Entry]
    private let layout: TextLayout
    private let cardLayout: CardLayout
    private let bars: BarScale?
    private let lines: TextLineWriter
    /// The indexes of the columns that are omitted because they are blank in all rows so far.
    private var blankIndexes: [Int]
    /// The indexes of the columns with values that the table omits, in ascending order.
    private(set) var hiddenIndexes: [Int]

    /// Determines the layout of a table.
    ///
    /// - Parameters:
    ///   - sample: The first rows of the table. The writer does not write them.
    ///   - bars: The column with the lengths of bars, or `nil` if the table has no bars.
    ///   - omitsColumns: Whether the table may omit columns.
    ///   - lines: The writer of lines.
    init(_ sample: TextSample, bars: BarColumn?, omitsColumns: Bool, to lines: TextLineWriter) {
        var layout = TextLayout(sample.contents, width: lines.width, omitsColumns: omitsColumns)
        if let bars {
            self.bars = layout.addBars(bars, of: sample)
        } else {
            self.bars = nil
        }
        self.layout = layout
        self.lines = lines
        entries = sample.entries
        cardLayout = CardLayout(sample.entries, width: lines.width)
        blankIndexes = layout.blank
        hiddenIndexes = layout.hidden
    }

    // MARK: Header

    /// Writes the headings and a rule.
    ///
    /// Cards have no header.
    func writeHeader() {
        if layout.isCards { return }
        writeHeadings()
        writeRule()
    }

    private func writeHeadings() {
        let headings = layout.slots.map(headingLines)
        let height = headings.height
        for line in 0..<height {
            lines.writeLine(layout.slots) { position in
                // Headings are aligned at the bottom.
                let heading = headings[position]
                let offset = height - heading.count
                let text = heading.line(at: line - offset)
                return StyledText(text: text, color: SGR.bold)
            }
        }
    }

    /// Returns the lines of the heading of a column.
    ///
    /// Bars have no heading.
    private func headingLines(of slot: TextLayout.Slot) -> [TerminalText] {
        guard slot.index < entries.count else { return [] }
        let heading = TerminalText(entries[slot.index].heading)
        return heading.lines(of: slot.width)
    }

    private func writeRule() {
        let symbol = lines.style.text(of: .rule)
        lines.writeLine(layout.slots) { position in
            let slot = layout.slots[position]
            let width = slot.index < entries.count ? slot.width : 0
            let rule = String(repeating: symbol, count: width)
            return StyledText(text: TerminalText(rule), color: SGR.dim)
        }
    }

    // MARK: Rows

    /// Writes a row in one line if its values fit, in several lines otherwise, or as a card.
    func write(_ row: TextRow) {
        noteValues(of: row)
        if layout.isCards {
            lines.writeCard(row.cells, layout: cardLayout)
            lines.endLine()
            return
        }
        let cells = cells(of: row)
        if layout.fits(cells) {
            writeLine(cells)
        } else {
            writeWrapped(cells)
        }
    }

    /// Returns the cells of a row, followed by its bar if the table has bars.
    private func cells(of row: TextRow) -> [TextCell] {
        guard let bars else { return row.cells }
        let bar = bars.bar(row.barLength, style: lines.style)
        let cell = TextCell(text: TerminalText(bar))
        return row.cells + [cell]
    }

    private func writeLine(_ cells: [TextCell]) {
        lines.writeLine(layout.slots) { position in
            let slot = layout.slots[position]
            let cell = cells[slot.index]
            let color = lines.color(of: cell)
            return StyledText(text: cell.text, color: color)
        }
    }

    private func writeWrapped(_ cells: [TextCell]) {
        let columns = layout.slots.map { slot in
            cells[slot.index].text.lines(of: slot.width)
        }
        for line in 0..<columns.height {
            lines.writeLine(layout.slots) { position in
                let slot = layout.slots[position]
                let color = lines.color(of: cells[slot.index])
                let text = columns[position].line(at: line)
                return StyledText(text: text, color: color)
            }
        }
    }

    /// Notes the values of columns that are omitted because no row of the sample has a value.
    private func noteValues(of row: TextRow) {
        if blankIndexes.isEmpty { return }
        let used = blankIndexes.filter { index in
            row.cells[index].isUsed
        }
        if used.isEmpty { return }
        blankIndexes.removeAll(where: used.contains)
        hiddenIndexes = (hiddenIndexes + used).sorted()
    }
}

extension [TerminalText] {
    /// The width of the widest text, or 0 if there are no texts.
    var widest: Int {
        map(\.width).max() ?? 0
    }

    /// Returns a line of a cell, or an empty text above or below its lines.
    fileprivate func line(at index: Int) -> TerminalText {
        guard indices.contains(index) else { return TerminalText("") }
        return self[index]
    }
}

extension [[TerminalText]] {
    /// The number of lines of the highest cell, or 1 if there are no cells.
    fileprivate var height: Int {
        map(\.count).max() ?? 1
    }
}

extension TextLayout {
    /// Adds the bars to the layout if they fit.
    ///
    /// - Parameters:
    ///   - bars: The column with the lengths.
    ///   - sample: The first rows, which determine the scale.
    /// - Returns: The scale of the bars, or `nil` if they do not fit.
    fileprivate mutating func addBars(_ bars: BarColumn, of sample: TextSample) -> BarScale? {
        if isCards { return nil }
        let column = slots.firstIndex { slot in
            slot.index == bars.index
        }
        guard let column else { return nil }
        let lengths = sample.rows.compactMap(\.barLength)
        let scale = bars.scale(of: lengths, room: freeWidth)
        guard let scale else { return nil }
        let slot = Slot(index: sample.entries.count, width: scale.width)
        insert(slot, at: column + 1)
        return scale
    }

    /// Returns whether each cell fits in one line of its column.
    fileprivate func fits(_ cells: [TextCell]) -> Bool {
        slots.allSatisfy { slot in
            cells[slot.index].text.width <= slot.width
        }
    }
}
