import ArgumentParser
import Base
import Geo
import HabitIngest
import HabitModel
import HabitReport
import HabitStore
import StoreEngine

struct History: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "List habit events, newest first, with combined filters.",
        discussion: """
            With --as, --scope selects the events: mine (your own events), friends (the newest event of each habit of \
            the users you follow) or all (your own events and all events shared with you). The operator sees the \
            events of all users.

            GeoJSON output omits events without a position unless you pass --include-unlocated.

            --users FILE and --terms FILE run one query for each line of the file and write the rows of all queries to \
            one result.

            Examples:
              habitat history --as alice --limit 10
              habitat history --as alice --scope friends
              habitat history --comment chuva --from 2026-11-01
              habitat history --near 38.7223,-9.1393 --within 1km --sort distance \\
                --format geojson
              habitat history --within-area district.geojson --limit 10
              habitat history --scope friends --users users.txt --format csv
            """)

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Events to list: mine, friends or all (default: mine).", valueName: "scope"))
    var scope: EventQuery.Scope?
    @OptionGroup var events: EventOptions
    @OptionGroup var location: LocationOptions
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "File with one user ID per line; runs the query as each user and adds the column viewer.", valueName: "file"
        ), completion: .file())
    var users: String?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "File with one text per line; runs the query with each text as --comment and adds the column term.",
            valueName: "file"), completion: .file())
    var terms: String?
    @OptionGroup var threads: ThreadOption
    @OptionGroup(title: OutputOptions.title) var output: OutputOptions
    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    func run() throws {
        try events.check()
        let area = try location.area.area(common, output)
        if users != nil || terms != nil { return try runMany(area) }
        try output.show(common, whenEmpty: emptyNotice) { session, viewer, _ in
            try query(viewer, area, in: session).selection(in: session)
        }
    }

    /// Returns the current date of the viewer, or any date if no option refers to it.
    private func today(of viewer: Viewer, in session: any Session) throws -> Day {
        try events.hasRelativeDays ? common.clock().today(of: viewer, in: session) : Day(number: 0)
    }

    private func query(_ viewer: Viewer, _ area: Area?, in session: any Session) throws -> EventQuery {
        if scope == .friends, viewer == .operator {
            throw HabitError(
                .notSignedIn, "--scope friends requires a user: pass --as USER", field: "scope")
        }
        var query = try uncheckedQuery(viewer, area, in: session)
        try events.resolveNames(of: &query.filter, common.names(for: viewer, in: session))
        return query
    }

    /// Returns the query of the options, without a check of the viewer and a lookup of names.
    private func uncheckedQuery(_ viewer: Viewer, _ area: Area?, in session: any Session) throws -> EventQuery {
        var query = EventQuery(viewer: viewer)
        query.scope = scope ?? .mine
        query.filter = try events.filter(today: today(of: viewer, in: session))
        query.filter.near = try location.near(for: viewer, in: session)
        query.filter.box = try location.box()
        query.filter.area = area
        query.sort = location.sort ?? .newest
        query.limit = try location.rowLimit()
        query.columns = try output.columnsRead()
        query.showsTarget = try output.showsTarget
        return query
    }

    // MARK: Many queries in one snapshot of the store

    private func runMany(_ area: Area?) throws {
        guard !output.explain else {
            throw HabitError(
                .usage, "--explain shows the plan of one query: omit --users and --terms", field: "explain")
        }
        let path = try onlyFile()
        let lines = try LineFile.read(path, keepingEmpty: terms != nil)
        try common.protect([users, terms].compactMap(\.self), from: output.output, option: "output")
        try output.showMany(lines.count, common: common, threads: threads, whenEmpty: emptyNotice) { session in
            let viewer = try common.viewer(in: session)
            guard users == nil || viewer == .operator else {
                throw HabitError(
                    .operatorOnly, "only the operator can use --users: omit --as and HABITAT_USER, or add --operator",
                    field: "users")
            }
            var any = EventQuery(viewer: viewer)
            any.columns = try output.columnsRead()
            any.showsTarget = try output.showsTarget
            let friends = try friendsQuery(in: session)
            let label = users != nil ? "viewer" : "term"
            return NumberedQueries(
                shape: any.shape(labelled: label, near: location.near != nil),
                atOnce: friends?.viewersAtOnce(in: session) ?? 1,
                sql: { numbers, session in
                    if let friends, numbers.count > 1 {
                        let viewers = try viewers(lines[numbers], of: path, in: session)
                        return try friends.selection(of: viewers, in: session).sql
                    }
                    let line = lines[numbers.lowerBound]
                    let query = try naming(line, of: path) {
                        try question(line, viewer: viewer, area: area, in: session)
                    }
                    return try query.selection(in: session).sql
                }
            )
        }
    }

    /// Returns the query for the events of the friends of all users of the file, or `nil` if each user has a query.
    private func friendsQuery(in session: any Session) throws -> FriendsQuery? {
        guard users != nil, scope == .friends, !location.selectsArea, !events.hasRelativeDays else { return nil }
        return FriendsQuery(try uncheckedQuery(.operator, nil, in: session))
    }

    /// Returns the users of some lines of the file `path`.
    private func viewers(
        _ lines: ArraySlice<LineFile.Line>, of path: String, in session: any Session
    ) throws -> [LabeledViewer] {
        let known = try Viewer.users(named: lines.map(\.text), in: session)
        return try lines.map { line in
            let label = Label("viewer", line.text)
            let viewer =
                try known[line.text.composed] ?? naming(line, of: path) { try .user(named: line.text, in: session) }
            return LabeledViewer(viewer, label: label)
        }
    }

    private func onlyFile() throws -> String {
        switch (users, terms) {
        case (let users?, nil): return users
        case (nil, let terms?) where events.comment == nil && events.commentWord == nil: return terms
        case (nil, _?):
            throw HabitError(
                .usage, "--terms and the filters --comment and --comment-word are mutually exclusive: omit one of them",
                field: "terms")
        default:
            throw HabitError(.usage, "--users and --terms are mutually exclusive: omit one of them", field: "users")
        }
    }

    private func question(
        _ line: LineFile.Line, viewer: Viewer, area: Area?, in session: any Session
    ) throws -> EventQuery {
        if users != nil {
            var query = try query(.user(named: line.text, in: session), area, in: session)
            query.label = Label("viewer", line.text)
            return query
        }
        var query = try query(viewer, area, in: session)
        query.filter.comment = try Parse.searchText(line.text, field: "terms")
        query.label = Label("term", line.text)
        return query
    }

    /// Runs `body` and adds the file and the line to its error.
    private func naming<Result>(
        _ line: LineFile.Line, of path: String, _ body: () throws -> Result
    ) throws -> Result {
        do {
            return try body()
        } catch var error as HabitError {
            error.file = path
            error.line = line.number
            throw error
        }
    }

    private var looksAtOwn: Bool { scope == nil && common.isForActingUser }

    private var emptyNotice: String {
        if scope == .friends {
            return
                "No events of followed users match: change the filters, or list the users you follow with 'habitat follow list'."
        }
        guard events.isEmpty, !location.selectsArea else {
            return
                "No events match: change the filters\(looksAtOwn ? ", or include events of other users with --scope all" : "")."
        }
        return common.isForActingUser
            ? "No events found: record one with 'habitat event add --habit HABIT'."
            : "No events found: load data with 'habitat ingest PATH'."
    }
}
