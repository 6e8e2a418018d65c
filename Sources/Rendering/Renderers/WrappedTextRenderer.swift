import StoreEngine

/// Writes rows as a table for people with a fixed width, for mail.
///
/// Unlike ``TextRenderer``, the table has all columns, and each value is complete: a long value wraps within its column.
/// If the columns are too wide even so, each row is a card of names and values. The first 500 rows determine the widths.
public final class WrappedTextRenderer: Renderer {
    private static let sampleSize = 500
    /// Minimum width of a column whose values wrap.
    private static let narrowest = 8

    /// Number of rows received, including the rows of a sample that is not yet written.
    public private(set) var rowCount = 0
    private let columns: [Column]
    private let options: RenderOptions
    private let output: OutputBuffer
    private let scratch = OutputBuffer()
    private var sample: [[TextCell]] = []
    private var isRight: [Bool] = []
    /// The widths of the columns, or `nil` until they are known.
    ///
    /// The array is empty if each row is a card.
    private var widths: [Int]?

    /// Creates a renderer for the columns of a table for people.
    public init(_ shape: ResultShape, _ options: RenderOptions, _ output: OutputBuffer) {
        columns = shape.forPeople.columns
        self.options = options
        self.output = output
    }

    /// Writes nothing: the header is written with the first rows.
    public func begin() throws {}

    /// Adds `row` to the sample, or writes it if the column widths are known.
    public func append(_ row: some Row) throws {
        let cells = columns.map { TextCell($0, of: row, options, scratch: scratch) }
        rowCount += 1
        if let widths {
            write(cells, widths)
        } else {
            sample.append(cells)
            if sample.count == Self.sampleSize { writeSample() }
        }
        try output.flushIfFull()
    }

    /// Writes the sample if the result has fewer than 500 rows.
    public func end() throws {
        if widths == nil, rowCount > 0 { writeSample() }
    }

    private func writeSample() {
        isRight = columns.indices.map { i in
            sample.contains { $0[i].isNumber } && sample.allSatisfy { $0[i].isNumber || $0[i].text.width == 0 }
        }
        let widths = fittingWidths()
        self.widths = widths
        if !widths.isEmpty { writeHeader(widths) }
        for cells in sample { write(cells, widths) }
        sample = []
    }

    /// Returns the widths of the columns, or an empty array if they do not fit.
    private func fittingWidths() -> [Int] {
        let floors = columns.indices.map { i in
            let header = heading(of: columns[i]).reduce(0) { max($0, TerminalText($1).width) }
            let widest = sample.reduce(header) { max($0, $1[i].text.width) }
            return (natural: widest, least: isRight[i] ? widest : min(widest, max(header, Self.narrowest)))
        }
        var widths = floors.map(\.natural)
        let room = options.width - TextLayout.gap * (columns.count - 1)
        while widths.reduce(0, +) > room {
            let shrinkable = widths.indices.filter { widths[$0] > floors[$0].least }
            guard let widest = shrinkable.max(by: { widths[$0] < widths[$1] }) else { return [] }
            widths[widest] -= 1
        }
        return widths
    }

    /// Returns the lines of the header of a column.
    ///
    /// Rates are percentages, so the header of `completion_rate` is `rate`, and the header of the rate before it,
    /// `previous_rate`, is `before`. Other names, and names of several other rates, wrap at underscores.
    private func heading(of column: Column) -> [String] {
        if options.ratesAsPercent, column.isRate {
            if column.name == "previous_rate" { return ["before"] }
            if columns.count(where: { $0.isRate && $0.name != "previous_rate" }) == 1 { return ["rate"] }
        }
        return column.name.split(separator: "_").map(String.init)
    }

    private func writeHeader(_ widths: [Int]) {
        let headings = columns.enumerated().map { i, column in
            let words = heading(of: column)
            // The words share a line if the values are wide enough.
            return TerminalText(words.joined(separator: " ")).width <= widths[i]
                ? [words.joined(separator: " ")] : words
        }
        let height = headings.map(\.count).max() ?? 1
        // Headings are aligned at the bottom.
        let padded = headings.map { words in
            (Array(repeating: "", count: height - words.count) + words).map { TerminalText($0) }
        }
        writeLines(padded, widths)
        writeLines(widths.map { [TerminalText(String(repeating: "─", count: $0))] }, widths)
    }

    private func write(_ cells: [TextCell], _ widths: [Int]) {
        guard !widths.isEmpty else { return writeCard(cells) }
        // A number after the sample can be wider than its column, but does not wrap.
        let lines = cells.indices.map { isRight[$0] ? [cells[$0].text] : cells[$0].text.lines(of: widths[$0]) }
        writeLines(lines, widths)
    }

    /// Writes the lines of the cells of a row, without trailing spaces.
    private func writeLines(_ cells: [[TerminalText]], _ widths: [Int]) {
        for line in 0..<(cells.map(\.count).max() ?? 0) {
            var spaces = 0
            for (i, lines) in cells.enumerated() {
                let text = line < lines.count ? lines[line] : TerminalText("")
                let padding = max(0, widths[i] - text.width)
                if isRight[i] { spaces += padding }
                if text.width > 0 {
                    write(text, after: spaces)
                    spaces = 0
                }
                spaces += (isRight[i] ? 0 : padding) + TextLayout.gap
            }
            output.append(UInt8(ascii: "\n"))
        }
    }

    /// Writes a row as a card, with an empty line after it.
    ///
    /// If the names are wide, each value is below its name.
    private func writeCard(_ cells: [TextCell]) {
        let names = columns.map { TerminalText(heading(of: $0).joined(separator: " ")) }
        let widest = (names.map(\.width).max() ?? 0) + TextLayout.gap
        let isBelow = 3 * widest > 2 * options.width
        let indent = isBelow ? TextLayout.gap : widest
        for (name, cell) in zip(names, cells) where cell.text.width > 0 {
            var used = 0
            for line in name.lines(of: max(2, options.width)) {
                write(line, after: 0)
                used = line.width
                if isBelow { output.append(UInt8(ascii: "\n")) }
            }
            for (i, line) in cell.text.lines(of: max(2, options.width - indent)).enumerated() {
                write(line, after: i == 0 && !isBelow ? indent - used : indent)
                output.append(UInt8(ascii: "\n"))
            }
        }
        output.append(UInt8(ascii: "\n"))
    }

    private func write(_ text: TerminalText, after spaces: Int) {
        for _ in 0..<spaces { output.append(UInt8(ascii: " ")) }
        output.append(text.isolated)
    }
}
