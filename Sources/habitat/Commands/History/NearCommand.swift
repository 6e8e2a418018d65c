import ArgumentParser
import Geo
import HabitIngest
import HabitModel
import HabitStore

struct NearCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "near",
        abstract: "What lies near a place, nearest first, with the distance in metres.",
        discussion: """
            The place is LATITUDE,LONGITUDE in degrees, or 'last' for your newest located event. Distances are those of the \
            WGS 84 geodesic; what lies exactly at the distance is in. An actor sees what --scope all shows; items are those \
            that are available, unless --state says otherwise.

            --centers FILE asks about many places in one run: a CSV file with the columns id, longitude and latitude.

            Examples:
              habitat near 38.7223,-9.1393
              habitat near -41.2924,174.7787 --within 800m --kind events,items,posts
              habitat near 35.0116,135.7681 --nearest 10 --kind posts
              habitat near last --as alice --kind items
            """)

    @Argument(help: ArgumentHelp("LATITUDE,LONGITUDE or 'last'.", valueName: "position"))
    var position: String?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "How near: a number with a unit (default: \(Near.defaultDistance); with --nearest: anywhere).",
            valueName: "distance"))
    var within: String?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("events, items, posts, or several, separated by commas.", valueName: "kinds"))
    var kind = "events"
    @Option(
        parsing: .unconditional, help: ArgumentHelp("The closest ones, this many, however far.", valueName: "number"))
    var nearest: Int?
    @Option(parsing: .unconditional, help: ArgumentHelp("At most this many rows.", valueName: "number"))
    var limit: Int?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "distance, newest or stored: as they lie in the store, the fastest for many.", valueName: "order"))
    var sort = SortOrder.distance
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("A CSV file of places, with the columns id, longitude and latitude.", valueName: "file"))
    var centers: String?
    @Option(
        parsing: .unconditional, help: ArgumentHelp("Only what lies in this box too, in degrees.", valueName: "w,s,e,n")
    )
    var bbox: String?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Items in this state, or all (default: available).", valueName: "state"))
    var state = "available"
    @OptionGroup var events: EventOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    private var emptyNotice: String {
        let others = kind == "events" ? " Only events were looked for: --kind events,items,posts asks for all." : ""
        return "No \(kind) are that near: look further with --within, or ask for --nearest 10.\(others)"
    }

    func run() throws {
        if centers != nil { return try runCenters() }
        guard let position else {
            throw HabitError(.usage, "near needs a place: LATITUDE,LONGITUDE, 'last', or a file of them with --centers")
        }
        try output.show(common, whenEmpty: emptyNotice) { session, viewer, clock in
            let center = try viewer.position(position, option: "position", in: session)
            return try query(viewer, clock).selection(near: Near(center: center, within: try distance()), in: session)
        }
    }

    /// Runs one query for each position of the file, in one snapshot of the store.
    private func runCenters() throws {
        guard position == nil else {
            throw HabitError(.usage, "give a position or --centers, not both", field: "centers")
        }
        guard !output.explain else {
            throw HabitError(
                .usage, "--explain shows the plan of one place: give a position instead of --centers", field: "explain")
        }
        try common.protect([centers ?? ""], from: output.output, option: "output")
        let places = try CenterFile.read(centers ?? "")
        let clock = try common.clock()
        let distance = try distance()
        try common.open(.read).read { session in
            let query = try query(try common.viewer(in: session), clock)
            try output.show(common, whenEmpty: emptyNotice) { begin in
                // The header is shown even if the file is empty.
                let receiver = try begin(query.shape(labelled: "center"))
                try session.fileMapping?.mapFile()
                for place in places {
                    let near = Near(center: place.position, within: distance, label: Label("center", place.id))
                    try receiver.take(try query.selection(near: near, in: session).sql, in: session)
                }
            }
        }
    }

    private func distance() throws -> Distance {
        if let within { return try Parse.distance(within, option: "within") }
        return nearest == nil ? Near.defaultDistance : .farthest
    }

    private func query(_ viewer: Viewer, _ clock: Clock) throws -> NearQuery {
        var eventQuery = EventQuery(viewer: viewer)
        eventQuery.filter = try events.filter()
        eventQuery.columns = try output.columnsRead()
        var items = ItemQuery(viewer: viewer, clock: clock)
        items.states = try ItemStates.parse(state)
        items.users = events.user
        var posts = PostQuery(viewer: viewer)
        posts.users = events.user
        let kinds = try kinds(eventQuery.filter)
        let box = try bbox.map(Parse.box)
        (eventQuery.filter.box, items.box, posts.box) = (box, box, box)
        var query = NearQuery(kinds: kinds, events: eventQuery, items: items, posts: posts)
        query.sort = sort
        query.limit = try Parse.count(limit, option: "limit")
        query.nearest = try Parse.count(nearest, option: "nearest")
        return query
    }

    private func kinds(_ filter: EventFilter) throws -> [NearQuery.Kind] {
        let kinds = try kind.split(separator: ",").map { name in
            guard let kind = NearQuery.Kind(rawValue: String(name)) else {
                throw HabitError(
                    .parameterInvalid, "--kind takes events, items and posts, separated by commas, not '\(name)'",
                    field: "kind")
            }
            return kind
        }
        guard !kinds.isEmpty else {
            throw HabitError(
                .parameterInvalid, "--kind takes events, items and posts, separated by commas", field: "kind")
        }
        var onlyUsers = EventFilter()
        onlyUsers.users = events.user
        guard kinds == [.events] || filter == onlyUsers else {
            throw HabitError(
                .usage,
                "--habit, --not-habit, --comment, --comment-word, --from and --to choose among events alone: leave them out, or ask with --kind events",
                field: "kind")
        }
        return NearQuery.Kind.allCases.filter(kinds.contains)
    }
}
