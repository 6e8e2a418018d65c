import ArgumentParser
import HabitIngest
import HabitModel
import HabitStore
import StoreEngine

struct History: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "Habit events, newest first, through any combination of filters.",
        discussion: """
            An actor sees their own events (--scope mine), the newest of each habit of each friend (friends), or their own \
            and all that friends share (all). The operator sees everybody's.

            GeoJSON leaves events without a place out, unless --include-unlocated is given.

            --users FILE and --terms FILE ask many questions in one run.

            Examples:
              habitat history --as alice --limit 10
              habitat history --as alice --scope friends
              habitat history --comment chuva --from 2026-11-01
              habitat history --near 38.7223,-9.1393 --within 1km --sort distance --format geojson
              habitat history --scope friends --users users.txt --format csv
            """)

    @Option(parsing: .unconditional, help: ArgumentHelp("mine, friends or all (default: mine).", valueName: "scope"))
    var scope: EventQuery.Scope?
    @OptionGroup var events: EventOptions
    @OptionGroup var place: LocationOptions
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Ask as each of these users, with the column viewer first: a file with an id a line.", valueName: "file"))
    var users: String?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Ask for each of these texts in the comment, with the column term first: a file with one a line.",
            valueName: "file"))
    var terms: String?
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        if users != nil || terms != nil { return try runMany() }
        try output.show(common, whenEmpty: emptyNotice) { session, viewer, _ in
            try query(viewer, in: session).selection(in: session)
        }
    }

    private func query(_ viewer: Viewer, in session: any Session) throws -> EventQuery {
        if scope == .friends, viewer == .operator {
            throw HabitError(
                .notSignedIn, "--scope friends is about your friends: say who you are with --as", field: "scope")
        }
        var query = EventQuery(viewer: viewer)
        query.scope = scope ?? .mine
        query.filter = try events.filter()
        query.filter.near = try place.near(for: viewer, in: session)
        query.filter.box = try place.box()
        query.sort = place.sort ?? .newest
        query.limit = try place.rowLimit()
        query.columns = try output.columnsRead()
        return query
    }

    // MARK: Many queries in one snapshot of the store

    private func runMany() throws {
        guard !output.explain else {
            throw HabitError(
                .usage, "--explain shows the plan of one question: leave --users and --terms out", field: "explain")
        }
        let file = try LineFile.read(try onlyFile(), keepingEmpty: terms != nil)
        try common.protect([users, terms].compactMap(\.self), from: output.output, option: "output")
        try common.open(.read).read { session in
            let viewer = try common.viewer(in: session)
            guard users == nil || viewer == .operator else {
                throw HabitError(
                    .operatorOnly, "--users asks as others: leave --as and HABITAT_USER out, or add --operator",
                    field: "users")
            }
            try output.show(common, whenEmpty: emptyNotice) { begin in
                // The header is shown even if the file is empty.
                var any = EventQuery(viewer: viewer)
                any.columns = try output.columnsRead()
                let receiver = try begin(
                    any.shape(labelled: users != nil ? "viewer" : "term", near: place.near != nil))
                try session.fileMapping?.mapFile()
                for line in file {
                    try receiver.take(try question(line, viewer, in: session).selection(in: session).sql, in: session)
                }
            }
        }
    }

    private func onlyFile() throws -> String {
        switch (users, terms) {
        case (let users?, nil): return users
        case (nil, let terms?) where events.comment == nil && events.commentWord == nil: return terms
        case (nil, _?): throw HabitError(.usage, "give --terms or --comment, not both", field: "terms")
        default: throw HabitError(.usage, "give --users or --terms, not both", field: "users")
        }
    }

    private func question(_ line: LineFile.Line, _ viewer: Viewer, in session: any Session) throws -> EventQuery {
        do {
            if users != nil {
                var query = try query(.user(named: line.text, in: session), in: session)
                query.label = Label("viewer", line.text)
                return query
            }
            var query = try query(viewer, in: session)
            query.filter.comment = try Parse.searchText(line.text, option: "terms")
            query.label = Label("term", line.text)
            return query
        } catch var error as HabitError {
            error.message = "\(line.place): \(error.message)"
            throw error
        }
    }

    private var looksAtOwn: Bool { scope == nil && common.isForActor }

    private var emptyNotice: String {
        get throws {
            if scope == .friends {
                return "No events of friends: see whom you follow with 'habitat user list', or ask with another filter."
            }
            return try events.filter() == EventFilter() && place.near == nil && place.bbox == nil
                ? "No events yet: load some with 'habitat ingest PATH'."
                : "No events match: widen the filters\(looksAtOwn ? ", or look beyond your own with --scope all" : "")."
        }
    }
}
