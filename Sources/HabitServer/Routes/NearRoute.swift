import HTTPTypes
import HabitModel
import HabitReport
import HabitStore
import Hummingbird
import Rendering
import StoreEngine

/// The route for events, items and posts near a position in one response.
extension HabitatServer {
    func addNear(to router: Router<HabitContext>) { router.route("near", [.get: near]) }

    /// The sort orders of the list, the usual one first.
    static let nearSorts: [SortBy] = [.distance, .newest]

    private func near(_ request: Request, _ context: HabitContext) async throws -> Response {
        let viewer = try await authenticator.caller(of: request).viewer()
        let parameters = try RequestParameters(request, known: FeatureParameter.ofNear.map(\.rawValue))
        guard parameters[.near] != nil else {
            throw HabitError(
                .parameterMissing, "a position is required: add near=LONGITUDE,LATITUDE or near=last", field: "near")
        }
        let list = try FeatureRequest(parameters, sorts: Self.nearSorts, accept: request.headers[.accept])
        guard list.scope == nil || list.kinds == [.events] else {
            throw Problem.invalid("scope", "'scope' applies only to events: omit it, or send kind=events")
        }
        let (clock, encoding) = (options.clock(), ContentEncoding(for: request))
        let tag = { @Sendable [run] (version: Int64) in
            EntityTag(of: [
                run, "\(version)", Caller.viewer(viewer).name, "near", parameters.canonical, list.form.rawValue,
                clock.quarter,
            ]).encoded(encoding)
        }
        let known = tag(try pool.version())
        if known.matches(ifNoneMatch: request) { return notModified(known) }
        return try await respond(encoding, context, for: Requester(viewer), streams: false) { session, version, begin in
            let request = try list.located(for: viewer, in: session)
            guard let near = request.filter.near else { throw HabitError(.internal, "the request has no position") }
            let selection = try NearQuery(request, viewer, clock).selection(near: near, in: session)
            var options = RenderOptions()
            options.precision = request.precision
            let format: OutputFormat = request.form == .csv ? .csv : .geojson
            let output = try begin([.eTag: tag(version).text, .contentType: format.mediaType.text])
            let renderer = try format.renderer(for: selection.shape, options: options, into: output)
            try renderer.begin()
            try session.query(selection.sql) { row in
                try renderer.append(row)
                return true
            }
            try renderer.end()
        }
    }
}

extension NearQuery {
    /// Creates the query of a request.
    ///
    /// A signed-in user sees scope `all`, as on the command line.
    fileprivate init(_ request: FeatureRequest, _ viewer: Viewer, _ clock: Clock) {
        var events = EventQuery(viewer: viewer)
        (events.scope, events.filter.users) = (request.scope ?? .all, request.filter.users)
        var items = ItemQuery(viewer: viewer, clock: clock)
        (items.states, items.users) = ([.available], request.filter.users)
        var posts = PostQuery(viewer: viewer)
        posts.users = request.filter.users
        self.init(kinds: request.kinds, events: events, items: items, posts: posts)
        (limit, nearest) = (request.page.limit, request.nearest)
        sort = request.sort == .newest ? .newest : .distance
    }
}
