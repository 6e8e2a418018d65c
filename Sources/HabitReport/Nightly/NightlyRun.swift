import HabitModel
import HabitStore
import Rendering
import StoreEngine

/// A nightly run.
///
/// Each report runs once, and its rows are written in all its nightly formats at the same time.
///
/// The report day ends for each user in the user's own time zone. Before that, a due habit that is not done is open and
/// not missed, and the run is preliminary for the user. Otherwise the files depend only on the store and the report day,
/// whenever the run takes place.
public struct NightlyRun {
    /// The name of the HTML page.
    public static let pageName = "index.html"
    /// The name of the text summary.
    public static let summaryName = "summary.txt"

    /// The name of the files with the alerts, without ending.
    private static let alertsName = "alerts"

    private let reports: [Report]
    private let rules: AlertRules?
    private let days: ClosedRange<Day>
    private let writesDigests: Bool
    private let runClock: Clock
    private let limits: QueryLimits

    /// The result of one report.
    public struct Outcome {
        /// The ID of the report.
        public var report: String
        /// The number of its rows.
        public var rows: Int
    }

    /// Creates a run.
    ///
    /// - Parameters:
    ///   - reports: The reports to run. Reports in the text summary run first, then reports with a GeoJSON file, then
    ///     all others.
    ///   - rules: The alert rules, or `nil` if the run writes no alerts.
    ///   - days: The report day, or the days of a week or month.
    ///   - writesDigests: Whether to write a digest for each user with a habit.
    ///   - runClock: The clock of the run, by which the last day is over for each user.
    ///   - limits: The limits of each query.
    public init(
        _ reports: [Report], alerts rules: AlertRules? = nil, on days: ClosedRange<Day>, writesDigests: Bool = false,
        runClock: Clock, limits: QueryLimits
    ) {
        self.reports = reports.sorted { ($0.nightRank, $0.id) < ($1.nightRank, $1.id) }
        self.rules = rules
        (self.days, self.writesDigests, self.runClock) = (days, writesDigests, runClock)
        self.limits = limits
    }

    /// Runs the reports and writes the files of the run.
    ///
    /// - Parameters:
    ///   - draft: The folder to write to.
    ///   - engine: The engine of the store. All reports read the same state of the store.
    /// - Returns: The result of each report, in the order in which the reports ran.
    /// - Throws: The error of the first report that fails, with the ID of the report, or the error of a write.
    public func fill(_ draft: NightlyRunDraft, from engine: any Engine) throws -> [Outcome] {
        var outcomes: [Outcome] = []
        try draft.write(NightlyManifest.File(Self.pageName, format: OutputFormat.html.rawValue)) { html in
            try draft.write(NightlyManifest.File(Self.summaryName, format: OutputFormat.text.rawValue)) { text in
                outcomes = try engine.read(reports + (rules?.reports ?? []), as: .operator, clock: clock) {
                    try write(draft, html, text, in: $0)
                }
                return nil
            }
            return nil
        }
        if writesDigests {
            let digests = NightlyDigests(
                reports: reports, arguments: { [days] in $0.arguments(of: days) }, clock: clock, limits: limits,
                heading: heading)
            try digests.write(to: draft, from: engine)
        }
        return outcomes
    }

    private var clock: Clock {
        var clock = Clock(now: day.advanced(by: 1).startInUTC, today: day)
        clock.isTodayOver = { [day, runClock] in day < runClock.today(in: $0) }
        return clock
    }

    /// The last day of the run, on which the folder of the run is named.
    private var day: Day { days.upperBound }

    private var heading: String {
        days.count == 1
            ? "Habits on \(Self.weekdays[day.weekday - 1]), \(day)" : "Habits from \(days.lowerBound) to \(day)"
    }
    private static let weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]

    private func write(
        _ draft: NightlyRunDraft, _ html: OutputBuffer, _ text: OutputBuffer, in session: any Session
    ) throws -> [Outcome] {
        let note = Self.note(draft.manifest)
        let sections = reports.filter { $0.nightly.contains(.html) }
        let page = HTMLPage(
            title: heading,
            subtitle: (["Each day is a calendar date in the time zone of the user to whom the row belongs."] + note)
                .joined(separator: " "),
            sections: sections.map { .init($0.title, $0.id) }, into: html)
        try page.begin()
        text.append("\(heading)\n")
        for note in note { text.append("\(note)\n") }
        if let rules { try writeAlerts(of: rules, draft, text, in: session) }
        let outcomes = try reports.map { report in
            do {
                let run = try ReportRun(
                    report, report.arguments(of: days), viewer: .operator, clock: clock, in: session)
                return Outcome(report: report.id, rows: try write(run, draft, page, text, in: session))
            } catch let error as HabitError {
                throw report.naming(error)
            }
        }
        try page.end()
        writeFiles(of: draft, to: text)
        return outcomes
    }

    /// Returns the sentence about the users for whom the report day is not over, or an empty array.
    private static func note(_ manifest: NightlyManifest) -> [String] {
        let users = manifest.preliminary
        guard !users.isEmpty else { return [] }
        let named = users.prefix(5).joined(separator: ", ") + (users.count > 5 ? " and \(users.count - 5) more" : "")
        return ["Preliminary: the day is not over for \(named)."]
    }

    /// Writes the list of the other files to the text summary.
    private func writeFiles(of draft: NightlyRunDraft, to text: OutputBuffer) {
        text.append("\nFiles\n")
        text.append("  \(Self.pageName): all reports as a page for the browser\n")
        for file in draft.manifest.files.sorted(by: { $0.name < $1.name }) {
            text.append("  \(file.name): \(file.rows.map { "\($0) rows" } ?? "")\n")
        }
    }

    // MARK: Alerts

    /// Runs the alert rules, and writes the alerts to their files, the manifest and the text summary.
    private func writeAlerts(
        of rules: AlertRules, _ draft: NightlyRunDraft, _ text: OutputBuffer, in session: any Session
    ) throws {
        let alerts = try rules.alerts(on: day) { report, append in
            do {
                let run = try ReportRun(
                    report, report.arguments(of: days), viewer: .operator, clock: clock, in: session)
                try run.limited(limits).run(in: session) { _ in append }
            } catch let error as HabitError {
                throw report.naming(error)
            }
        }
        draft.manifest.alerts = alerts
        for format in [OutputFormat.csv, .json] {
            let file = NightlyManifest.File(
                "\(Self.alertsName).\(format.fileEnding)", report: Self.alertsName, format: format.rawValue,
                key: NightAlert.shape.identity.map(\.name))
            try draft.write(file) { buffer in
                let target = ResultRenderer { try format.renderer(for: $0, into: buffer) }
                try target.begin(NightAlert.shape)
                for alert in alerts { try target.append(alert.row) }
                try target.end()
                return target.rowCount
            }
        }
        text.append("\nAlerts\n")
        if alerts.isEmpty { text.append("  none\n") }
        for alert in alerts {
            text.append("  \(alert.message)\(alert.raised == day ? "" : " (since \(alert.raised))")\n")
        }
    }

    // MARK: One report

    /// Writes all nightly outputs of a report and returns the number of its rows.
    private func write(
        _ run: ReportRun, _ draft: NightlyRunDraft, _ page: HTMLPage, _ text: OutputBuffer, in session: any Session
    ) throws -> Int {
        let report = run.report
        var targets: [ResultRenderer] = []
        if report.nightly.contains(.html) {
            var options = RenderOptions()
            options.page = report.page(run)
            options.page.links = report.nightFiles.map { .init($0.format.rawValue, $0.name) }
            targets.append(ResultRenderer { page.section(report.id, $0, options) })
        }
        if report.nightly.contains(.text) {
            text.append("\n\(report.title)\n")
            var options = RenderOptions()
            options.ratesAsPercent = true
            targets.append(ResultRenderer { try OutputFormat.text.renderer(for: $0, options: options, into: text) })
        }
        return try write(run, to: targets, and: report.nightFiles[...], draft, in: session)
    }

    /// Opens the files one after another, and runs the report when all files are open.
    private func write(
        _ run: ReportRun, to targets: [ResultRenderer], and files: ArraySlice<Report.NightFile>,
        _ draft: NightlyRunDraft,
        in session: any Session
    ) throws -> Int {
        guard let file = files.first else { return try run.write(to: targets, limits: limits, in: session) }
        var count = 0
        let entry = NightlyManifest.File(
            file.name, report: run.report.id, format: file.format.rawValue, key: run.report.key,
            parameters: run.arguments)
        try draft.write(entry) { buffer in
            let target = ResultRenderer { try file.format.renderer(for: $0, into: buffer) }
            count = try write(run, to: targets + [target], and: files.dropFirst(), draft, in: session)
            return target.rowCount
        }
        return count
    }
}

extension Report {
    /// A file of a nightly run that contains only this report.
    struct NightFile {
        var name: String
        var format: OutputFormat
    }

    /// Returns the arguments of the report for the days of a run: `date`, and `from` if the report has it.
    func arguments(of days: ClosedRange<Day>) -> [String: String] {
        var arguments = ["date": "\(days.upperBound)"]
        if parameters.contains(where: { $0.name == "from" }) { arguments["from"] = "\(days.lowerBound)" }
        return arguments
    }

    var nightRank: Int { nightly.contains(.text) ? 0 : nightly.contains(.geojson) ? 1 : 2 }

    var nightFiles: [NightFile] {
        nightly.filter { $0 != .html && $0 != .text }.map { NightFile(name: "\(id).\($0.fileEnding)", format: $0) }
    }
}
