import Base
import HabitModel
import Rendering

/// The beginning of the page and of the summary of a nightly run: the most important figures, and the changes since the
/// day before.
struct NightlyHeadline {
    private static let mostStreaks = 3
    /// The anchor of the changes on the page.
    static let changesAnchor = "changes"

    private let dates: ClosedRange<Day>
    private let figures: NightlyFigures
    private let before: NightlyFigures
    private let changes: [String]

    /// Creates the headline of a run.
    ///
    /// - Parameters:
    ///   - figures: The figures of the run.
    ///   - before: The figures of as many days before the run.
    ///   - dates: The days before the run.
    init(_ figures: NightlyFigures, before: NightlyFigures, on dates: ClosedRange<Day>) {
        self.dates = dates
        self.figures = figures
        self.before = before
        changes = NightlyComparison(from: before, to: figures).lines
    }

    /// Returns the figures, the alerts and the changes as a part of the page.
    ///
    /// - Parameter alerts: The alerts as markup.
    /// - Returns: The markup.
    func html(alerts: HTML) -> HTML {
        let tiles = doneTiles + quietTile + streaksTile
        var html: HTML = ""
        if !tiles.text.isEmpty { html += "<dl class=\"tiles\">\n\(tiles)</dl>\n" }
        html += alerts
        html += changesSection
        return html
    }

    /// The tiles with the done habits, their change and the events.
    private var doneTiles: HTML {
        guard let users = figures.users else { return "" }
        var tiles = Self.tile(
            NightlyText.Figures.done,
            value: NightlyText.Count.done(figures.done, of: figures.due),
            note: Self.percent(figures.done, of: figures.due))
        if before.users != nil {
            let note = NightlyText.Figures.before(count(before), period)
            tiles += Self.tile(NightlyText.Figures.change, value: change, note: note)
        }
        if let active = figures.activeUsers {
            let note = NightlyText.Figures.active(active, of: users.count)
            tiles += Self.tile(NightlyText.Figures.events, value: "\(figures.events)", note: note)
        }
        return tiles
    }

    private var quietTile: HTML {
        guard let quiet = figures.quietUsers else { return "" }
        var named = quiet.prefix(3).joined(separator: ", ")
        if quiet.count > 3 { named += ", …" }
        return Self.tile(NightlyText.Figures.quietUsers, value: "\(quiet.count)", note: named.shortened)
    }

    private var streaksTile: HTML {
        let streaks = figures.longestStreaks(Self.mostStreaks)
        guard !streaks.isEmpty else { return "" }
        var items: HTML = ""
        for user in streaks {
            items += "<li><b>\(NightlyText.Count.days(user.streak))</b> \(isolated: Self.label(user))</li>\n"
        }
        return "<div><dt>\(NightlyText.Figures.longestStreaks)</dt><dd><ul>\n\(items)</ul></dd></div>\n"
    }

    private var changesSection: HTML {
        guard !changes.isEmpty else { return "" }
        var items: HTML = ""
        for change in changes {
            items += "<li>\(isolated: change)</li>\n"
        }
        return """
            <section id="\(Self.changesAnchor)">
            <h2>\(NightlyText.Changes.since(dates.upperBound.description))</h2>
            <ul>
            \(items)</ul>
            </section>

            """
    }

    private static func tile(_ name: String, value: String, note: String) -> HTML {
        "<div><dt>\(name)</dt><dd>\(value)<small>\(HTML.withUnbrokenDates(note))</small></dd></div>\n"
    }

    /// Appends the figures to the summary.
    ///
    /// - Parameters:
    ///   - text: The buffer of the summary.
    ///   - width: The maximum width of a line in terminal columns.
    func append(to text: OutputBuffer, width: Int) {
        var lines: [String] = []
        if figures.users != nil {
            lines.append(done)
        }
        let streaks = figures.longestStreaks(Self.mostStreaks)
        if !streaks.isEmpty {
            let names = streaks.map { user in
                NightlyText.Figures.streak(Self.label(user), days: NightlyText.Count.days(user.streak))
            }
            lines.append(NightlyText.Figures.longestStreaksSentence(names.joined(separator: ", ")))
        }
        if let quiet = figures.quietUsers {
            lines.append(NightlyText.Figures.quietUsersSentence(quiet.count))
        }
        guard !lines.isEmpty else { return }
        text.append("\n")
        for line in lines { text.append(paragraph: line, width: width) }
        guard !changes.isEmpty else { return }
        text.append("\n\(NightlyText.Changes.since(dates.upperBound.description))\n")
        for line in changes { text.append(paragraph: "- \(line)", width: width) }
    }

    /// The sentence about the done habits, with the figures of the days before if there are any.
    private var done: String {
        guard before.users != nil else { return NightlyText.Figures.doneSentence(count(figures)) }
        return NightlyText.Figures.doneCompared(
            count(figures),
            difference: comparison,
            period: period,
            before: count(before))
    }

    /// The days before the run after a preposition, such as `on 2026-11-19` or `in the week before`.
    private var period: String {
        switch dates.count {
        case 1: NightlyText.Figures.onDay(dates.upperBound.description)
        case 7: NightlyText.Figures.inWeekBefore
        default: NightlyText.Figures.inDaysBefore(dates.count)
        }
    }

    /// Returns the figures of one user as sentences for the user.
    static func lines(of user: NightlyFigures.User) -> [String] {
        let sentences = [done(of: user), rate(of: user)].compactMap(\.self)
        var lines = [sentences.joined(separator: " ")]
        if user.streak > 0 {
            let days = NightlyText.Count.days(user.streak)
            let streak =
                if let title = user.streakTitle {
                    NightlyText.Figures.streak(title, days: days)
                } else {
                    days
                }
            lines.append(NightlyText.Figures.longestStreakSentence(streak))
        }
        return lines
    }

    private static func done(of user: NightlyFigures.User) -> String {
        guard user.due > 0 else { return NightlyText.Figures.nothingDue }
        return NightlyText.Figures.doneSentence(count(user.done, of: user.due))
    }

    /// Returns the sentence about an earlier rate of the user, or `nil` without such a rate.
    private static func rate(of user: NightlyFigures.User) -> String? {
        if user.events == nil {
            let rate = user.previousRate.map(ShareText.forPeople)
            return rate.map(NightlyText.Figures.rateBeforeSentence)
        }
        let rate = user.rate.map(ShareText.forPeople)
        return rate.map(NightlyText.Figures.fourWeeksSentence)
    }

    private var difference: Int { figures.done - before.done }

    private var change: String {
        if difference > 0 { return "+\(difference)" }
        return difference < 0 ? "\u{2212}\(-difference)" : "0"
    }

    private var comparison: String {
        if difference == 0 { return NightlyText.Figures.asMany }
        let count = abs(difference)
        return difference > 0 ? NightlyText.Figures.more(count) : NightlyText.Figures.fewer(count)
    }

    private func count(_ figures: NightlyFigures) -> String {
        Self.count(figures.done, of: figures.due)
    }

    /// Returns the number of done habits, with its percentage if a habit was due.
    private static func count(_ done: Int, of due: Int) -> String {
        let count = NightlyText.Count.done(done, of: due)
        let rate = percent(done, of: due)
        return rate.isEmpty ? count : NightlyText.Figures.withRate(count, rate: rate)
    }

    private static func label(_ user: NightlyFigures.User) -> String {
        guard let title = user.streakTitle else { return user.id.shortened }
        return "\(user.id): \(title)".shortened
    }

    /// Returns a rounded percentage, or an empty text if nothing was due.
    static func percent(_ done: Int, of due: Int) -> String {
        due == 0 ? "" : ShareText.forPeople(Double(done) / Double(due))
    }
}
