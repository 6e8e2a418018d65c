import Base
import StoreEngine

/// The outcomes of days: a line for each habit, or a grid of weeks for one habit.
struct CalendarLines: TextChart {
    /// The number of terminal columns of the names of weekdays.
    private static let margin = 5
    private static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]

    private let day: Column
    private let value: Column
    private let group: Column
    private var series = DaySeries<DayMark>()

    init(day: Column, value: Column, group: Column) {
        self.day = day
        self.value = value
        self.group = group
    }

    mutating func add(_ row: some Row) {
        guard let day = day.day(of: row), let mark = value.text(of: row).flatMap(DayMark.init) else { return }
        series.add(mark, on: day, to: group, of: row)
    }

    func write(to lines: TextLineWriter) {
        guard let first = series.first, let last = series.last else { return }
        let available = Int(last.monday.number - first.monday.number) / 7 + 1
        if series.groups.count == 1, let group = series.groups.first {
            let weeks = max(1, min(available, (lines.width - Self.margin + 1) / 2))
            writeGrid(group.name, group.values, mondays: Self.mondays(weeks, to: last), last: last, to: lines)
        } else {
            let labels = lines.padded(series.groups.map(\.name))
            let weeks = max(1, min(available, (lines.width - labels.width - TextLayout.gap) / 7))
            writeLines(labels, mondays: Self.mondays(weeks, to: last), last: last, to: lines)
        }
    }

    /// Returns the Mondays of some weeks up to the week of a day.
    private static func mondays(_ weeks: Int, to last: Day) -> [Day] {
        (0..<weeks).map { week in last.monday.advanced(by: 7 * (week - weeks + 1)) }
    }

    private func writeLines(
        _ labels: (labels: [String], width: Int), mondays: [Day], last: Day, to lines: TextLineWriter
    ) {
        let indent = String(repeating: " ", count: labels.width + TextLayout.gap)
        lines.writeLine(indent + Self.months(mondays, columns: 7))
        for (label, group) in zip(labels.labels, series.groups) {
            var cells = ""
            for monday in mondays {
                for weekday in 0..<7 {
                    cells += Self.cell(group.values, monday.advanced(by: weekday), last: last, lines.style)
                }
            }
            lines.writeLine(label + String(repeating: " ", count: TextLayout.gap) + cells)
        }
        writeLegend(to: lines)
    }

    private func writeGrid(
        _ name: String, _ values: [Day: DayMark], mondays: [Day], last: Day, to lines: TextLineWriter
    ) {
        for line in TerminalText(name).lines(of: lines.width) { lines.writeLine(line.text, color: SGR.bold) }
        lines.endLine()
        lines.writeLine(String(repeating: " ", count: Self.margin) + Self.months(mondays, columns: 2))
        for (weekday, title) in Self.weekdays.enumerated() {
            let cells = mondays.map { monday in
                Self.cell(values, monday.advanced(by: weekday), last: last, lines.style)
            }
            lines.writeLine("\(title)  \(cells.joined(separator: " "))")
        }
        writeLegend(to: lines)
    }

    private func writeLegend(to lines: TextLineWriter) {
        let used = DayMark.allCases.filter { mark in
            !(mark == .none && lines.style.isASCII)
                && series.groups.contains { group in group.values.values.contains(mark) }
        }
        let entries = used.map { mark in "\(lines.style.text(of: mark.symbol)) \(mark.meaning)" }
        lines.output.append(paragraph: entries.joined(separator: "  "), width: lines.width, indent: 0)
    }

    private static func cell(
        _ values: [Day: DayMark], _ day: Day, last: Day, _ style: TerminalStyle
    ) -> String {
        guard day <= last else { return " " }
        let mark = values[day] ?? .none
        // The ASCII form of the dot is the form of a skipped day.
        return mark == .none && style.isASCII ? " " : style.text(of: mark.symbol)
    }

    /// Returns a line with the name of each month over its first full week, and of the first month.
    ///
    /// A name that would touch the name before it is omitted.
    private static func months(_ mondays: [Day], columns: Int) -> String {
        var line = ""
        for (week, monday) in mondays.enumerated() where week == 0 || monday.civil.day <= 7 {
            let offset = week * columns
            guard line.isEmpty || offset > line.count else { continue }
            line += String(repeating: " ", count: offset - line.count) + ChartText.month(monday)
        }
        return line
    }
}

extension DayMark {
    /// The symbol in a text.
    fileprivate var symbol: TerminalSymbol {
        switch self {
        case .done: .full
        case .missed: .missed
        case .skipped: .skipped
        case .unplanned: .unplanned
        case .open: .open
        case .none: .separator
        }
    }
}
