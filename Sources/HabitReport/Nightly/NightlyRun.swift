import Base
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
    /// The maximum number of names of users whose day is not over.
    private static let mostNamed = 5

    /// The name of the files with the alerts, without ending.
    private static let alertsName = "alerts"

    /// Returns whether a nightly report cannot have this ID, because the files or the page of a run use the name.
    static func isReserved(_ id: String) -> Bool {
        let files = [NightlyManifest.name, NightlyDigests.listName]
        let stems = files.compactMap { $0.split(separator: ".").first }
        if stems.contains(id[...]) { return true }
        let names = [alertsName, NightlyHeadline.changesAnchor]
        return names.contains(id) || NightlyDigests.isDigest(id)
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
        _ reports: [Report],
        alerts rules: AlertRules? = nil,
        on days: ClosedRange<Day>,
        writesDigests: Bool = false,
        runClock: Clock,
        limits: QueryLimits
    ) {
        self.reports = reports.sorted { one, other in
            (one.nightRank, one.id) < (other.nightRank, other.id)
        }
        self.rules = rules
        self.days = days
        self.writesDigests = writesDigests
        self.runClock = runClock
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
            reports: reports,
            arguments: { [days] report in report.arguments(of: days) },
            clock: clock,
            limits: limits,
            heading: heading)
        let all = reports + (rules?.reports ?? [])
        let digestsAreSeparate = !all.allSatisfy(\.isShipped)
        return try draft.stoppingQueries(of: team) {
            if writesDigests, digestsAreSeparate { try digests.write(to: draft, from: team.engine) }
            return try team.read(all, as: .operator, clock: clock) { session, crew in
                if writesDigests, !digestsAreSeparate { try digests.write(to: draft, in: session, crew: crew) }
                return try write(draft, in: session, crew: crew)
            }
        }
    }

    /// Returns a clock by which a day is the current date, and is over if it is over by the clock of the run.
    private func clock(of day: Day) -> Clock {
        var clock = Clock(now: day.advanced(by: 1).startInUTC, today: day)
        clock.countsTodayAsOver = { [runClock] zone in day < runClock.today(in: zone) }
        return clock
    }

    /// The last day of the run, on which the folder of the run is named.
    private var day: Day { days.upperBound }
    /// The same number of days before the run, with which the figures are compared, or `nil` before the first date.
    private var daysBefore: ClosedRange<Day>? {
        let first = days.lowerBound.advanced(by: -days.count)
        let last = days.lowerBound.advanced(by: -1)
        return Day("\(first)") == nil ? nil : first...last
    }

    private var heading: String { NightlyText.Run.heading(dates) }
    private var dates: String {
        guard days.count == 1 else {
            return NightlyText.Run.dates(from: days.lowerBound.description, to: day.description)
        }
        let weekday = DateNames.weekdays[day.weekday - 1]
        return NightlyText.Run.onDay(day.description, weekday: weekday)
    }

    /// A task of a run, which any thread can do in its session.
    ///
    /// It returns a closure that the caller's thread runs after the closures of all earlier tasks.
    private typealias Task = (any Session) throws -> () throws -> Void

    private func write(_ draft: NightlyRunDraft, in session: any Session, crew: ReadCrew) throws -> [Outcome] {
        let parts = Parts(draft, users: NightlyUserPages(try draft.makeSpool()))
        var tasks = try alertTasks(parts, in: session)
        tasks += try reportTasks(parts, in: session)
        tasks += try figureTasks(parts, in: session)
        try crew.run(tasks.count, in: session) { [tasks] index, session in
            try tasks[index](session)
        }
        draft.manifest.alerts = parts.alerts
        if rules != nil { try writeAlerts(to: draft) }
        if parts.figures.users != nil {
            draft.manifest.figures = ["due": parts.figures.due, "done": parts.figures.done]
        }
        try parts.users.write(
            to: draft,
            dates: dates,
            links: { [day] page in NightlyIndex.links(of: day, to: page) },
            parts.figures,
            in: session,
            crew: crew)
        let headline = NightlyHeadline(parts.figures, before: parts.figuresBefore, on: daysBefore ?? days)
        try draft.write(NightlyManifest.File(Self.summaryName, format: OutputFormat.text.rawValue)) { text in
            write(parts, headline, to: text)
            return nil
        }
        try draft.write(NightlyManifest.File(Self.pageName, format: OutputFormat.html.rawValue)) { html in
            try write(parts, headline, toPage: html)
            return nil
        }
        return parts.outcomes
    }

    /// Returns the tasks that find the alerts.
    private func alertTasks(_ parts: Parts, in session: any Session) throws -> [Task] {
        guard let rules else { return [] }
        return try rules.reports.map { rule in
            let run = try run(rule, on: days, in: session)
            return { [day] session in
                let found = try rules.alerts(of: run, on: day, in: session)
                return { parts.alerts += found }
            }
        }
    }

    /// Returns the tasks that write the reports.
    private func reportTasks(_ parts: Parts, in session: any Session) throws -> [Task] {
        try reports.map { report in
            let run = try run(report, on: days, in: session)
            let nightlyReport = NightlyReport(run, pages: parts.users)
            return { session in
                try nightlyReport.write(to: parts.draft, in: session)
                return { parts.append(nightlyReport) }
            }
        }
    }

    /// Returns the tasks that read the figures of the days before.
    private func figureTasks(_ parts: Parts, in session: any Session) throws -> [Task] {
        guard let daysBefore else { return [] }
        return try reports.compactMap { report in
            let figures = NightlyFigures()
            guard let reader = figures.reader(of: report.id) else { return nil }
            let run = try run(report, on: daysBefore, in: session)
            return { session in
                try run.write(to: [reader], in: session)
                return { parts.figuresBefore.append(figures) }
            }
        }
    }

    /// Returns the run of a report on some days.
    private func run(_ report: Report, on days: ClosedRange<Day>, in session: any Session) throws -> ReportRun {
        do {
            let clock = clock(of: days.upperBound)
            let arguments = report.arguments(of: days)
            let run = try ReportRun(report, arguments, viewer: .operator, clock: clock, in: session)
            return run.limited(limits)
        } catch let error as HabitError {
            throw report.naming(error)
        }
    }

    /// The parts of the page, of the summary and of the pages of the users, and the results of the tasks.
    private final class Parts {
        let draft: NightlyRunDraft
        let users: NightlyUserPages
        let figures = NightlyFigures()
        /// The figures of the days before.
        let figuresBefore = NightlyFigures()
        var alerts: [NightlyAlert] = []
        private(set) var outcomes: [Outcome] = []
        private(set) var sections: [(link: RenderOptions.PageContent.Entry, section: OverviewSection)] = []
        let tables = OutputBuffer()

        init(_ draft: NightlyRunDraft, users: NightlyUserPages) {
            self.draft = draft
            self.users = users
        }

        /// Adds the parts of a report after those of the earlier reports.
        func append(_ report: NightlyReport) {
            let id = report.run.report.id
            figures.append(report.figures)
            if let section = report.section {
                sections.append((.init(report.run.report.title, id), section))
            }
            if let userSections = report.userSections {
                users.append(userSections)
            }
            tables.append(report.text.contents.span)
            outcomes.append(Outcome(report: id, rows: report.rowCount))
        }
    }

    private func write(_ parts: Parts, _ headline: NightlyHeadline, toPage output: OutputBuffer) throws {
        let note = Self.note(parts.draft.manifest)
        let alerts = list(of: parts.draft.manifest.alerts)
        // A section without charts and rows is omitted.
        let sections = parts.sections.filter { !$0.section.isOmitted }
        var links: [RenderOptions.PageContent.Entry] = []
        if !alerts.isEmpty { links.append(.init(NightlyText.Alerts.title, AlertList.anchor)) }
        links += sections.map(\.link)
        let sentences = [NightlyText.Run.dayNote] + note
        var page = HTMLPage(
            title: heading,
            subtitle: sentences.joined(separator: " "),
            sections: links,
            into: output)
        page.navigation = NightlyIndex.links(of: day, to: Self.pageName)
        page.navigation.append(.init(NightlyText.Frame.allUsers, NightlyUserPages.listName))
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
        if rules != nil {
            let alerts = list(of: parts.draft.manifest.alerts)
            alerts.append(to: text, width: Self.summaryWidth)
        }
        headline.append(to: text, width: Self.summaryWidth)
        let tables = parts.tables.contents
        text.append(tables.span)
        writeFiles(of: parts.draft, to: text)
    }

    /// Returns the sentence about the users whose day is not over, or an empty array without such users.
    private static func note(_ manifest: NightlyManifest) -> [String] {
        let users = manifest.preliminary
        guard !users.isEmpty else { return [] }
        let named = users.prefix(mostNamed).joined(separator: ", ")
        let more = users.count - mostNamed
        guard more > 0 else { return [NightlyText.Run.preliminary(named)] }
        return [NightlyText.Run.preliminaryWithMore(named, more: more)]
    }

    /// Writes the list of the other files to the text summary.
    private func writeFiles(of draft: NightlyRunDraft, to text: OutputBuffer) {
        func line(_ entry: String) {
            text.append(paragraph: "- \(entry)", width: Self.summaryWidth)
        }
        text.append("\n\(NightlyText.Run.files)\n")
        line(NightlyText.Run.page(Self.pageName))
        let pageCount = draft.manifest.files.count { NightlyUserPages.isPage($0.name) }
        if pageCount > 0 {
            line(NightlyText.Run.userPages("\(NightlyUserPages.prefix)ID.html", count: pageCount))
        }
        let others = draft.manifest.files.filter { file in
            !NightlyUserPages.isPage(file.name) && !NightlyDigests.isDigest(file.name)
        }
        for file in others.sorted(by: { one, other in one.name < other.name }) {
            if let rows = file.rows {
                line(NightlyText.Run.fileRows(file.name, count: rows))
            } else {
                line(file.name)
            }
        }
    }

    // MARK: Alerts

    /// Writes the files with the alerts of the manifest.
    private func writeAlerts(to draft: NightlyRunDraft) throws {
        for format in [OutputFormat.csv, .json] {
            let file = NightlyManifest.File(
                "\(Self.alertsName).\(format.fileEnding)",
                report: Self.alertsName,
                format: format.rawValue,
                key: NightlyAlert.shape.identity.map(\.name))
            try draft.write(file) { buffer in
                let target = ResultRenderer { try format.renderer(for: $0, into: buffer) }
                try target.begin(NightlyAlert.shape)
                for alert in draft.manifest.alerts { try target.append(alert.row) }
                try target.end()
                return target.rowCount
            }
        }
    }

    private func list(of alerts: [NightlyAlert]) -> AlertList {
        AlertList(alerts, on: day, file: "\(Self.alertsName).\(OutputFormat.csv.fileEnding)")
    }

    /// The options of tables in the text summary and in the texts of digests.
    static var summaryOptions: RenderOptions {
        var options = RenderOptions()
        options.showsAllColumns = true
        options.width = summaryWidth
        return options
    }
}

extension Report {
    /// Returns the arguments of the report for the days of a run: `date`, and `from` if the report has it.
    func arguments(of days: ClosedRange<Day>) -> [String: String] {
        var arguments = ["date": "\(days.upperBound)"]
        if parameters.contains(where: { $0.name == "from" }) {
            arguments["from"] = "\(days.lowerBound)"
        }
        return arguments
    }

    /// The position in a run: texts first, of these the reports on users first, then reports with positions.
    var nightRank: Int {
        if nightly.contains(.text) { return key == ["user"] ? 0 : 1 }
        return nightly.contains(.geojson) ? 2 : 3
    }
}
