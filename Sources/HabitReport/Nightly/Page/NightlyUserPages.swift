import Base
import HabitModel
import HabitStore
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
    private let spool: Spool
    private var sections: [String: [NightlyUserSections.Section]] = [:]
    /// The users with a page: all users in the rows of the nightly reports on the page.
    private var users: Set<String> = []

    /// Creates the pages.
    ///
    /// - Parameter spool: Storage for the sections of all pages.
    init(_ spool: Spool) { self.spool = spool }

    /// Returns the name of the page of a user.
    static func name(of user: String) -> String {
        prefix + FileNameEncoding.encode(user) + ".html"
    }

    /// Whether a file of a nightly run is the page of a user.
    static func isPage(_ name: String) -> Bool {
        name.hasPrefix(prefix) && name.hasSuffix(".html")
    }

    /// Whether the rows of a report belong on the pages of the users.
    static func contain(_ report: Report) -> Bool {
        guard report.nightly.contains(.html), report.key.first == "habit" else { return false }
        return report.columns.contains { $0.name == "user" }
    }

    /// Returns a target for the rows of a report.
    ///
    /// Several threads can call this at the same time.
    func target(for run: ReportRun) -> NightlyUserSections { NightlyUserSections(run, in: spool) }

    /// Adds the sections of a report after those of the earlier reports.
    func append(_ report: NightlyUserSections) {
        users.formUnion(report.users)
        sections.merge(report.sections, uniquingKeysWith: +)
    }

    /// Writes a page for each user, and the list of the users.
    ///
    /// - Parameters:
    ///   - draft: The folder of the run.
    ///   - dates: The dates of the run after a preposition, such as `on Friday, 2026-11-20`.
    ///   - links: Returns the links from a page with this name to the same page of the runs before and after.
    ///   - figures: The figures of the run.
    ///   - session: The session of the caller.
    ///   - crew: Other threads, which write a part of the pages.
    /// - Throws: The error of a write.
    func write(
        to draft: NightlyRunDraft,
        dates: String,
        links: @escaping (String) -> [RenderOptions.PageContent.Entry],
        _ figures: NightlyFigures,
        in session: any Session,
        crew: ReadCrew
    ) throws {
        var statistics: [String: NightlyFigures.User] = [:]
        for user in figures.users ?? [] where statistics[user.id] == nil {
            statistics[user.id] = user
        }
        let all = users.union(statistics.keys).sorted { one, other in
            one.utf8.lexicographicallyPrecedes(other.utf8)
        }
        try crew.run(all.count, in: session) { [self, statistics] index, _ in
            let user = all[index]
            let name = Self.name(of: user)
            try draft.write(.init(name, format: OutputFormat.html.rawValue)) { buffer in
                try write(user, figures: statistics[user], dates: dates, links: links(name), into: buffer)
                return nil
            }
            return {}
        }
        try draft.write(.init(Self.listName, format: OutputFormat.html.rawValue)) { buffer in
            let users = all.map { (id: $0, figures: statistics[$0]) }
            let list = NightlyUserList(dates: dates, users: users, links: links(Self.listName))
            try list.write(into: buffer)
            return nil
        }
    }

    /// Writes the page of a user.
    private func write(
        _ user: String,
        figures: NightlyFigures.User?,
        dates: String,
        links: [RenderOptions.PageContent.Entry],
        into buffer: OutputBuffer
    ) throws {
        let own = sections[user] ?? []
        let name = figures?.name.map { "\($0) (\(user))" } ?? user
        var page = HTMLPage(
            title: NightlyText.Users.page(of: name, dates),
            subtitle: "",
            sections: own.map { .init($0.title, $0.id) },
            into: buffer)
        page.navigation = links
        page.navigation.append(.init(NightlyText.Frame.overview, NightlyRun.pageName))
        page.navigation.append(.init(NightlyText.Frame.allUsers, Self.listName))
        try page.begin()
        if let figures { page.append(NightlyUserList.tiles(figures)) }
        if own.isEmpty { page.append("<p class=\"empty\">\(NightlyText.Users.noRows)</p>\n") }
        for section in own {
            let content = try spool.read(section.content)
            buffer.append(content.span)
            try buffer.flushIfFull()
        }
        try page.end()
    }
}
