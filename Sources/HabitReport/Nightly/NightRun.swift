import HabitModel
import HabitStore
import Rendering
import StoreEngine

/// The reports of one night: each runs once, and is written in all of its nightly formats at the same time.
///
/// The report day is over, for everybody alike; so the same store gives the same bytes whenever the night is made.
public struct NightRun {
    public static let pageName = "index.html"
    public static let summaryName = "summary.txt"

    private let reports: [Report]
    private let day: Day
    private let limits: QueryLimits

    /// What one report has come to.
    public struct Outcome {
        public var report: String
        public var rows: Int
    }

    /// - Parameter reports: those that take part: first what is in the summary, then what is on a map.
    public init(_ reports: [Report], on day: Day, limits: QueryLimits) {
        self.reports = reports.sorted { ($0.nightRank, $0.id) < ($1.nightRank, $1.id) }
        self.day = day
        self.limits = limits
    }

    /// Writes the files of the night.
    ///
    /// - Throws: the error of the first report that fails, which names it; what writing throws.
    public func fill(_ draft: NightDraft, from engine: any Engine) throws -> [Outcome] {
        var outcomes: [Outcome] = []
        try draft.write(NightManifest.File(Self.pageName, format: OutputFormat.html.rawValue)) { html in
            try draft.write(NightManifest.File(Self.summaryName, format: OutputFormat.text.rawValue)) { text in
                outcomes = try engine.read(reports, as: .operator, clock: clock) {
                    try write(draft, html, text, in: $0)
                }
                return nil
            }
            return nil
        }
        return outcomes
    }

    private var clock: Clock {
        var clock = Clock(now: Instant(microseconds: (Int64(day.number) + 1) * 86_400_000_000), today: day)
        clock.isTodayOver = true
        return clock
    }

    private var heading: String { "\(Self.weekdays[day.weekday - 1]), \(day)" }
    private static let weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]

    private func write(
        _ draft: NightDraft, _ html: OutputBuffer, _ text: OutputBuffer, in session: any Session
    ) throws -> [Outcome] {
        let sections = reports.filter { $0.nightly.contains(.html) }
        let page = HTMLPage(
            title: "Habits on \(heading)",
            subtitle: "Each day is a calendar date in the time zone of the user to whom the row belongs.",
            sections: sections.map { .init($0.title, $0.id) }, into: html)
        try page.begin()
        text.append("Habits on \(heading)\n")
        let outcomes = try reports.map { report in
            do {
                let run = try ReportRun(
                    report, ["date": "\(day)"], viewer: .operator, clock: clock, in: session)
                return Outcome(report: report.id, rows: try write(run, draft, page, text, in: session))
            } catch let error as HabitError {
                throw Self.naming(report, error)
            }
        }
        try page.end()
        writeFiles(of: draft, to: text)
        return outcomes
    }

    private static func naming(_ report: Report, _ error: HabitError) -> HabitError {
        var error = error
        error.message = "the report '\(report.id)' failed, and so the night: \(error.message)"
        return error
    }

    /// What else there is to look at.
    private func writeFiles(of draft: NightDraft, to text: OutputBuffer) {
        text.append("\nFiles\n")
        text.append("  \(Self.pageName): all of it, to be opened in a browser\n")
        for file in draft.manifest.files.sorted(by: { $0.name < $1.name }) {
            text.append("  \(file.name): \(file.rows.map { "\($0) rows" } ?? "")\n")
        }
    }

    // MARK: One report

    /// Gives the number of its rows.
    private func write(
        _ run: ReportRun, _ draft: NightDraft, _ page: HTMLPage, _ text: OutputBuffer, in session: any Session
    ) throws -> Int {
        let report = run.report
        var targets: [NightTarget] = []
        if report.nightly.contains(.html) {
            var options = RenderOptions()
            options.page = try report.page(run)
            options.page.links = report.nightFiles.map { .init($0.format.rawValue, $0.name) }
            targets.append(NightTarget { page.section(report.id, $0, options) })
        }
        if report.nightly.contains(.text) {
            text.append("\n\(report.title)\n")
            var options = RenderOptions()
            options.ratesAsPercent = true
            targets.append(NightTarget { try OutputFormat.text.renderer(for: $0, options: options, into: text) })
        }
        return try write(run, to: targets, and: report.nightFiles[...], draft, in: session)
    }

    /// Opens one file after the other, and runs the report when all are open.
    private func write(
        _ run: ReportRun, to targets: [NightTarget], and files: ArraySlice<Report.NightFile>, _ draft: NightDraft,
        in session: any Session
    ) throws -> Int {
        guard let file = files.first else { return try execute(run, targets, in: session) }
        var count = 0
        let entry = NightManifest.File(
            file.name, report: run.report.id, format: file.format.rawValue, key: run.report.key,
            parameters: run.arguments)
        try draft.write(entry) { buffer in
            let target = NightTarget { try file.format.renderer(for: $0, into: buffer) }
            count = try write(run, to: targets + [target], and: files.dropFirst(), draft, in: session)
            return target.rowCount
        }
        return count
    }

    private func execute(_ run: ReportRun, _ targets: [NightTarget], in session: any Session) throws -> Int {
        var run = run
        run.query.limits = limits
        if let end = limits.whenStuck {
            let report = run.report
            run.query.limits.whenStuck = { end(Self.naming(report, $0)) }
        }
        var count = 0
        try run.run(in: session) { shape in
            for target in targets { try target.begin(shape) }
            return { row in
                count += 1
                for target in targets { try target.append(row) }
            }
        }
        for target in targets { try target.end() }
        return count
    }
}

/// One of the places to which a report's rows go.
private final class NightTarget {
    private let make: (ResultShape) throws -> any Renderer
    private var renderer: (any Renderer)?

    init(_ make: @escaping (ResultShape) throws -> any Renderer) { self.make = make }

    var rowCount: Int { renderer?.rowCount ?? 0 }

    func begin(_ shape: ResultShape) throws {
        renderer = try make(shape)
        try renderer?.begin()
    }

    func append(_ row: any Row) throws { try renderer?.append(row) }
    func end() throws { try renderer?.end() }
}

extension Report {
    /// A file that the report has to itself in a night.
    struct NightFile {
        var name: String
        var format: OutputFormat
    }

    var nightRank: Int { nightly.contains(.text) ? 0 : nightly.contains(.geojson) ? 1 : 2 }

    var nightFiles: [NightFile] {
        nightly.filter { $0 != .html && $0 != .text }.map { NightFile(name: "\(id).\($0.fileEnding)", format: $0) }
    }
}
