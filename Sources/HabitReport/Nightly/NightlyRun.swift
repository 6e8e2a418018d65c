import HabitModel
import HabitStore
import Rendering
import StoreEngine

/// A nightly run.
///
/// Each report runs once, and its rows are written in all its nightly formats at the same time. The reports of figures
/// run again for the days before, because a run depends only on the store and not on earlier runs.
///
/// The report day ends for each user in the user's own time zone. Before that, a due habit that is not done is open and
/// not missed, and the run is preliminary for the user. Otherwise the files depend only on the store and the report day,
/// whenever the run takes place.
public struct NightlyRun {
    /// The name of the HTML page.
    public static let pageName = "index.html"
    /// The name of the text summary.
    public static let summaryName = "summary.txt"
    /// The maximum width of a line of the text summary, in terminal columns.
    static let summaryWidth = 78
    /// The maximum number of rows of each table in the text summary.
    private static let mostSummaryRows = 500

    /// The name of the files with the alerts, without ending.
    private static let alertsName = "alerts"

    /// Returns whether a nightly report cannot have this ID, because the files or the page of a run use the name.
    static func isReserved(_ id: String) -> Bool {
        let files = [NightlyManifest.name, NightlyDigests.listName].compactMap { $0.split(separator: ".").first }
        return files.contains(id[...]) || [alertsName, NightlyHeadline.changesAnchor].contains(id)
            || NightlyDigests.isDigest(id)
    }

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
    /// All reports read the same state of the store. If a report is not embedded in the program, each digest reads the
    /// state at its own time.
    ///
    /// - Parameters:
    ///   - draft: The folder to write to.
    ///   - team: The connections to the store.
    /// - Returns: The result of each report, in the order in which the reports ran.
    /// - Throws: The error of the first report that fails, with the ID of the report, or the error of a write.
    public func fill(_ draft: NightlyRunDraft, from team: ReadTeam) throws -> [Outcome] {
        let clock = clock(of: day)
        let digests = NightlyDigests(
            reports: reports, arguments: { [days] in $0.arguments(of: days) }, clock: clock, limits: limits,
            heading: heading)
        guard (reports + (rules?.reports ?? [])).allSatisfy(\.isShipped) else {
            if writesDigests { try digests.write(to: draft, from: team.engine) }
            return try team.read({ try $0.analyze(as: .operator, clock: clock, $1) }) {
                try write(draft, in: $0, crew: $1)
            }
        }
        return try team.read { session, crew in
            if writesDigests { try digests.write(to: draft, in: session, crew: crew) }
            return try write(draft, in: session, crew: crew)
        }
    }

    /// Returns a clock by which a day is the current date, and is over if it is over by the clock of the run.
    private func clock(of day: Day) -> Clock {
        var clock = Clock(now: day.advanced(by: 1).startInUTC, today: day)
        clock.isTodayOver = { [runClock] in day < runClock.today(in: $0) }
        return clock
    }

    /// The last day of the run, on which the folder of the run is named.
    private var day: Day { days.upperBound }
    /// The same number of days before the run, with which the figures are compared, or `nil` before the first date.
    private var daysBefore: ClosedRange<Day>? {
        let (first, last) = (days.lowerBound.advanced(by: -days.count), days.lowerBound.advanced(by: -1))
        return Day("\(first)") == nil ? nil : first...last
    }

    private var heading: String { "Habits \(dates)" }
    private var dates: String {
        days.count == 1
            ? "on \(Self.weekdays[day.weekday - 1]), \(day)" : "from \(days.lowerBound) to \(day)"
    }
    static let weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
    static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    private func write(_ draft: NightlyRunDraft, in session: any Session, crew: ReadCrew) throws -> [Outcome] {
        let parts = Parts(draft, users: NightlyUserPages(try draft.makeSpool()))
        let alerts = rules?.reports ?? []
        let earlier = daysBefore == nil ? [] : reports.filter { NightlyFigures().reader(of: $0.id) != nil }
        let queue = ReportQueue(
            try (alerts + reports).map { try run($0, on: days, in: session) }
                + earlier.map { try run($0, on: daysBefore ?? days, in: session) }, crew)
        defer { queue.end() }
        var queued = queue.reports[...]
        if let rules { try writeAlerts(of: rules, queued.prefix(alerts.count), draft, parts.alerts, in: session) }
        queued = queued.dropFirst(alerts.count)
        let outcomes = try queued.prefix(reports.count).map { report in
            Outcome(report: report.run.report.id, rows: try write(report, parts, in: session))
        }
        if parts.figures.users != nil {
            draft.manifest.figures = ["due": parts.figures.due, "done": parts.figures.done]
        }
        try parts.users.write(
            to: draft, dates: dates, links: { [day] in NightlyIndex.links(of: day, to: $0) }, parts.figures)
        let before = NightlyFigures()
        for report in queued.dropFirst(reports.count) {
            guard let reader = before.reader(of: report.run.report.id) else { continue }
            try report.write(to: [reader], in: session)
        }
        let headline = NightlyHeadline(parts.figures, before: before, on: daysBefore ?? days)
        try draft.write(NightlyManifest.File(Self.summaryName, format: OutputFormat.text.rawValue)) { text in
            write(parts, headline, to: text)
            return nil
        }
        try draft.write(NightlyManifest.File(Self.pageName, format: OutputFormat.html.rawValue)) { html in
            try write(parts, headline, toPage: html)
            return nil
        }
        return outcomes
    }

    /// Returns the run of a report on some days.
    private func run(_ report: Report, on days: ClosedRange<Day>, in session: any Session) throws -> ReportRun {
        do {
            let clock = clock(of: days.upperBound)
            return try ReportRun(report, report.arguments(of: days), viewer: .operator, clock: clock, in: session)
                .limited(limits)
        } catch let error as HabitError {
            throw report.naming(error)
        }
    }

    /// The parts of the page and of the summary, which are complete only after the last report.
    private final class Parts {
        let draft: NightlyRunDraft
        let users: NightlyUserPages
        let figures = NightlyFigures()
        var sections: [(link: RenderOptions.Page.Entry, section: OverviewSection)] = []
        let tables = OutputBuffer()
        let alerts = OutputBuffer()

        init(_ draft: NightlyRunDraft, users: NightlyUserPages) { (self.draft, self.users) = (draft, users) }
    }

    private func write(_ parts: Parts, _ headline: NightlyHeadline, toPage output: OutputBuffer) throws {
        let note = Self.note(parts.draft.manifest)
        let alerts = list(of: parts.draft.manifest.alerts)
        // A section without charts and rows is omitted.
        let sections = parts.sections.filter { !$0.section.isOmitted }
        let links = (alerts.isEmpty ? [] : [.init("Alerts", AlertList.anchor)]) + sections.map(\.link)
        var page = HTMLPage(
            title: heading,
            subtitle: (["Each day is a calendar date in the time zone of the user to whom the row belongs."] + note)
                .joined(separator: " "),
            sections: links, into: output)
        page.navigation =
            NightlyIndex.links(of: day, to: Self.pageName) + [.init("All users", NightlyUserPages.listName)]
        try page.begin()
        page.append(headline.html(alerts: alerts.html))
        for (_, section) in sections {
            let content = section.content.contents
            output.append(content.span)
        }
        try page.end()
    }

    private func write(_ parts: Parts, _ headline: NightlyHeadline, to text: OutputBuffer) {
        text.append("\(heading)\n")
        for note in Self.note(parts.draft.manifest) {
            text.append(paragraph: note, width: Self.summaryWidth, indent: 0)
        }
        let alerts = parts.alerts.contents
        text.append(alerts.span)
        headline.append(to: text, width: Self.summaryWidth)
        let tables = parts.tables.contents
        text.append(tables.span)
        writeFiles(of: parts.draft, to: text)
    }

    /// Returns the sentence about the users whose day is not over, or an empty array if there are none.
    private static func note(_ manifest: NightlyManifest) -> [String] {
        let users = manifest.preliminary
        guard !users.isEmpty else { return [] }
        let named = users.prefix(5).joined(separator: ", ") + (users.count > 5 ? " and \(users.count - 5) more" : "")
        return ["Preliminary: the day is not over for \(named)."]
    }

    /// Writes the list of the other files to the text summary.
    private func writeFiles(of draft: NightlyRunDraft, to text: OutputBuffer) {
        func line(_ entry: String) { text.append(paragraph: "- \(entry)", width: Self.summaryWidth) }
        text.append("\nFiles\n")
        line("\(Self.pageName): the page for the browser")
        let (pages, others) = (
            draft.manifest.files.filter { NightlyUserPages.isPage($0.name) },
            draft.manifest.files.filter { !NightlyUserPages.isPage($0.name) }
        )
        if !pages.isEmpty { line("\(NightlyUserPages.prefix)ID.html: the pages of the users (\(pages.count))") }
        for file in others.sorted(by: { $0.name < $1.name }) where !NightlyDigests.isDigest(file.name) {
            line(file.name + (file.rows.map { ": \($0) \($0 == 1 ? "row" : "rows")" } ?? ""))
        }
    }

    // MARK: Alerts

    /// Runs the alert rules, and writes the alerts to their files, the manifest and the text summary.
    private func writeAlerts(
        of rules: AlertRules, _ reports: ArraySlice<QueuedReport>, _ draft: NightlyRunDraft, _ text: OutputBuffer,
        in session: any Session
    ) throws {
        var queued = reports
        let alerts = try rules.alerts(on: day) { report, append in
            do {
                try queued.popFirst()?.receive(in: session) { _ in append }
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
        list(of: alerts).append(to: text, width: Self.summaryWidth)
    }

    private func list(of alerts: [NightAlert]) -> AlertList {
        AlertList(alerts, on: day, file: "\(Self.alertsName).\(OutputFormat.csv.fileEnding)")
    }

    // MARK: One report

    /// Writes all nightly outputs of a report and returns the number of its rows.
    private func write(_ queued: QueuedReport, _ parts: Parts, in session: any Session) throws -> Int {
        let (run, report) = (queued.run, queued.run.report)
        var targets: [any RowTarget] = []
        if let reader = parts.figures.reader(of: report.id) { targets.append(reader) }
        if report.nightly.contains(.html) {
            let section = OverviewSection(run)
            parts.sections.append((.init(report.title, report.id), section))
            targets += [section, parts.users.target(for: run)]
        }
        if report.nightly.contains(.text) {
            parts.tables.append("\n")
            parts.tables.append(paragraph: report.title, width: Self.summaryWidth)
            targets.append(table(of: report, parts))
        }
        return try write(queued, to: targets, and: report.nightFiles[...], parts.draft, in: session)
    }

    /// The options of tables in the text summary and in the texts of digests.
    static var summaryOptions: RenderOptions {
        var options = RenderOptions()
        (options.ratesAsPercent, options.wraps, options.width) = (true, true, summaryWidth)
        return options
    }

    private func table(of report: Report, _ parts: Parts) -> LimitedTable {
        let renderer = ResultRenderer {
            try OutputFormat.text.renderer(for: $0, options: Self.summaryOptions, into: parts.tables)
        }
        return LimitedTable(
            renderer, most: Self.mostSummaryRows, into: parts.tables, file: report.nightFiles.first?.name)
    }

    /// Opens the files one after another, and runs the report when all files are open.
    private func write(
        _ queued: QueuedReport, to targets: [any RowTarget], and files: ArraySlice<Report.NightFile>,
        _ draft: NightlyRunDraft, in session: any Session
    ) throws -> Int {
        guard let file = files.first else { return try queued.write(to: targets, in: session) }
        var count = 0
        let entry = NightlyManifest.File(
            file.name, report: queued.run.report.id, format: file.format.rawValue, key: queued.run.report.key,
            parameters: queued.run.arguments)
        try draft.write(entry) { buffer in
            let target = ResultRenderer { try file.format.renderer(for: $0, into: buffer) }
            count = try write(queued, to: targets + [target], and: files.dropFirst(), draft, in: session)
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

    /// The position in a run: texts first, of these the reports on users first, then reports with positions.
    var nightRank: Int { nightly.contains(.text) ? (key == ["user"] ? 0 : 1) : nightly.contains(.geojson) ? 2 : 3 }

    var nightFiles: [NightFile] {
        nightly.filter { $0 != .html && $0 != .text }.map { NightFile(name: "\(id).\($0.fileEnding)", format: $0) }
    }
}
