import ArgumentParser
import HabitModel
import HabitStore

struct History: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Habit events, newest first, through any combination of filters.",
        discussion: """
            An actor sees their own events (--scope mine), the newest of each habit of each friend (friends), or their own \
            and all that friends share (all). The operator sees everybody's.

            GeoJSON leaves events without a place out, unless --include-unlocated is given.

            Examples:
              habitat history --as alice --limit 10
              habitat history --as alice --scope friends
              habitat history --comment chuva --from 2026-11-01
              habitat history --near 38.7223,-9.1393 --within 1km --sort distance --format geojson
            """)

    @Option(parsing: .unconditional, help: ArgumentHelp("mine, friends or all (default: mine).", valueName: "scope"))
    var scope: EventQuery.Scope?
    @OptionGroup var events: EventOptions
    @OptionGroup var place: PlaceOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        try output.show(common, whenEmpty: emptyNotice) { session, viewer, _ in
            if scope == .friends, viewer == .operator {
                throw HabitError(
                    .notSignedIn, "--scope friends is about your friends: say who you are with --as", field: "scope")
            }
            var query = EventQuery(viewer: viewer)
            query.scope = scope ?? .mine
            try events.apply(to: &query)
            query.near = try place.near(for: viewer, in: session)
            query.box = try place.box()
            query.sort = place.sort ?? .newest
            query.limit = try place.rowLimit()
            return try query.selection(in: session)
        }
    }

    private var emptyNotice: String {
        if scope == .friends {
            return "No events of friends: see whom you follow with 'habitat user list', or ask with another filter."
        }
        return events.isEmpty && place.near == nil && place.bbox == nil
            ? "No events yet: load some with 'habitat ingest PATH'."
            : "No events match: widen the filters\(scope == nil ? ", or look beyond your own with --scope all" : "")."
    }
}

extension EventQuery.Scope: ExpressibleByArgument {}
