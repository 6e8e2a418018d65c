import ArgumentParser
import Base
import Geo
import HabitIngest
import HabitModel
import HabitReport
import HabitStore
import StoreEngine

struct NearCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "near",
        abstract: "List events, items and posts near a position.",
        discussion: """
            POSITION is LATITUDE,LONGITUDE in degrees, the name of a large city, or 'last' for the position of your newest \
            located event. Rows \
            are sorted by geodesic distance (WGS 84, meters). Rows at exactly the maximum distance are included. With \
            --as, the result contains only rows that the user can see. Items are limited to available items unless you \
            pass --state.

            To search around many positions in one run, pass --centers with a CSV file that has the columns id, \
            longitude and latitude.

            Examples:
              habitat near 38.7223,-9.1393
              habitat near -41.2924,174.7787 --within 800m --kind events,items,posts
              habitat near 35.0116,135.7681 --nearest 10 --kind posts
              habitat near last --as alice --kind items
            """)

    @Argument(
        help: ArgumentHelp("LATITUDE,LONGITUDE in degrees, a large city, or 'last'.", valueName: "position"),
        completion: .position)
    var position: String?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Maximum distance with a unit, such as 800m (default: \(Near.defaultDistance); unlimited with --nearest).",
            valueName: "distance"), completion: .anyText)
    var within: String?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Kinds of records: events, items, posts, or several separated by commas.", valueName: "kinds"),
        completion: .list(["events", "items", "posts"]))
    var kind = "events"
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Number of closest rows to list, at any distance.", valueName: "number"),
        completion: .anyText)
    var nearest: Int?
    @Option(
        parsing: .unconditional, help: ArgumentHelp("Maximum number of rows.", valueName: "number"),
        completion: .anyText)
    var limit: Int?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Order of rows: distance, newest, or stored (storage order, the fastest for large results).",
            valueName: "order"))
    var sort = SortOrder.distance
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("CSV file of positions, with the columns id, longitude and latitude.", valueName: "file"),
        completion: .file())
    var centers: String?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Bounding box in degrees; combined with the distance limit.", valueName: "w,s,e,n"),
        completion: .anyText)
    var bbox: String?
    @OptionGroup var area: AreaOption
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("State of items, or 'all'.", valueName: "state"),
        completion: .itemState)
    var state = "available"
    @OptionGroup var events: EventOptions
    @OptionGroup var threads: ThreadOption
    @OptionGroup(title: OutputOptions.title) var output: OutputOptions
    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    private var emptyNotice: String {
        let others =
            kind == "events" ? " The search covered only events: pass --kind events,items,posts for all kinds." : ""
        let grid =
            kind.split(separator: ",").contains("items") && common.isForActingUser ? " \(ItemList.positionNotice)" : ""
        return "No \(kind) are within the distance: pass a larger --within or --nearest 10.\(others)\(grid)"
    }

    func run() throws {
        try events.check()
        if centers != nil { return try runCenters() }
        guard let position else {
            throw HabitError(
                .usage, "a position is required: pass LATITUDE,LONGITUDE, 'last', or a file of positions with --centers"
            )
        }
        let area = try area.area(common, output)
        try output.show(common, whenEmpty: emptyNotice) { session, viewer, clock in
            let center = try viewer.position(position, field: "position", places: .commandLine, in: session)
            let near = Near(center: center, within: try distance())
            let query = try query(for: viewer, area: area, clock: clock, in: session)
            return try query.selection(near: near, in: session)
        }
    }

    /// Runs one query for each position of the file, in one snapshot of the store.
    private func runCenters() throws {
        guard position == nil else {
            throw HabitError(
                .usage, "a position and --centers are mutually exclusive: omit one of them", field: "centers")
        }
        guard !output.explain else {
            throw HabitError(
                .usage, "--explain shows the plan of one query: pass a position instead of --centers", field: "explain")
        }
        try common.protect([centers ?? ""], from: output.output, option: "output")
        let centers = try CenterFile.read(centers ?? "")
        let area = try area.area(common, output)
        let clock = try common.clock()
        let distance = try distance()
        try output.showMany(centers.count, common: common, threads: threads, whenEmpty: emptyNotice) { session in
            let viewer = try common.viewer(in: session)
            let query = try query(for: viewer, area: area, clock: clock, in: session)
            return NumberedQueries(
                shape: query.shape(labelled: "center"),
                atOnce: 1,
                sql: { numbers, session in
                    let center = centers[numbers.lowerBound]
                    let label = Label("center", center.id)
                    let near = Near(center: center.position, within: distance, label: label)
                    return try query.selection(near: near, in: session).sql
                }
            )
        }
    }

    private func distance() throws -> Distance {
        if let within { return try Parse.distance(within, field: "within") }
        return nearest == nil ? Near.defaultDistance : .farthest
    }

    private func query(
        for viewer: Viewer, area: Area?, clock: Clock, in session: any Session
    ) throws -> NearQuery {
        var eventQuery = EventQuery(viewer: viewer)
        let today = try events.hasRelativeDays ? clock.today(of: viewer, in: session) : Day(number: 0)
        eventQuery.filter = try events.filter(today: today)
        try events.resolveNames(of: &eventQuery.filter, common.names(for: viewer, in: session))
        let users = eventQuery.filter.users
        eventQuery.columns = try output.columnsRead()
        var items = ItemQuery(viewer: viewer, clock: clock)
        items.states = try ItemQuery.State.list(state)
        items.users = users
        var posts = PostQuery(viewer: viewer)
        posts.users = users
        let kinds = try kinds(eventQuery.filter)
        eventQuery.showsTarget = try kinds == [.events] && output.showsTarget
        let box = try bbox.map(Parse.box)
        eventQuery.filter.box = box
        eventQuery.filter.area = area
        items.box = box
        items.area = area
        posts.box = box
        posts.area = area
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
                    .parameterInvalid, "'\(name)' is not a kind: use events, items and posts, separated by commas",
                    field: "kind")
            }
            return kind
        }
        guard !kinds.isEmpty else {
            throw HabitError(
                .parameterInvalid, "--kind is empty: use events, items and posts, separated by commas", field: "kind")
        }
        var onlyUsers = EventFilter()
        onlyUsers.users = filter.users
        guard kinds == [.events] || filter == onlyUsers else {
            let options = EventOptions.names.filter { $0 != "--user" }
            throw HabitError(
                .usage,
                "\(options.dropLast().joined(separator: ", ")) and \(options.last ?? "") apply only to events: omit them, or pass --kind events",
                field: "kind")
        }
        return NearQuery.Kind.allCases.filter(kinds.contains)
    }
}
