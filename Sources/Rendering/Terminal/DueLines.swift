import Base

/// A habit that is due today, as a line of text.
public struct DueRow: Sendable {
    /// The mark before the title.
    public var mark: TerminalSymbol
    /// The title.
    public var title: String
    /// The outcomes of the days from the Monday of the previous week up to today, in the words of calendars.
    public var outcomes: [String]
    /// The status, which determines the color.
    public var status: String
    /// The number of consecutive due days that are done.
    public var streak: Int
    /// The share of the due days that are done, or `nil` if no day was due.
    public var rate: Double?
    /// The progress towards a target, or `nil` without a target.
    public var progress: String?

    /// Creates a line without progress.
    ///
    /// - Parameters:
    ///   - mark: The mark before the title.
    ///   - title: The title.
    ///   - outcomes: The outcomes of the days from the Monday of the previous week up to today.
    ///   - status: The status.
    ///   - streak: The number of consecutive due days that are done.
    public init(mark: TerminalSymbol, title: String, outcomes: [String], status: String, streak: Int) {
        self.mark = mark
        self.title = title
        self.outcomes = outcomes
        self.status = status
        self.streak = streak
    }
}

/// The lines of the habits that are due today, with the last two weeks of each.
public struct DueLines {
    /// The columns next to the mark and the title.
    private struct Columns {
        var hasOlderWeek = true
        var hasWeek = true
        var hasStreak = true
        var hasRate: Bool

        /// The columns in the order in which a narrow output omits them.
        static func choices(isNarrow: Bool) -> [Columns] {
            var columns = Columns(hasRate: !isNarrow)
            var choices = [columns]
            columns.hasRate = false
            choices.append(columns)
            columns.hasOlderWeek = false
            choices.append(columns)
            columns.hasStreak = false
            choices.append(columns)
            columns.hasWeek = false
            choices.append(columns)
            return choices
        }

        var weekHeading: String { hasOlderWeek ? "last two weeks" : "this week" }
        /// The width of the days: two weeks with a space between them, or the heading of one week.
        var weekWidth: Int { hasOlderWeek ? 15 : 9 }

        /// The width of the columns with the gaps before them.
        var width: Int {
            var width = 0
            if hasWeek { width += DueLines.gap + weekWidth }
            if hasStreak { width += DueLines.gap + DueLines.streakHeading.count }
            if hasRate { width += DueLines.gap + DueLines.rateWidth }
            return width
        }
    }

    private static let gap = 2
    private static let indent = 2
    private static let streakHeading = "streak"
    private static let rateWidth = 5
    /// The width below which the rate is omitted.
    private static let narrow = 74
    /// The maximum width of a title in a narrow output.
    private static let narrowTitle = 20

    private let rows: [DueRow]
    private let lines: TextLineWriter
    private let titles: [TerminalText]
    private let titleWidth: Int
    private let columns: Columns

    /// Creates the lines.
    ///
    /// - Parameters:
    ///   - rows: The rows, at least one.
    ///   - options: The options of the output.
    ///   - output: The buffer to which the lines are appended.
    public init(_ rows: [DueRow], _ options: RenderOptions, to output: OutputBuffer) {
        self.rows = rows
        let lines = TextLineWriter(options, output)
        self.lines = lines
        let progress = rows.reduce(0) { width, row in max(width, row.progress.map { TerminalText($0).width } ?? 0) }
        let fixed = Self.indent + 2 + (progress == 0 ? 0 : Self.gap + progress)
        var titles = rows.map { row in TerminalText(row.title) }
        var titleWidth = Self.width(of: titles)
        let choices = Columns.choices(isNarrow: lines.width < Self.narrow)
        if fixed + titleWidth + choices[0].width > lines.width {
            titles = titles.map { title in title.cut(to: Self.narrowTitle) }
            titleWidth = Self.width(of: titles)
        }
        self.titles = titles
        self.titleWidth = titleWidth
        let room = lines.width - fixed - titleWidth
        columns = choices.first { choice in choice.width <= room } ?? choices[choices.count - 1]
    }

    private static func width(of texts: [TerminalText]) -> Int {
        texts.reduce(0) { width, text in max(width, text.width) }
    }

    /// Appends the heading and the rows.
    public func write() {
        writeHeading()
        for (row, title) in zip(rows, titles) { write(row, title) }
    }

    private func writeHeading() {
        guard columns.hasWeek else { return }
        var heading = String.spaces(Self.indent + 2 + titleWidth + Self.gap)
        heading += Self.padded(columns.weekHeading, to: columns.weekWidth)
        if columns.hasStreak { heading += "  \(Self.streakHeading)" }
        if columns.hasRate { heading += "   rate" }
        lines.writeLine(heading)
    }

    private func write(_ row: DueRow, _ title: TerminalText) {
        let color = StatusWord(rawValue: row.status)?.color(in: lines.style.palette)
        lines.write(TerminalText(lines.style.text(of: row.mark)), after: Self.indent, color: color)
        lines.write(title, after: 1, color: nil)
        var spaces = titleWidth - title.width + Self.gap
        if columns.hasWeek {
            let days = TerminalText(days(of: row))
            lines.write(days, after: spaces, color: color)
            spaces = columns.weekWidth - days.width + Self.gap
        }
        if columns.hasStreak {
            let streak = TerminalText("\(row.streak)")
            lines.write(streak, after: spaces + Self.streakHeading.count - streak.width, color: nil)
            spaces = Self.gap
        }
        if columns.hasRate {
            let rate = TerminalText(row.rate.map(ShareText.forPeople) ?? "")
            let padding = Self.rateWidth - rate.width
            if rate.width > 0 || row.progress != nil { lines.write(rate, after: spaces + padding, color: nil) }
            spaces = Self.gap
        }
        if let progress = row.progress { lines.write(TerminalText(progress), after: spaces, color: nil) }
        lines.endLine()
    }

    private func days(of row: DueRow) -> String {
        let marks = row.outcomes.map { outcome in (DayMark(rawValue: outcome) ?? .none).text(lines.style) }
        let older = marks.prefix(7).joined()
        let week = marks.dropFirst(7).joined()
        return columns.hasOlderWeek ? "\(older) \(week)" : week
    }

    private static func padded(_ text: String, to width: Int) -> String {
        text + String.spaces(max(0, width - text.count))
    }
}
