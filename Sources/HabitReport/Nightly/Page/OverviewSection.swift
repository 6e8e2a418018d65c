import Rendering
import StoreEngine

/// A section of the page of a nightly run, whose size does not depend on the number of rows.
///
/// A report with several rows for each habit has a section with charts if it has only a few habits. Otherwise only the
/// pages of the users show it.
final class OverviewSection: RowTarget {
    /// Maximum number of habits of a section with a drawing for each habit.
    private static let mostHabits = 12
    /// Maximum number of rows of each table.
    static let mostRows = 100
    private static let mostBars = 40

    /// The content of the section after its end.
    private(set) var content = OutputBuffer()
    /// Whether the report has rows of too many habits, so that the section is empty.
    private(set) var isOmitted = false
    private let report: Report
    private var options = RenderOptions()
    private var renderer: HTMLRenderer?
    private var shape = ResultShape(columns: [])
    private var habits: Set<String> = []
    /// The index of the column with the habit if the report has several rows for each habit, otherwise `nil`.
    private var habitColumn: Int?

    /// Creates the section of a report.
    init(_ run: ReportRun) {
        report = run.report
        options.ratesAsPercent = true
        options.page = report.page(run)
        options.page.links = report.nightlyFiles.map { .init($0.format.rawValue, $0.name) }
        options.page.mostRows = Self.mostRows
        options.page.mostBars = Self.mostBars
        // All reports of the page have the same date.
        options.page.parameters.removeAll { $0.name == "date" }
        options.page.cellLinks = .init(column: "user", prefix: NightlyUserPages.prefix)
    }

    func begin(_ shape: ResultShape) throws {
        self.shape = shape
        if NightlyUserPages.contain(report), report.key.count > 1 {
            habitColumn = shape.columns.first { $0.name == "habit" }?.index
            options.page.mostRows = 0
        }
        renderer = HTMLPage(title: "", subtitle: "", into: content).section(report.id, of: shape, options: options)
        try renderer?.begin()
    }

    func append(_ row: any Row) throws {
        if isOmitted { return }
        if let habitColumn {
            row.text(habitColumn).map { _ = habits.insert($0) }
            if habits.count > Self.mostHabits { return omit() }
        }
        try renderer?.append(row)
    }

    func end() throws { try renderer?.end() }

    private func omit() {
        isOmitted = true
        renderer = nil
        content = OutputBuffer()
    }
}
