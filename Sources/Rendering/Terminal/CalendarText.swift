import Base

/// The days of one line of a calendar.
public struct CalendarRow: Sendable {
    /// The word for a day with an amount below the target amount, which only calendars in text distinguish.
    public static let partlyDone = DayMark.partlyDone.rawValue

    /// The title.
    public var title: String
    /// The heading if the calendar has only this row.
    public var heading: String
    /// The first day.
    public var first: Day
    /// The outcomes of the days, in the words of calendars.
    public var outcomes: [String]
    /// The text after the days, or `nil` for none.
    public var note: String?

    /// Creates a row.
    ///
    /// - Parameters:
    ///   - title: The title.
    ///   - heading: The heading if the calendar has only this row.
    ///   - first: The first day.
    ///   - outcomes: The outcomes of the days.
    ///   - note: The text after the days.
    public init(title: String, heading: String, first: Day, outcomes: [String], note: String?) {
        self.title = title
        self.heading = heading
        self.first = first
        self.outcomes = outcomes
        self.note = note
    }
}

/// A calendar in text: a line for each group, or a grid of weeks for one group.
public struct CalendarText {
    /// The outcomes of one habit.
    struct Group {
        var name: String
        /// The heading of the grid, or `nil` for the name.
        var heading: String?
        var note: String?
        var values: [Day: DayMark]
    }

    /// The number of terminal columns of the names of weekdays.
    private static let margin = 5
    /// The number of terminal columns of the name of a month.
    private static let monthWidth = 3

    private let groups: [Group]
    private let last: Day
    /// The number of weeks that the calendar has at most.
    private let weeks: Int

    init(groups: [Group], last: Day, weeks: Int) {
        self.groups = groups
        self.last = last
        self.weeks = weeks
    }

    /// Writes a calendar with as many weeks as fit.
    ///
    /// Rows without a due day or an event in these weeks are omitted.
    ///
    /// - Parameters:
    ///   - rows: The rows.
    ///   - last: The last day.
    ///   - weeks: The maximum number of weeks.
    ///   - options: The options of the output.
    ///   - output: The buffer to which the lines are appended.
    /// - Returns: Whether the calendar has rows.
    public static func write(
        _ rows: [CalendarRow], last: Day, weeks: Int, _ options: RenderOptions, to output: OutputBuffer
    ) -> Bool {
        let lines = TextLineWriter(options, output)
        let all = CalendarText(groups: rows.map(Group.init), last: last, weeks: weeks)
        let earlierWeeks = all.fitting(lines) - 1
        let first = last.monday.clampedAdvanced(by: -7 * earlierWeeks)
        let shown = all.groups.filter { group in
            group.hasMark(since: first)
        }
        guard !shown.isEmpty else { return false }
        CalendarText(groups: shown, last: last, weeks: weeks).write(to: lines)
        return true
    }

    /// Writes the lines.
    func write(to lines: TextLineWriter) {
        let mondays = Self.mondays(fitting(lines), to: last)
        if groups.count == 1, let group = groups.first {
            writeGrid(group, mondays: mondays, to: lines)
        } else {
            writeLines(mondays: mondays, to: lines)
        }
        writeLegend(to: lines)
    }

    /// Returns the number of weeks that fit, at least 1.
    private func fitting(_ lines: TextLineWriter) -> Int {
        if groups.count == 1 {
            let room = lines.width - Self.margin + 1
            return max(1, min(weeks, room / 2))
        }
        let room = lines.width - labels(in: lines).width - TextLayout.gap - noteWidth
        return max(1, min(weeks, room / 7))
    }

    private func labels(in lines: TextLineWriter) -> ChartLabels {
        ChartLabels(groups.map(\.name), lineWidth: lines.width)
    }

    /// The width of the notes with the gap before them.
    private var noteWidth: Int {
        let widths = groups.compactMap { group in
            group.note?.count
        }
        guard let widest = widths.max() else { return 0 }
        return widest + TextLayout.gap
    }

    /// Returns the Mondays of some weeks up to the week of a day.
    private static func mondays(_ weeks: Int, to last: Day) -> [Day] {
        let first = last.monday.advanced(by: -7 * (weeks - 1))
        return (0..<weeks).map { week in
            first.advanced(by: 7 * week)
        }
    }

    private func writeLines(mondays: [Day], to lines: TextLineWriter) {
        let labels = labels(in: lines)
        let gap = String.spaces(TextLayout.gap)
        let indent = String.spaces(labels.width) + gap
        lines.writeLine(indent + Self.months(mondays, columns: 7))
        let days = mondays.flatMap { monday in
            (0..<7).map(monday.advanced)
        }
        let shownDays = days.filter { day in
            day <= last
        }
        for (label, group) in zip(labels.texts, groups) {
            var line = label + gap
            for day in shownDays {
                line += cell(of: group, on: day, style: lines.style)
            }
            if let note = group.note {
                let spaces = max(TextLayout.gap, noteWidth - note.count)
                line += String.spaces(spaces) + note
            }
            lines.writeLine(line)
        }
    }

    private func writeGrid(_ group: Group, mondays: [Day], to lines: TextLineWriter) {
        let heading = TerminalText(group.heading ?? group.name)
        for line in heading.lines(of: lines.width) {
            lines.writeLine(line.text, color: SGR.bold)
        }
        lines.endLine()
        let indent = String.spaces(Self.margin)
        lines.writeLine(indent + Self.months(mondays, columns: 2))
        for (weekday, title) in DateNames.shortWeekdays.enumerated() {
            let cells = mondays.map { monday in
                cell(of: group, on: monday.advanced(by: weekday), style: lines.style)
            }
            let row = cells.joined(separator: " ")
            lines.writeLine("\(title)  \(row)")
        }
    }

    private func writeLegend(to lines: TextLineWriter) {
        let marks = groups.reduce(into: Set<DayMark>()) { marks, group in
            marks.formUnion(group.values.values)
        }
        // In ASCII, a day that is not due has a space.
        let hidden: DayMark? = lines.style.isASCII ? DayMark.none : nil
        let gap = String.spaces(TextLayout.gap)
        var line = ""
        for mark in DayMark.allCases where marks.contains(mark) && mark != hidden {
            let entry = "\(lines.style.text(of: mark.symbol)) \(mark.meaning)"
            let longer = line.isEmpty ? entry : line + gap + entry
            if longer.count > lines.width {
                lines.writeLine(line)
                line = entry
            } else {
                line = longer
            }
        }
        lines.writeLine(line)
    }

    private func cell(of group: Group, on day: Day, style: TerminalStyle) -> String {
        guard day <= last else { return " " }
        let mark = group.values[day] ?? .none
        return mark.text(style)
    }

    /// Returns a line with the name of each month over its first full week, and of the first month.
    ///
    /// The name of the first month is omitted if it would touch the next name. Any other name that would touch the name
    /// before it is omitted.
    private static func months(_ mondays: [Day], columns: Int) -> String {
        let begins = mondays.indices.filter { week in
            mondays[week].civil.day <= 7
        }
        let first = begins.first ?? mondays.count
        let hasRoom = begins.isEmpty || first * columns > monthWidth
        let named = hasRoom ? [0] + begins : begins
        var line = ""
        for week in named {
            let offset = week * columns
            let monday = mondays[week]
            guard line.isEmpty || offset > line.count else { continue }
            line += String.spaces(offset - line.count)
            line += ChartText.month(monday)
        }
        return line
    }
}

extension CalendarText.Group {
    /// Whether a day since `first` is due or has an event.
    fileprivate func hasMark(since first: Day) -> Bool {
        values.contains { day, mark in
            day >= first && mark != .none
        }
    }

    fileprivate init(_ row: CalendarRow) {
        name = row.title
        heading = row.heading
        note = row.note
        values = [:]
        for (offset, outcome) in row.outcomes.enumerated() {
            values[row.first.advanced(by: offset)] = DayMark(rawValue: outcome)
        }
    }
}
