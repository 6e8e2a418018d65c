import Base
import StoreEngine

/// A heat map of days with a panel for each group.
///
/// Weeks are columns with Monday at the top.
struct CalendarChart: ChartDrawing {
    /// Maximum number of weeks.
    ///
    /// Earlier weeks are omitted. Any year fits, except a leap year from a Sunday on (54).
    static let mostWeeks = 53
    /// Maximum number of weeks in one band.
    ///
    /// More would be too small on a phone, so later weeks continue below.
    static let weeksAcross = 24

    private let columns: (day: Column, value: Column, group: Column)
    private var series = DaySeries<DayMark>()

    init(day: Column, value: Column, group: Column) { columns = (day, value, group) }

    mutating func add(_ row: some Row) {
        guard let day = columns.day.day(of: row), let mark = mark(of: row) else { return }
        series.add(mark, on: day, to: columns.group, of: row)
    }

    private func mark(of row: some Row) -> DayMark? {
        DayMark.allCases.first { columns.value.hasText($0.rawValue, in: row) }
            ?? columns.value.text(of: row).flatMap(DayMark.init)
    }

    func figure() -> HTML? {
        guard let first = series.first, let last = series.last else { return nil }
        let monday = max(first.monday, last.monday.advanced(by: -7 * (Self.mostWeeks - 1)))
        let days = max(first, monday)...last
        let panels = series.groups.map { panel($0.name, $0.values, over: days, from: monday) }
        let marks = DayMark.allCases.filter { mark in
            series.groups.contains { $0.values.contains { $0.value == mark && days.contains($0.key) } }
        }
        let range: HTML = "<p class=\"note\">\(days.lowerBound.description) to \(last.description)</p>"
        let cut: HTML = "<p class=\"note\">Only the last \(Self.mostWeeks) weeks are drawn; the table has more.</p>"
        return """
            <figure class="chart calendar"><figcaption>Day by day</figcaption>
            \(legend(marks))\(first < days.lowerBound ? cut : "")\(range)\
            <div class="multiples">
            \(panels.reduce("") { $0 + $1 })</div>
            \(ChartText.note(omittedCount: series.omittedCount, "day"))</figure>

            """
    }

    private func legend(_ marks: [DayMark]) -> HTML {
        let entries = marks.map { mark -> HTML in
            """
            <li><svg viewBox="0 0 10 10" width="13" aria-hidden="true">\
            <path class="\(mark.rawValue)" d="\(mark.path(x: 0, y: 0))"/></svg> \(mark.meaning)</li>
            """
        }
        return "<ul class=\"legend\">\(entries.reduce("") { $0 + $1 })</ul>\n"
    }

    private func panel(
        _ name: String, _ values: [Day: DayMark], over days: ClosedRange<Day>, from monday: Day
    ) -> HTML {
        let grid = CalendarGrid(from: monday, to: days.upperBound)
        var paths: [DayMark: String] = [:]
        var numbers: [DayMark: Int] = [:]
        for day in days {
            guard let mark = values[day] else { continue }
            let (x, y) = grid.corner(of: day)
            paths[mark, default: ""] += mark.path(x: x, y: y)
            numbers[mark, default: 0] += 1
        }
        let counts = DayMark.allCases.filter { $0 != .none }.compactMap { mark in
            numbers[mark].map { "\($0) \(mark.rawValue)" }
        }
        let summary = counts.isEmpty ? "nothing due" : counts.joined(separator: ", ")
        let drawn = DayMark.allCases.reduce("" as HTML) { all, mark in
            paths[mark].map { all + "<path class=\"\(mark.rawValue)\" d=\"\($0)\"/>" } ?? all
        }
        let svg = HTML.svg(
            "\(name): \(summary)", width: grid.size.width * 1.2, of: grid.size, grid.labels + drawn)
        return """
            <figure><figcaption>\(isolated: name)<small>\(summary)</small></figcaption>\(svg)</figure>

            """
    }
}

/// The status of a day.
///
/// Each status has its own shape, so that it is recognizable without colors.
enum DayMark: String, CaseIterable {
    case done, missed, skipped, unplanned, open, none

    var meaning: String {
        switch self {
        case .done: "done"
        case .missed: "missed"
        case .skipped: "skipped"
        case .unplanned: "unplanned"
        case .open: "still open"
        case .none: "not due"
        }
    }

    /// Returns a subpath in the square of 10 units whose corner is (`x`, `y`): a stroke or an outline.
    func path(x: Int, y: Int) -> String {
        switch self {
        case .done: "M\(x) \(y + 5)h10"
        case .missed, .open: "M\(x + 1) \(y + 1)h8v8h-8z"
        case .skipped: "M\(x) \(y + 5)h10"
        case .unplanned: "M\(x + 2) \(y + 5)h6"
        case .none: "M\(x + 4) \(y + 5)h2"
        }
    }
}

/// The positions of the days of a calendar.
struct CalendarGrid {
    private static let pitch = 13
    private static let left = 27
    private static let top = 14
    private static let bandHeight = top + 7 * pitch + 5

    private let monday: Day
    private let weeks: Int
    /// The number of weeks in one band.
    ///
    /// All bands have about the same length.
    private let across: Int

    init(from monday: Day, to last: Day) {
        self.monday = monday
        weeks = monday.distance(to: last) / 7 + 1
        let bands = (weeks + CalendarChart.weeksAcross - 1) / CalendarChart.weeksAcross
        across = (weeks + bands - 1) / bands
    }

    private var bands: Int { (weeks + across - 1) / across }

    /// The size of the drawing.
    ///
    /// It is at least three weeks wide, because the name of a month requires this width.
    var size: (width: Double, height: Double) {
        (Double(Self.left + max(3, across) * Self.pitch), Double(bands * Self.bandHeight - 5))
    }

    /// Returns the upper left corner of a day's square.
    func corner(of day: Day) -> (x: Int, y: Int) {
        let (week, weekday) = monday.distance(to: day).quotientAndRemainder(dividingBy: 7)
        return corner(week: week, weekday: weekday)
    }

    private func corner(week: Int, weekday: Int) -> (x: Int, y: Int) {
        (
            Self.left + week % across * Self.pitch,
            week / across * Self.bandHeight + Self.top + weekday * Self.pitch
        )
    }

    /// The names of the months above the weeks, and of some weekdays to their left.
    var labels: HTML {
        var labels: HTML = ""
        for band in 0..<bands {
            for (name, weekday) in [("Mon", 0), ("Thu", 3), ("Sun", 6)] {
                let (_, y) = corner(week: band * across, weekday: weekday)
                labels += "<text x=\"0\" y=\"\(y + 9)\">\(name)</text>"
            }
        }
        for (week, name) in months {
            let (x, y) = corner(week: week, weekday: 0)
            labels += "<text x=\"\(x)\" y=\"\(y - 4)\">\(name)</text>"
        }
        return labels
    }

    /// The weeks in which a month begins, and the first week of each band if its name does not overlap the next name.
    private var months: [(week: Int, name: String)] {
        let sundays = (0..<weeks).map { monday.advanced(by: 7 * $0 + 6) }
        let begins = sundays.indices.filter { sundays[$0].civil.day <= 7 }
        let bandStarts = stride(from: 0, to: weeks, by: across).filter { start in
            !begins.contains { (start..<start + 3).contains($0) }
        }
        return (begins + bandStarts).sorted().map { ($0, ChartText.month(sundays[$0])) }
    }
}
