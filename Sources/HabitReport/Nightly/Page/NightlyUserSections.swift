import Rendering
import StoreEngine

/// The sections of one report on the pages of the users in a nightly run.
///
/// If the report does not belong on the pages, only the IDs of the users are read from the rows.
final class NightlyUserSections: RowTarget {
    /// Maximum number of rows of each table on the page of a user.
    private static let mostRows = 100

    /// A section on the page of a user.
    struct Section {
        /// The title of the report.
        var title: String
        /// The anchor.
        var id: String
        /// The markup in the spool.
        var content: Range<Int>
    }

    /// The sections by user.
    ///
    /// A user has several sections if the rows of the user are not together.
    private(set) var sections: [String: [Section]] = [:]
    /// The users in the rows.
    private(set) var users: Set<String> = []

    private let run: ReportRun
    private let spool: Spool
    private let isOnPages: Bool
    private var shape = ResultShape(columns: [])
    private var column: Int?
    private var label: Int?
    private var user = ""
    private var current: (renderer: HTMLRenderer, id: String, content: OutputBuffer)?

    /// Creates the target of a report.
    ///
    /// - Parameters:
    ///   - run: The report.
    ///   - spool: Storage for the sections.
    init(_ run: ReportRun, in spool: Spool) {
        self.run = run
        self.spool = spool
        isOnPages = NightlyUserPages.contain(run.report)
    }

    func begin(_ shape: ResultShape) {
        self.shape = shape
        column = shape.columns.first { $0.name == "user" }?.index
        label = shape.columns.first { $0.name == "label" }?.index
    }

    func append(_ row: any Row) throws {
        guard let column else { return }
        let isSame = row.withText(column) { [user] in $0.isEqual(toText: user) } ?? true
        if !isSame {
            try end()
            user = row.text(column) ?? ""
            users.insert(user)
        }
        guard isOnPages, !user.isEmpty else { return }
        if current == nil { try beginSection() }
        try current?.renderer.append(OwnRow(row, label: label, prefix: "\(user): "))
    }

    func end() throws {
        guard let (renderer, id, content) = current else { return }
        try renderer.end()
        let stored = try spool.append(content.contents)
        sections[user, default: []].append(Section(title: run.report.title, id: id, content: stored))
        current = nil
    }

    private func beginSection() throws {
        let content = OutputBuffer()
        var options = RenderOptions()
        options.ratesAsPercent = true
        options.page = run.report.page(run)
        options.page.description = ""
        options.page.parameters = []
        options.page.columns = []
        options.page.charts.removeAll { $0.needsGeometry }
        // The charts show the rows of days completely.
        options.page.mostRows = run.report.key == ["habit"] ? Self.mostRows : 0
        let page = HTMLPage(title: "", subtitle: "", into: content)
        // The heading names the user.
        var shape = shape
        shape.columns.removeAll { $0.name == "user" }
        shape.table.removeAll { $0.name == "user" }
        let count = sections[user]?.count ?? 0
        let id = count == 0 ? run.report.id : "\(run.report.id)-\(count + 1)"
        let renderer = page.section(id, of: shape, options: options)
        try renderer.begin()
        current = (renderer, id, content)
    }
}
