import StoreEngine

/// Writes the lines of tables and cards with their colors.
struct TextLineWriter {
    /// The width of the output in terminal columns.
    let width: Int
    let style: TerminalStyle
    let output: OutputBuffer

    init(_ options: RenderOptions, _ output: OutputBuffer) {
        width = max(20, options.width)
        style = options.style
        self.output = output
    }

    /// Writes a text after some spaces.
    func write(_ text: TerminalText, after spaces: Int, color: String?) {
        for _ in 0..<spaces { output.append(UInt8(ascii: " ")) }
        let color = style.isColored ? color : nil
        if let color { output.append(color) }
        output.append(text.isolated)
        if color != nil { output.append(SGR.reset) }
    }

    func endLine() { output.append(UInt8(ascii: "\n")) }

    /// Writes one line of a table, without trailing spaces.
    ///
    /// - Parameters:
    ///   - layout: The layout of the table.
    ///   - isRight: Whether the cells of each column are aligned right.
    ///   - color: Returns the color of the cell of a column.
    ///   - cell: Returns the text of a column, at most as wide as its slot.
    func writeLine(
        _ layout: TextLayout, isRight: [Bool], color: (Int) -> String?, cell: (Int) -> TerminalText
    ) {
        var spaces = 0
        for slot in layout.slots {
            let text = cell(slot.index)
            let padding = max(0, slot.width - text.width)
            if isRight[slot.index] { spaces += padding }
            if text.width > 0 {
                write(text, after: spaces, color: color(slot.index))
                spaces = 0
            }
            spaces += (isRight[slot.index] ? 0 : padding) + TextLayout.gap
        }
        endLine()
    }

    /// Writes a row as lines of names and values, without blank values.
    ///
    /// If the names are wide, each value is below its name.
    func writeCard(_ entries: [TextTable.Entry], _ cells: [TextCell]) {
        let names = entries.map { entry in TerminalText(entry.heading) }
        let widest = names.reduce(0) { width, name in max(width, name.width) } + TextLayout.gap
        let isBelow = 3 * widest > 2 * width
        let indent = isBelow ? TextLayout.gap : widest
        for (name, cell) in zip(names, cells) where cell.text.width > 0 {
            var used = 0
            for line in name.lines(of: width) {
                write(line, after: 0, color: SGR.bold)
                used = line.width
                if isBelow { endLine() }
            }
            for (index, line) in cell.text.lines(of: width - indent).enumerated() {
                let spaces = index == 0 && !isBelow ? indent - used : indent
                write(line, after: spaces, color: cell.status?.color(in: style.palette))
                endLine()
            }
        }
    }
}
