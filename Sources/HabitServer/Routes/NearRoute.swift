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
        let parameters = try RequestParameters(
            request, known: FeatureParameter.ofNear.map(\.rawValue), repeatable: FeatureParameter.repeatable)
        guard parameters[.near] != nil else {
            throw HabitError(
                .parameterMissing, "a position is required: add near=LONGITUDE,LATITUDE or near=last", field: "near")
        }
        let list = try FeatureRequest(parameters, sorts: Self.nearSorts, accept: request.headers[.accept])
        if list.kinds != [.events], let name = FeatureParameter.onlyOfEvents.first(where: { parameters[$0] != nil }) {
            throw Problem.invalid(
                name.rawValue, "'\(name.rawValue)' applies only to events: omit it, or send kind=events")
        }
        let (clock, encoding) = (options.clock(), ContentEncoding(for: request))
        let photos = try nearPhotos(parameters, list, viewer, clock, base(of: request))
        let tag = { @Sendable (state: StoreState) in
            EntityTag(
                of: [
                    state.text, Caller.viewer(viewer).name, "near", parameters.canonical, list.form.rawValue,
                    clock.quarter,
                ] + (photos?.signer).tagParts
            ).encoded(encoding)
        }
        let known = tag(try pool.state())
        if known.matches(ifNoneMatch: request) { return notModified(known) }
        return try await respond(encoding, context, for: Requester(viewer), on: .requests) { session, state, begin in
            let request = try list.located(for: viewer, in: session)
            guard let near = request.filter.near else { throw HabitError(.internal, "the request has no position") }
            var query = NearQuery(request, viewer, clock)
            query.showsPhotos = photos != nil
            let selection = try query.selection(near: near, in: session)
            let (shape, row) = photos?.adding(to: selection.shape) ?? (selection.shape, { $0 })
            var options = RenderOptions()
            options.precision = request.precision
            options.spreadsheetSafe = request.isSpreadsheetSafe
            let format: OutputFormat =
                switch request.form {
                case .geojson, .json: .geojson
                case .csv: .csv
                case .html: .html
                }
            options.page.title = "Near a position"
            var head: HTTPFields = [.eTag: tag(state).text, .contentType: format.mediaType.text]
            if format == .html { head[.contentSecurityPolicy] = Self.pagePolicy }
            let output = try begin(head)
            let renderer = try format.renderer(for: shape, options: options, into: output)
            try renderer.begin()
            try session.query(selection.sql) {
                try renderer.append(row($0))
                return true
            }
            try renderer.end()
        }
    }

    /// Returns the URLs of the photos in the list, or `nil` if the request does not contain `photo-links=signed`.
    private func nearPhotos(
        _ parameters: RequestParameters, _ list: FeatureRequest, _ viewer: Viewer, _ clock: Clock, _ base: String
    ) throws -> NearPhotos? {
        let name = FeatureParameter.photoLinks.rawValue
        guard try parameters.choice(name, PhotoLinkForm.self) == .signed else { return nil }
        return NearPhotos(
            collections: "\(base)/collections", kind: list.kinds.count == 1 ? list.kinds.first : nil,
            signer: signer(for: .viewer(viewer), at: clock))
    }
}

/// The signed URLs of the photos in a list of records near a position.
private struct NearPhotos: Sendable {
    let collections: String
    /// The kind of all records; `nil` if each row contains its kind.
    let kind: NearQuery.Kind?
    let signer: PhotoLinkSigner

    /// Returns the shape with the column `photo_url`, and a function that adds this column to a row.
    func adding(to shape: ResultShape) -> (ResultShape, (any Row) -> any Row) {
        func index(_ name: String) -> Int? { shape.columns.first { $0.name == name }?.index }
        guard let id = index("id"), let flag = index("has_photo") else { return (shape, { $0 }) }
        var photo = PhotoURL(
            collections: collections, collection: kind?.rawValue, id: id, hasPhoto: flag, signer: signer)
        photo.kind = index("kind") ?? 0
        var all = shape
        all.choice?.append("photo_url")
        all.columns.append(Column("photo_url", .text, at: FeatureRow.photoAddress))
        return (all, { [photo] in FeatureRow(row: $0, photo: photo) })
    }
}

extension NearQuery {
    /// Creates the query of a request.
    ///
    /// A signed-in user sees scope `all`, as on the command line.
    fileprivate init(_ request: FeatureRequest, _ viewer: Viewer, _ clock: Clock) {
        // Every row has a position, and this query replaces the pages and the order.
        var events = FeatureCollection.events(request, viewer, clock, isLocated: true)
        (events.scope, events.standing, events.page) = (request.scope ?? .all, nil, nil)
        var items = FeatureCollection.items(request, viewer, clock)
        items.page = nil
        var posts = FeatureCollection.posts(request, viewer)
        posts.page = nil
        self.init(kinds: request.kinds, events: events, items: items, posts: posts)
        (limit, nearest) = (request.page.limit, request.nearest)
        sort = request.sort == .newest ? .newest : .distance
    }
}
