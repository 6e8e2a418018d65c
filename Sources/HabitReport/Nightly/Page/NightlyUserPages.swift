import HabitModel
import Rendering
import StoreEngine

/// The pages of the users in a nightly run.
///
/// The page of a user has the user's rows of each report on habits: a report with the columns `user` and `habit` whose
/// key begins with `habit`. Each report runs once for all users. Its rows should be sorted by user. If the rows of a user
/// are not together, the page has several sections of the report.
final class NightlyUserPages {
    /// The beginning of the name of each page.
    ///
    /// The encoded ID of the user and `.html` follow.
    static let prefix = "user-"
    /// The name of the list of all users.
    static let listName = "users.html"
    /// Maximum number of rows of each table on the page of a user.
    private static let mostRows = 100

    private let spool: Spool
    private var sections: [String: [Section]] = [:]
    /// The users with a page: all users in the rows of the nightly reports on the page.
    private var users: Set<String> = []

    private struct Section {
        var title: String
        var id: String
        var content: Range<Int>
    }

    /// Creates the pages.
    ///
    /// - Parameter spool: Storage for the sections of all pages.
    init(_ spool: Spool) { self.spool = spool }

    /// Returns the name of the page of a user.
    static func name(of user: String) -> String { prefix + FileNameEncoding.encode(user) + ".html" }

    /// Whether a file of a nightly run is the page of a user.
    static func isPage(_ name: String) -> Bool { name.hasPrefix(prefix) && name.hasSuffix(".html") }

    /// Whether the rows of a report belong on the pages of the users.
    static func contain(_ report: Report) -> Bool {
        report.nightly.contains(.html) && report.key.first == "habit"
            && report.columns.contains { $0.name == "user" }
    }

    /// Returns a target for the rows of a report: a section on the page of each user, or only the names of the users.
    func target(for run: ReportRun) -> any RowTarget { Target(run, pages: self) }

    /// Writes a page for each user, and the list of the users.
    ///
    /// - Parameters:
    ///   - draft: The folder of the run.
    ///   - dates: The dates of the run after a preposition, such as `on Friday, 2026-11-20`.
    ///   - links: Returns the links from a page with this name to the same page of the runs before and after.
    ///   - figures: The figures of the run.
    /// - Throws: The error of a write.
    func write(
        to draft: NightlyRunDraft, dates: String, links: (String) -> [RenderOptions.Page.Entry],
        _ figures: NightlyFigures
    ) throws {
        let statistics = Dictionary(
            (figures.users ?? []).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let all = users.union(statistics.keys).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        for user in all {
            try draft.write(.init(Self.name(of: user), format: OutputFormat.html.rawValue)) { buffer in
                try write(user, statistics[user], dates: dates, links(Self.name(of: user)), into: buffer)
                return nil
            }
        }
        try draft.write(.init(Self.listName, format: OutputFormat.html.rawValue)) { buffer in
            let users = all.map { (id: $0, figures: statistics[$0]) }
            try NightlyUserList(dates: dates, users: users, links: links(Self.listName)).write(into: buffer)
            return nil
        }
    }

    private func write(
        _ user: String, _ figures: NightlyFigures.User?, dates: String, _ links: [RenderOptions.Page.Entry],
        into buffer: OutputBuffer
    ) throws {
        let own = sections[user] ?? []
        let name = figures?.name.map { "\($0) (\(user))" } ?? user
        var page = HTMLPage(
            title: "\(name) \(dates)", subtitle: "", sections: own.map { .init($0.title, $0.id) }, into: buffer)
        page.navigation = links + [.init("Overview", NightlyRun.pageName), .init("All users", Self.listName)]
        try page.begin()
        if let figures { page.append(NightlyUserList.tiles(figures)) }
        if own.isEmpty { page.append("<p class=\"empty\">No rows of this user.</p>\n") }
        for section in own {
            let content = try spool.read(section.content)
            buffer.append(content.span)
            try buffer.flushIfFull()
        }
        try page.end()
    }

    /// Returns an anchor for the next section of a report on the page of a user.
    private func newID(of report: Report, for user: String) -> String {
        let same = (sections[user] ?? []).filter { $0.title == report.title }.count
        return same == 0 ? report.id : "\(report.id)-\(same + 1)"
    }

    /// A target that writes the rows of consecutive users to sections.
    private final class Target: RowTarget {
        private let pages: NightlyUserPages
        private let run: ReportRun
        private let isOnPages: Bool
        private var shape = ResultShape(columns: [])
        private var column: Int?
        private var label: Int?
        private var user = ""
        private var section: (id: String, renderer: HTMLRenderer, buffer: OutputBuffer)?

        init(_ run: ReportRun, pages: NightlyUserPages) {
            (self.run, self.pages) = (run, pages)
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
                pages.users.insert(user)
            }
            guard isOnPages, !user.isEmpty else { return }
            if section == nil { try beginSection() }
            try section?.renderer.append(OwnRow(row, label: label, prefix: "\(user): "))
        }

        func end() throws {
            guard let section else { return }
            try section.renderer.end()
            let content = try pages.spool.append(section.buffer.contents)
            pages.sections[user, default: []].append(.init(title: run.report.title, id: section.id, content: content))
            self.section = nil
        }

        private func beginSection() throws {
            let buffer = OutputBuffer()
            var options = RenderOptions()
            options.ratesAsPercent = true
            options.page = run.report.page(run)
            options.page.description = ""
            options.page.parameters = []
            options.page.columns = []
            options.page.charts.removeAll { $0.needsGeometry }
            // The charts show the rows of days completely.
            options.page.mostRows = run.report.key == ["habit"] ? NightlyUserPages.mostRows : 0
            let page = HTMLPage(title: "", subtitle: "", into: buffer)
            // The heading names the user.
            var shape = shape
            shape.columns.removeAll { $0.name == "user" }
            shape.table.removeAll { $0 == "user" }
            let id = pages.newID(of: run.report, for: user)
            let renderer = page.section(id, shape, options)
            try renderer.begin()
            section = (id, renderer, buffer)
        }
    }
}
