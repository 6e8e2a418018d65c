import ArgumentParser
import Foundation
import HabitModel
import HabitReport
import HabitStore
import Rendering
import StoreEngine

struct Nightly: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "nightly",
        abstract: "Render the reports of one day into a folder: for mail, spreadsheets, maps and a browser.",
        discussion: """
            A night is a folder OUTPUT/DATE with summary.txt, index.html, a CSV or GeoJSON file for each report that takes \
            part (its header says 'nightly'), and manifest.json. It appears when it is complete; the link 'latest' leads to \
            the newest. The same store and date give the same bytes. 'yesterday' is that of --time-zone (default: UTC).

            --diff compares two nights, by their dates or folders, and says what changed.

            Examples:
              habitat nightly --output nights
              habitat nightly --output nights --date 2026-11-20 --quiet
              habitat nightly --output nights --since 2026-11-14 --keep 30 --time-zone Europe/Lisbon
              habitat nightly --output nights --diff 2026-11-19 2026-11-20 --format csv
            """)

    enum LogFormat: String, ExpressibleByArgument, CaseIterable { case text, json }

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The folder of the nights; made where missing.", valueName: "folder"))
    var output: String

    @OptionGroup var access: SharingOption

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Which day, one that is over: YYYY-MM-DD, yesterday, today-7 (default: yesterday).", valueName: "date"))
    var date: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The nights that are missing from this day on, too.", valueName: "date"))
    var since: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Remove all nights but the newest ones, this many, and the one made now.", valueName: "number"))
    var keep: Int?

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp("Say what changed from one night to another, and render nothing.", valueName: "night night"))
    var diff: [String] = []

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("How --diff is written.", valueName: "format"))
    var format: OutputFormat?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("How the log on stderr is written: text or json.", valueName: "form"))
    var logFormat = LogFormat.text

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("How long the engine may work on each report, such as 5s or 2m.", valueName: "time"))
    var timeout = "60s"

    @OptionGroup var reports: ReportOptions
    @OptionGroup var analyst: AnalystOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        try common.requireOperator("nightly")
        guard diff.isEmpty else { return try showDifference() }
        guard format == nil else {
            throw HabitError(
                .usage, "--format belongs to --diff: a report's own header says how a night is written", field: "format"
            )
        }
        if let keep, keep < 1 {
            throw HabitError(.parameterInvalid, "--keep must be 1 or more, not \(keep)", field: "keep")
        }
        let days = try self.days()
        let chosen = try nightlyReports()
        let engine = try common.openForAnalysis(analyst)
        let limits = try QueryOptions.limits(timeout, common)
        let nights = try NightFolder(output, sharing: access.sharing)
        let writer = try nights.lock()
        let missing = try since == nil ? [] : nights.missing(since: days.lowerBound, through: days.upperBound)
        for day in missing where day != days.upperBound { try make(day, chosen, engine, limits, writer) }
        try make(days.upperBound, chosen, engine, limits, writer)
        if let keep {
            for day in try writer.keep(keep, and: days.upperBound) { log("removed", day) }
        }
    }

    /// The time zone of the report days.
    ///
    /// It is the same for all users.
    private var zone: String { common.timeZone ?? "UTC" }

    /// Returns the first and the last day for which reports are requested.
    ///
    /// Both are relative to the same current date.
    ///
    /// - Throws: `date-invalid` if a day is invalid or not over, or if the range is longer than 3660 days.
    private func days() throws -> ClosedRange<Day> {
        let today = try common.clock().today(in: .utc)
        let last = try Parse.day(date ?? "yesterday", option: "date", today: today)
        guard last < today else {
            throw HabitError(
                .dateInvalid, "\(last) is not over yet: name a day up to \(today.advanced(by: -1))", field: "date")
        }
        let first = try since.map { try Parse.day($0, option: "since", today: today) } ?? last
        guard first <= last else {
            throw HabitError(.dateInvalid, "--since \(first) is after \(last): name an earlier day", field: "since")
        }
        guard first.distance(to: last) <= 3660 else {
            throw HabitError(
                .dateInvalid, "--since \(first) is more than ten years of nights: name a later day", field: "since")
        }
        return first...last
    }

    /// Returns the reports of the nightly run.
    ///
    /// - Throws: The error of an unreadable report, because the report might belong to the run.
    private func nightlyReports() throws -> [Report] {
        try reports.catalog().all().map { try $0.report.get() }.filter { !$0.nightly.isEmpty }
    }

    private func make(
        _ day: Day, _ reports: [Report], _ engine: any Engine, _ limits: QueryLimits, _ writer: NightWriter
    ) throws {
        let start = ContinuousClock.now
        var outcomes: [NightRun.Outcome] = []
        try writer.publish(day, timeZone: zone, version: Habitat.configuration.version) { draft in
            outcomes = try NightRun(reports, on: day, limits: limits).fill(draft, from: engine)
        }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        log("made", day, outcomes, seconds: (seconds * 1000).rounded() / 1000)
    }

    // MARK: Log

    private func log(_ event: String, _ day: Day, _ outcomes: [NightRun.Outcome] = [], seconds: Double? = nil) {
        let rows = outcomes.reduce(0) { $0 + $1.rows }
        guard logFormat == .json else {
            let detail = seconds.map { ": \(outcomes.count) reports, \(rows) rows, \($0) s" } ?? ""
            return common.notice("Night \(day) \(event)\(detail)")
        }
        guard !common.quiet else { return }
        var object: [String: Any] = ["level": "info", "event": "night-\(event)", "night": "\(day)"]
        if let seconds {
            object["seconds"] = seconds
            object["rows"] = rows
            object["reports"] = Dictionary(uniqueKeysWithValues: outcomes.map { ($0.report, $0.rows) })
        }
        let data = try? JSONSerialization.data(withJSONObject: object, options: [.sortedKeys, .withoutEscapingSlashes])
        if let data { ErrorReport.line(String(decoding: data, as: UTF8.self)) }
    }

    // MARK: Difference

    private func showDifference() throws {
        guard diff.count == 2, date == nil, since == nil, keep == nil else {
            throw HabitError(
                .usage, "--diff takes two nights and nothing else: --diff 2026-11-19 2026-11-20", field: "diff")
        }
        let format = format ?? .text
        let rows = try NightDiff(from: diff[0], to: diff[1], in: NightFolder(output, forReading: true)).rows()
        let buffer = OutputBuffer(try OutputDestination.standardOutput.open())
        let renderer = try format.renderer(for: NightDiff.shape, into: buffer)
        try renderer.begin()
        for row in rows { try renderer.append(row) }
        try renderer.end()
        try buffer.close()
        if rows.isEmpty { common.notice("The nights are alike.") }
    }
}
