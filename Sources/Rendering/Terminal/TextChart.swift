import StoreEngine

/// A chart of a text output that collects values from the rows and is written after the last row.
///
/// The number of values is limited as in the charts of pages.
protocol TextChart {
    /// Adds the values of a row.
    mutating func add(_ row: some Row)
    /// Writes the chart in lines of at most the width of the output.
    func write(to lines: TextLineWriter)
}

/// Writes the chart of a report in place of its rows.
///
/// The output is empty if there are no rows.
final class ChartTextRenderer: Renderer {
    /// Number of rows received.
    private(set) var rowCount = 0
    private var chart: any TextChart
    private let lines: TextLineWriter

    /// Creates a renderer of the first chart that has a form in text, or returns `nil` if no chart has one.
    ///
    /// - Parameters:
    ///   - shape: The columns of the rows.
    ///   - options: The options of the output, which contain the charts.
    ///   - output: The buffer to which the renderer appends.
    init?(_ shape: ResultShape, options: RenderOptions, into output: OutputBuffer) {
        if shape.isSelected { return nil }
        let charts = options.page.charts.lazy.compactMap { chart in
            chart.textChart(of: shape)
        }
        guard let chart = charts.first else { return nil }
        self.chart = chart
        lines = TextLineWriter(options, output)
    }

    /// Writes nothing.
    func begin() throws {}

    /// Adds the values of `row` to the chart.
    func append(_ row: some Row) throws {
        rowCount += 1
        chart.add(row)
    }

    /// Writes the chart.
    func end() throws {
        guard rowCount > 0 else { return }
        chart.write(to: lines)
        try lines.output.flushIfFull()
    }
}

extension Chart {
    /// Returns the chart of a text output, or `nil` if the rows stay in a table or lack a required column.
    func textChart(of shape: ResultShape) -> (any TextChart)? {
        let cells = columns.compactMap(shape.column)
        guard cells.count == columns.count else { return nil }
        switch self {
        case .map, .bars:
            return nil
        case .calendar:
            return CalendarLines(day: cells[0], value: cells[1], group: cells[2])
        case .line:
            return Sparkline(value: cells[0], day: cells[1], group: cells[2])
        case .week:
            let heading = shape.heading(of: cells[0])
            return WeekCells(
                value: cells[0],
                weekday: cells[1],
                hour: cells[2],
                heading: heading)
        }
    }
}

extension TextLineWriter {
    /// Writes a line without trailing spaces.
    func writeLine(_ text: String, color: String? = nil) {
        var text = text
        while text.last == " " {
            text.removeLast()
        }
        if !text.isEmpty {
            write(TerminalText(text), after: 0, color: color)
        }
        endLine()
    }
}

/// The labels of the rows of a chart, with spaces up to the same width.
struct ChartLabels {
    let texts: [String]
    /// The width of each label.
    let width: Int

    /// Creates the names of groups, at most a third as wide as a line.
    init(_ names: [String], lineWidth: Int) {
        let limit = max(20, lineWidth / 3)
        let labels = names.map { name in
            TerminalText(name).cut(to: limit)
        }
        let widest = labels.widest
        width = widest
        texts = labels.map { label in
            let padding = String.spaces(widest - label.width)
            return label.isolated + padding
        }
    }
}

extension String {
    /// Returns texts that all have the same width on a terminal.
    ///
    /// A text that is too wide ends with `…`. Characters that a terminal could interpret are replaced by symbols.
    ///
    /// - Parameters:
    ///   - texts: The texts.
    ///   - limit: The maximum width in terminal columns, from 1.
    /// - Returns: The texts in the same order, with spaces up to the width of the widest one.
    public static func aligned(_ texts: [String], limit: Int) -> [String] {
        let cut = texts.map { text in
            TerminalText(text).cut(to: limit)
        }
        let widest = cut.widest
        return cut.map { text in
            text.text + spaces(widest - text.width)
        }
    }

    /// Returns a text that consists of spaces.
    static func spaces(_ count: Int) -> String {
        String(repeating: " ", count: count)
    }
}
