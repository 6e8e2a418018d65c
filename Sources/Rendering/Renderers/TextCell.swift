import Base
import StoreEngine

/// One cell of a text table or card.
struct TextCell {
    let text: TerminalText
    let isNumber: Bool

    init(_ text: String) {
        self.text = TerminalText(text)
        isNumber = false
    }

    /// Creates the cell of `column` in `row`.
    ///
    /// The cell is blank for null. The contents of `scratch` are overwritten.
    init(_ column: Column, of row: some Row, _ options: RenderOptions, scratch: OutputBuffer) {
        scratch.truncate(to: 0)
        if options.ratesAsPercent, column.isRate, let rate = column.number(of: row) {
            scratch.append(ChartText.percent(rate))
        } else if options.ratesAsPercent, column.value == .boolean, let number = column.number(of: row) {
            scratch.append(literal: number == 0 ? "no" : "yes")
        } else {
            _ = scratch.append(column.value, at: column.index, of: row, precision: options.precision) {
                scratch.append($0)
            }
        }
        text = scratch.withBytes { TerminalText($0) }
        isNumber =
            switch column.value {
            case .integer, .number, .longitude, .latitude: true
            case .any: [.integer, .number].contains(row.storage(column.index))
            case .text, .day, .instant, .instantText, .boolean, .json: false
            }
    }
}

extension Column {
    /// Whether the column name ends in `_rate`, so that the values are rates from 0 to 1.
    var isRate: Bool {
        guard case .number = value else { return false }
        return name.hasSuffix("_rate")
    }
}

/// The colors of a text output, as SGR sequences (ECMA-48, section 8.3.117).
enum TextStyle {
    static let bold = "\u{1B}[1m"
    static let dim = "\u{1B}[2m"
    static let reset = "\u{1B}[0m"

    /// Returns the color of a habit's status, or `nil` for any other cell.
    static func color(of column: Column, _ text: String) -> String? {
        column.name == "status" ? StatusWord(rawValue: text)?.terminalColor : nil
    }
}
