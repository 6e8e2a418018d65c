import Base
import HabitModel
import Rendering
import StoreEngine

/// The outputs of one report of a nightly run.
///
/// One thread writes the outputs, and other threads can write other reports at the same time. The files of the report are
/// then complete. The other outputs are parts of files with several reports.
final class NightlyReport {
    /// The maximum number of rows of each table in the text summary.
    private static let mostSummaryRows = 500

    /// The figures in the rows of the report.
    let figures = NightlyFigures()
    /// The section of the page, or `nil` if the report is not on the page.
    let section: OverviewSection?
    /// The sections of the pages of the users, or `nil` if the report is not on the page.
    let userSections: NightlyUserSections?
    /// The part of the text summary, which is empty if the report is not in the summary.
    let text = OutputBuffer()
    /// The number of rows.
    private(set) var rowCount = 0
    /// The report with its parameters.
    let run: ReportRun

    private var report: Report { run.report }

    /// Creates the outputs of a report.
    ///
    /// - Parameters:
    ///   - run: The report with its parameters and limits.
    ///   - pages: The pages of the users.
    init(_ run: ReportRun, pages: NightlyUserPages) {
        self.run = run
        let isOnPage = run.report.nightly.contains(.html)
        section = isOnPage ? OverviewSection(run) : nil
        userSections = isOnPage ? pages.target(for: run) : nil
    }

    /// Runs the report and writes its rows to all outputs.
    ///
    /// - Parameters:
    ///   - draft: The folder of the run.
    ///   - session: A session on the state of the store that the report reads.
    /// - Throws: The errors of ``ReportRun/run(in:_:)`` with the ID of the report, or of a write.
    func write(to draft: NightlyRunDraft, in session: any Session) throws {
        var targets: [any RowTarget] = [figures.reader(of: report.id), section, userSections].compactMap(\.self)
        if report.nightly.contains(.text) {
            text.append("\n")
            text.append(paragraph: report.title, width: NightlyRun.summaryWidth)
            targets.append(summaryTable())
        }
        try write(to: targets, and: report.nightlyFiles[...], of: draft, in: session)
    }

    private func summaryTable() -> LimitedTable {
        let renderer = ResultRenderer { [text] in
            try OutputFormat.text.renderer(for: $0, options: NightlyRun.summaryOptions, into: text)
        }
        return LimitedTable(
            renderer, most: Self.mostSummaryRows, into: text, file: report.nightlyFiles.first?.name)
    }

    /// Opens the files one after another, and runs the report when all files are open.
    private func write(
        to targets: [any RowTarget], and files: ArraySlice<Report.NightlyFile>, of draft: NightlyRunDraft,
        in session: any Session
    ) throws {
        guard let file = files.first else {
            rowCount = try run.write(to: targets, in: session)
            return
        }
        let entry = NightlyManifest.File(
            file.name, report: report.id, format: file.format.rawValue, key: report.key, parameters: run.arguments)
        try draft.write(entry) { buffer in
            let target = ResultRenderer { try file.format.renderer(for: $0, into: buffer) }
            try write(to: targets + [target], and: files.dropFirst(), of: draft, in: session)
            return target.rowCount
        }
    }
}

extension Report {
    /// A file of a nightly run that contains only this report.
    struct NightlyFile {
        var name: String
        var format: OutputFormat
    }

    /// The files of a nightly run that contain only this report.
    var nightlyFiles: [NightlyFile] {
        nightly.filter { $0 != .html && $0 != .text }.map { NightlyFile(name: "\(id).\($0.fileEnding)", format: $0) }
    }
}
