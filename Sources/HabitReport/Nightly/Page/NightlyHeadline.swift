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
        var tiles: HTML = ""
        if let users = figures.users {
            tiles += Self.tile("Done", "\(figures.done) of \(figures.due)", Self.percent(figures.done, of: figures.due))
            if before.users != nil {
                tiles += Self.tile("Change", change, "\(count(before)) \(period)")
            }
            if let active = figures.activeUsers {
                tiles += Self.tile(
                    "Events", "\(figures.events)", "by \(active) of \(Self.count(users.count, "user"))")
            }
        }
        if let quiet = figures.quietUsers {
            let named = quiet.prefix(3).joined(separator: ", ") + (quiet.count > 3 ? ", …" : "")
            tiles += Self.tile("Quiet users", "\(quiet.count)", named.shortened)
        }
        let streaks = figures.longestStreaks(Self.mostStreaks)
        if !streaks.isEmpty {
            let items = streaks.reduce("" as HTML) {
                $0 + "<li><b>\(Self.count($1.streak, "day"))</b> \(isolated: Self.label($1))</li>\n"
            }
            tiles += "<div><dt>Longest current streaks</dt><dd><ul>\n\(items)</ul></dd></div>\n"
        }
        var html: HTML = ""
        if !tiles.text.isEmpty { html += "<dl class=\"tiles\">\n\(tiles)</dl>\n" }
        html += alerts
        if !changes.isEmpty {
            let items = changes.reduce("" as HTML) { $0 + "<li>\(isolated: $1)</li>\n" }
            html += """
                <section id="\(Self.changesAnchor)">
                <h2>Since \(dates.upperBound.description)</h2>
                <ul>
                \(items)</ul>
                </section>

                """
        }
        return html
    }

    private static func tile(_ name: String, _ value: String, _ note: String) -> HTML {
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
            let change = before.users == nil ? "" : ", \(sentence) \(period) (\(count(before)))"
            lines.append("Done: \(count(figures))\(change).")
        }
        let streaks = figures.longestStreaks(Self.mostStreaks)
        if !streaks.isEmpty {
            let names = streaks.map { "\(Self.label($0)) (\(Self.count($0.streak, "day")))" }
            lines.append("Longest current streaks: \(names.joined(separator: ", ")).")
        }
        if let quiet = figures.quietUsers { lines.append("Quiet users: \(quiet.count).") }
        guard !lines.isEmpty else { return }
        text.append("\n")
        for line in lines { text.append(paragraph: line, width: width) }
        guard !changes.isEmpty else { return }
        text.append("\nSince \(dates.upperBound)\n")
        for line in changes { text.append(paragraph: "- \(line)", width: width) }
    }

    /// The days before the run after a preposition, such as `on 2026-11-19` or `in the week before`.
    private var period: String {
        switch dates.count {
        case 1: "on \(dates.upperBound)"
        case 7: "in the week before"
        default: "in the \(dates.count) days before"
        }
    }

    /// Returns the figures of one user as sentences for the user.
    static func lines(of user: NightlyFigures.User) -> [String] {
        let done =
            user.due == 0
            ? "Nothing was due." : "Done: \(user.done) of \(user.due), \(percent(user.done, of: user.due))."
        let isPeriod = user.events == nil
        let rate = (isPeriod ? user.previousRate : user.rate).map(ShareText.forPeople)
        var lines = [done + (rate.map { isPeriod ? " Before: \($0)." : " Four weeks: \($0)." } ?? "")]
        if user.streak > 0 {
            let title = user.streakTitle.map { "\($0) (\(count(user.streak, "day")))" } ?? count(user.streak, "day")
            lines.append("Longest current streak: \(title).")
        }
        return lines
    }

    private var difference: Int { figures.done - before.done }

    private var change: String { difference > 0 ? "+\(difference)" : difference < 0 ? "\u{2212}\(-difference)" : "0" }

    private var sentence: String {
        difference == 0 ? "as many as" : "\(abs(difference)) \(difference > 0 ? "more" : "fewer") than"
    }

    private func count(_ figures: NightlyFigures) -> String {
        let rate = Self.percent(figures.done, of: figures.due)
        return "\(figures.done) of \(figures.due)" + (rate.isEmpty ? "" : ", \(rate)")
    }

    private static func label(_ user: NightlyFigures.User) -> String {
        (user.streakTitle.map { "\(user.id): \($0)" } ?? user.id).shortened
    }

    /// Returns a number with its noun, such as `1 day` or `2 days`.
    static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

    /// Returns a rounded percentage, or an empty text if nothing was due.
    static func percent(_ done: Int, of due: Int) -> String {
        due == 0 ? "" : ShareText.forPeople(Double(done) / Double(due))
    }
}
