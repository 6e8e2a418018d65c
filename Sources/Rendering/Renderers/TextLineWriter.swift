import Base
import StoreEngine

/// A text and its color.
struct StyledText {
    let text: TerminalText
    /// The SGR sequence of the color, or `nil` for the color of the terminal.
    let color: String?
}

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

    /// Returns the color of a cell, or `nil` if the cell has no status or the output has no colors.
    func color(of cell: TextCell) -> String? {
        guard let status = cell.status else { return nil }
        return status.color(in: style.palette)
    }

    /// Writes a text after some spaces.
    func write(_ text: TerminalText, after spaces: Int, color: String?) {
        for _ in 0..<spaces {
            output.append(UInt8(ascii: " "))
        }
        guard let color, style.isColored else {
            output.append(text.isolated)
            return
        }
        output.append(color)
        output.append(text.isolated)
        output.append(SGR.reset)
    }

    func endLine() {
        output.append(UInt8(ascii: "\n"))
    }

    /// Writes one line of a table, without trailing spaces.
    ///
    /// - Parameters:
    ///   - slots: The shown columns.
    ///   - content: Returns the text of the column at a position in `slots`, at most as wide as its slot.
    func writeLine(_ slots: [TextLayout.Slot], content: (_ position: Int) -> StyledText) {
        var spaces = 0
        for (position, slot) in slots.enumerated() {
            let content = content(position)
            let padding = max(0, slot.width - content.text.width)
            if slot.isRight { spaces += padding }
            if content.text.width > 0 {
                write(content.text, after: spaces, color: content.color)
                spaces = 0
            }
            if !slot.isRight { spaces += padding }
            spaces += TextLayout.gap
        }
        endLine()
    }

    /// Writes a row as lines of names and values, without blank values.
    ///
    /// - Parameters:
    ///   - cells: The values in the order of the names.
    ///   - layout: The names and their layout.
    func writeCard(_ cells: [TextCell], layout: CardLayout) {
        for (name, cell) in zip(layout.names, cells) where cell.text.width > 0 {
            let used = writeName(name, isBelow: layout.isBelow)
            writeValue(cell, indent: layout.indent, used: used)
        }
    }

    /// Writes the name of a value.
    ///
    /// - Parameters:
    ///   - name: The name, which fits in a line if the value is next to it.
    ///   - isBelow: Whether the value is below the name.
    /// - Returns: The number of terminal columns that the name uses in the line of the value.
    private func writeName(_ name: TerminalText, isBelow: Bool) -> Int {
        guard isBelow else {
            write(name, after: 0, color: SGR.bold)
            return name.width
        }
        for line in name.lines(of: width) {
            write(line, after: 0, color: SGR.bold)
            endLine()
        }
        return 0
    }

    private func writeValue(_ cell: TextCell, indent: Int, used: Int) {
        let color = color(of: cell)
        var spaces = indent - used
        for line in cell.text.lines(of: width - indent) {
            write(line, after: spaces, color: color)
            endLine()
            spaces = indent
        }
    }
}
