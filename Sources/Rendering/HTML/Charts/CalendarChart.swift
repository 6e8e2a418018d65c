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

    init(day: Column, value: Column, group: Column) {
        columns = (day, value, group)
    }

    mutating func add(_ row: some Row) {
        guard let day = columns.day.day(of: row), let mark = mark(of: row) else { return }
        series.add(mark, on: day, to: columns.group, of: row)
    }

    private func mark(of row: some Row) -> DayMark? {
        // A text column is compared without a copy of the cell.
        let mark = DayMark.allCases.first { mark in
            columns.value.hasText(mark.rawValue, in: row)
        }
        return mark ?? columns.value.text(of: row).flatMap(DayMark.init)
    }

    func figure() -> HTML? {
        guard let first = series.first, let last = series.last else { return nil }
        let earliestMonday = last.monday.advanced(by: -7 * (Self.mostWeeks - 1))
        let monday = max(first.monday, earliestMonday)
        let days = max(first, monday)...last
        var panels: HTML = ""
        for group in series.groups {
            panels += panel(group.name, group.values, over: days, from: monday)
        }
        let dates = HTMLText.Chart.range(from: days.lowerBound.description, to: last.description)
        let range: HTML = "<p class=\"note\">\(dates)</p>"
        let cut: HTML = "<p class=\"note\">\(HTMLText.Chart.lastWeeks(Self.mostWeeks))</p>"
        return """
            <figure class="chart calendar"><figcaption>\(HTMLText.Chart.days)</figcaption>
            \(legend(marks(on: days)))\(first < days.lowerBound ? cut : "")\(range)\
            <div class="multiples">
            \(panels)</div>
            \(ChartText.note(omittedCount: series.omittedCount, HTMLText.Chart.dayCount))</figure>

            """
    }

    /// Returns the marks that some group has on one of the days.
    private func marks(on days: ClosedRange<Day>) -> [DayMark] {
        DayMark.allCases.filter { mark in
            series.groups.contains { group in
                group.values.contains { $0.value == mark && days.contains($0.key) }
            }
        }
    }

    private func legend(_ marks: [DayMark]) -> HTML {
        var entries: HTML = ""
        for mark in marks {
            entries += """
                <li><svg viewBox="0 0 10 10" width="13" aria-hidden="true">\
                <path class="\(mark.rawValue)" d="\(mark.path(x: 0, y: 0))"/></svg> \(mark.meaning)</li>
                """
        }
        return "<ul class=\"legend\">\(entries)</ul>\n"
    }

    private func panel(
        _ name: String,
        _ values: [Day: DayMark],
        over days: ClosedRange<Day>,
        from monday: Day
    ) -> HTML {
        let grid = CalendarGrid(from: monday, to: days.upperBound)
        var paths: [DayMark: String] = [:]
        var numbers: [DayMark: Int] = [:]
        for day in days {
            guard let mark = values[day] else { continue }
            let corner = grid.corner(of: day)
            paths[mark, default: ""] += mark.path(x: corner.x, y: corner.y)
            numbers[mark, default: 0] += 1
        }
        var drawn = grid.labels
        for mark in DayMark.allCases {
            guard let path = paths[mark] else { continue }
            drawn += "<path class=\"\(mark.rawValue)\" d=\"\(path)\"/>"
        }
        let summary = Self.summary(of: numbers)
        let width = grid.size.width * 1.2
        let svg = HTML.svg("\(name): \(summary)", width: width, of: grid.size, drawn)
        return """
            <figure><figcaption>\(isolated: name)<small>\(summary)</small></figcaption>\(svg)</figure>

            """
    }

    /// Returns a text such as `5 done, 1 missed`.
    private static func summary(of numbers: [DayMark: Int]) -> String {
        var counts: [String] = []
        for mark in DayMark.allCases where mark != .none {
            guard let number = numbers[mark] else { continue }
            counts.append("\(number) \(mark.meaning)")
        }
        return counts.isEmpty ? HTMLText.Chart.nothingDue : counts.joined(separator: ", ")
    }
}

/// The status of a day.
///
/// Each status has its own shape, so that it is recognizable without colors.
enum DayMark: String, CaseIterable {
    case done
    case partlyDone = "partly-done"
    case missed, skipped, unplanned, open, none

    var meaning: String {
        switch self {
        case .done: HTMLText.Chart.done
        case .partlyDone: HTMLText.Chart.partlyDone
        case .missed: HTMLText.Chart.missed
        case .skipped: HTMLText.Chart.skipped
        case .unplanned: HTMLText.Chart.unplanned
        case .open: HTMLText.Chart.open
        case .none: HTMLText.Chart.notDue
        }
    }

    /// Returns a subpath in the square of 10 units whose corner is (`x`, `y`): a stroke or an outline.
    func path(x: Int, y: Int) -> String {
        switch self {
        case .done: "M\(x) \(y + 5)h10"
        case .partlyDone, .missed, .open: "M\(x + 1) \(y + 1)h8v8h-8z"
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
    var size: DrawingSize {
        let width = Self.left + max(3, across) * Self.pitch
        let height = bands * Self.bandHeight - 5
        return (Double(width), Double(height))
    }

    /// Returns the upper left corner of a day's square.
    func corner(of day: Day) -> (x: Int, y: Int) {
        let distance = monday.distance(to: day)
        return corner(week: distance / 7, weekday: distance % 7)
    }

    private func corner(week: Int, weekday: Int) -> (x: Int, y: Int) {
        let column = week % across
        let band = week / across
        let bandTop = band * Self.bandHeight + Self.top
        return (Self.left + column * Self.pitch, bandTop + weekday * Self.pitch)
    }

    /// The names of the months above the weeks, and of some weekdays to their left.
    var labels: HTML {
        var labels: HTML = ""
        for band in 0..<bands {
            // Monday, Thursday and Sunday.
            for weekday in [0, 3, 6] {
                let corner = corner(week: band * across, weekday: weekday)
                let name = DateNames.shortWeekdays[weekday]
                labels += "<text x=\"0\" y=\"\(corner.y + 9)\">\(name)</text>"
            }
        }
        for (week, name) in months {
            let corner = corner(week: week, weekday: 0)
            labels += "<text x=\"\(corner.x)\" y=\"\(corner.y - 4)\">\(name)</text>"
        }
        return labels
    }

    /// The weeks in which a month begins, and the first week of each band if its name does not overlap the next name.
    private var months: [(week: Int, name: String)] {
        let sundays = (0..<weeks).map { monday.advanced(by: 7 * $0 + 6) }
        let begins = sundays.indices.filter { sundays[$0].civil.day <= 7 }
        let bandStarts = stride(from: 0, to: weeks, by: across).filter { start in
            let nameRange = start..<start + 3
            return !begins.contains { nameRange.contains($0) }
        }
        let named = (begins + bandStarts).sorted()
        return named.map { week in
            (week, ChartText.month(sundays[week]))
        }
    }
}
