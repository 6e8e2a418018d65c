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

    /// Creates a renderer of the first chart that has a form in text, or returns `nil` if there is none.
    init?(_ shape: ResultShape, _ options: RenderOptions, _ output: OutputBuffer) {
        let charts = options.page.charts.lazy.compactMap { chart in chart.textChart(of: shape) }
        guard !shape.isSelected, let chart = charts.first else { return nil }
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
        let cells = columns.compactMap { name in shape.columns.first { column in column.name == name } }
        guard cells.count == columns.count else { return nil }
        return switch self {
        case .map, .bars: nil
        case .calendar: CalendarLines(day: cells[0], value: cells[1], group: cells[2])
        case .line: Sparkline(value: cells[0], day: cells[1], group: cells[2])
        case .week: WeekCells(value: cells[0], weekday: cells[1], hour: cells[2], heading: shape.heading(of: cells[0]))
        }
    }
}

extension TextLineWriter {
    /// Writes a line without trailing spaces.
    func writeLine(_ text: String, color: String? = nil) {
        var text = text[...]
        while text.last == " " { text.removeLast() }
        if !text.isEmpty { write(TerminalText(String(text)), after: 0, color: color) }
        endLine()
    }

    /// Returns the labels of the rows of a chart with spaces up to the same width, at most a third of a line.
    func padded(_ labels: [String]) -> (labels: [String], width: Int) {
        let texts = labels.map { label in TerminalText(label).cut(to: max(20, width / 3)) }
        let widest = texts.reduce(0) { widest, text in max(widest, text.width) }
        let padded = texts.map { text in text.isolated + String(repeating: " ", count: widest - text.width) }
        return (padded, widest)
    }
}
