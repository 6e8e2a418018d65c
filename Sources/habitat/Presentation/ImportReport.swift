import Base
import CommandLineText
import HabitIngest
import HabitModel

/// Reports the entries that an import does not store.
///
/// It prints the first 20 rejected entries and the number of further ones. An event that is rejected only because its habit
/// is rejected is counted in the line of the habit. `--rejects` writes all entries to a file.
final class ImportReport {
    private static let shown = 20
    private static let kinds: [RecordKind] = [.habits, .events, .posts]

    private let common: CommonOptions
    private let file: RejectsFile?
    private var count = 0
    /// The number of rejected entries that the printed lines contain.
    private var reportedCount = 0
    private var lineCount = 0
    /// The rejected habits in the order of the input.
    private var habits: [RejectedHabit] = []
    private var habitIndices: [String: Int] = [:]

    /// A rejected habit, whose line follows the lines of other entries.
    private struct RejectedHabit {
        var finding: ImportFinding
        var error: HabitError
        /// The number of events that are rejected only because the habit is rejected.
        var eventCount = 0
    }

    init(_ common: CommonOptions, file: RejectsFile?) {
        self.common = common
        self.file = file
    }

    func add(_ finding: ImportFinding) throws {
        if let error = finding.error {
            count += 1
            if !addToHabit(finding, error), lineCount < Self.shown {
                lineCount += 1
                reportedCount += 1
                show(finding, error)
            }
        }
        try file?.add(finding.row(kinds: Self.kinds), kinds: Self.kinds)
    }

    /// Adds a rejected habit, or an event to its rejected habit.
    ///
    /// - Returns: `false` if the entry has a line of its own. Each entry has one if the errors are JSON.
    private func addToHabit(_ finding: ImportFinding, _ error: HabitError) -> Bool {
        guard common.errors == .text, let id = finding.rejectedHabit else { return false }
        if finding.kind == .habits {
            habitIndices[id] = habits.count
            habits.append(RejectedHabit(finding: finding, error: error))
            return true
        }
        guard let index = habitIndices[id] else { return false }
        habits[index].eventCount += 1
        return true
    }

    /// Prints the first rejected habits, each with the number of its events.
    private func showHabits() {
        for habit in habits.prefix(Self.shown) {
            reportedCount += 1 + habit.eventCount
            let events = habit.eventCount == 1 ? "1 entry" : "\(habit.eventCount) entries"
            let suffix = habit.eventCount > 0 ? ", and \(events) of the habit" : ""
            show(habit.finding, habit.error, suffix: suffix)
        }
        habits = []
        habitIndices = [:]
    }

    private func show(_ finding: ImportFinding, _ error: HabitError, suffix: String = "") {
        var error = error
        // An import shrinks photos by default.
        error.remedies = error.remedies.map { remedy in
            let isShrinking = remedy == .give(.shrinkPhoto)
            return isShrinking ? .advice("shrink it by omitting --no-shrink-photo") : remedy
        }
        let entry = finding.entry.map { number in "entry \(number)" }
        if common.errors == .json {
            let parts = [entry, finding.subject, error.commandText].compactMap(\.self)
            let rejection = HabitError(
                error.code,
                parts.joined(separator: ": "),
                field: finding.field,
                file: finding.file,
                line: finding.line)
            return common.report.writeObject(rejection)
        }
        let line = finding.line.map { number in ":\(number)" }
        let location = finding.file + (line ?? "")
        let problem = "\(error.commandText) (\(finding.slug))\(suffix)"
        let parts = [location, entry, finding.subject, finding.field, problem].compactMap(\.self)
        ErrorReport.line(ErrorReport.clean(parts.joined(separator: ": ")))
    }

    /// Prints the number of further entries and writes the file.
    func finish() throws {
        showHabits()
        if count > reportedCount, common.errors == .text {
            let rest = count - reportedCount
            let remedy = file == nil ? ": pass --rejects FILE to write all of them to a file." : "."
            ErrorReport.line("… and \(rest) more rejected \(rest == 1 ? "entry" : "entries")\(remedy)")
        }
        count = 0
        reportedCount = 0
        lineCount = 0
        try file?.close(kinds: Self.kinds)
    }

    /// Prints the notices of an import or of a dry run, except for those of ``printExceededLimits(_:)``.
    func printNotices(_ summary: ImportSummary, isDryRun: Bool) {
        for notice in summary.notices {
            let remedies = notice.remedies.compactMap(\.commandWords).joined(separator: ", or ")
            common.notice(remedies.isEmpty ? notice.message : "\(notice.message): \(remedies)")
        }
        common.printReplacedTexts(summary.replacedTexts)
        printRaisedLimits(summary, isDryRun: isDryRun)
        let unusedCount = summary.count(.skipped) + summary.count(.rejected)
        if !summary.isExplained, unusedCount > 0, !summary.hasRecords {
            common.notice("No entry became an event or a post: see the column 'reason' of the summary.")
        }
        if summary.skippedWithContent > 0 {
            let entries =
                summary.skippedWithContent == 1
                ? "1 skipped entry has" : "\(summary.skippedWithContent) skipped entries have"
            let them = summary.skippedWithContent == 1 ? "it" : "them"
            let remedy = file == nil ? ": pass --rejects FILE to write \(them) to a file." : "."
            common.notice("\(entries) a note or an amount\(remedy)")
        }
    }

    /// Prints the limits that the import has raised.
    private func printRaisedLimits(_ summary: ImportSummary, isDryRun: Bool) {
        guard !summary.raisedLimits.isEmpty else { return }
        let limits = summary.raisedLimits.map { limit in
            "\(limit.setting.rawValue) from \(limit.oldValue) to \(limit.newValue)"
        }
        common.notice("\(isDryRun ? "The import raises" : "Raised") \(limits.joined(separator: ", ")) characters.")
    }

    /// Prints a line for each limit that texts exceed.
    ///
    /// These lines are the last ones of the standard error.
    func printExceededLimits(_ summary: ImportSummary) {
        for exceeded in summary.exceededLimits {
            let texts =
                exceeded.count == 1
                ? "1 \(exceeded.field.name) exceeds" : "\(exceeded.count) \(exceeded.field.name)s exceed"
            let remedy = exceeded.setting.map {
                ": run 'habitat setting set \($0.rawValue) \(exceeded.longest)'"
            }
            common.notice("\(texts) \(exceeded.limit) characters (longest: \(exceeded.longest))\(remedy ?? "")")
        }
    }
}

extension CommonOptions {
    /// Prints the number of texts of a load in which spaces replace control characters and line breaks.
    func printReplacedTexts(_ count: Int) {
        guard count > 0 else { return }
        let texts = count == 1 ? "1 text" : "\(count) texts"
        notice(
            "Replaced control characters and line breaks by spaces in \(texts), because a name, title, reason or unit is one line."
        )
    }
}
