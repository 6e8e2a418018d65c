/// A row of a text table.
struct TextRow {
    /// The cells in the order of the columns.
    var cells: [TextCell]
    /// The value that determines the length of the bar, or `nil` if the row has no bar.
    let barLength: Double?
}

/// The first rows of a text table, which determine its columns and their widths.
struct TextSample {
    let entries: [TextTable.Entry]
    private(set) var rows: [TextRow] = []
    /// Minimum width of a column whose values wrap.
    private let narrowest: Int

    /// Creates a sample without rows.
    ///
    /// A table that must show all columns wraps values in narrower columns, because cards are longer.
    ///
    /// - Parameters:
    ///   - entries: The columns of the table.
    ///   - omitsColumns: Whether the table may omit columns.
    init(_ entries: [TextTable.Entry], omitsColumns: Bool) {
        self.entries = entries
        narrowest = omitsColumns ? 16 : 10
    }

    mutating func append(_ row: TextRow) { rows.append(row) }

    mutating func removeRows() { rows = [] }

    /// The columns with the widths of their cells.
    var contents: [TextLayout.Content] {
        entries.enumerated().map { index, entry in
            let cells = rows.map { row in row.cells[index] }
            let column = SampleColumn(entry: entry, cells: cells)
            return column.content(narrowest: narrowest)
        }
    }
}

/// The cells of the sample in one column.
private struct SampleColumn {
    let entry: TextTable.Entry
    let cells: [TextCell]

    /// Returns the widths of the column.
    ///
    /// - Parameter narrowest: The minimum width if the values wrap.
    /// - Returns: The widths and the alignment.
    func content(narrowest: Int) -> TextLayout.Content {
        let heading = TerminalText(entry.heading)
        let widestCell = cells.map(\.text).widest
        let narrowestCell = wraps ? min(widestCell, narrowest) : widestCell
        return TextLayout.Content(
            natural: max(heading.width, widestCell),
            least: max(widestHeadingWord, narrowestCell),
            isBlank: entry.isOptional && isUnused,
            isRight: isNumeric)
    }

    private var widestHeadingWord: Int {
        let words = entry.heading.split(separator: " ")
        let texts = words.map { word in TerminalText(String(word)) }
        return texts.widest
    }

    /// Whether no cell is a reason to show the column.
    private var isUnused: Bool {
        !cells.contains(where: \.isUsed)
    }

    /// Whether all values are numbers, so that they are aligned right.
    private var isNumeric: Bool {
        guard cells.contains(where: \.isNumber) else { return false }
        return cells.allSatisfy { cell in
            cell.isNumber || cell.text.width == 0
        }
    }

    /// Whether the values may have several lines, unlike IDs, numbers and dates.
    private var wraps: Bool {
        let column = entry.column
        if column.measure != nil || isNumeric { return false }
        switch column.value {
        case .text, .any, .json:
            return !entry.isKey || containsSpace
        default:
            return false
        }
    }

    private var containsSpace: Bool {
        let space = UInt8(ascii: " ")
        return cells.contains { cell in
            cell.text.text.utf8.contains(space)
        }
    }
}
