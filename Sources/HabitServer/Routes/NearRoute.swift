import Base
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
        let clock = options.clock()
        let encoding = ContentEncoding(for: request)
        let photos = try nearPhotos(parameters, list, viewer, clock, base(of: request))
        let address = base(of: request) + "/near"
        // The items may expire.
        let tag = ResponseTag(
            request, of: .viewer(viewer), for: .viewer(viewer), at: clock, dependsOnDay: true,
            ["near", parameters.canonical, list.form.rawValue] + photos.signer.tagParts)
        return try await respond(encoding, context, for: Requester(viewer), on: .requests, tagged: tag) {
            session, begin in
            let request = try list.located(for: viewer, in: session)
            guard let near = request.filter.near else { throw HabitError(.internal, "the request has no position") }
            var query = NearQuery(request, viewer, clock)
            query.showsPhotos = true
            let selection = try query.selection(near: near, in: session)
            let page = NearPage(request: request, parameters: parameters, address: address, photos: photos)
            try page.write(selection, in: session, [:], begin)
        }
    }

    /// Returns the URLs of the photos in the list, which are signed if the request contains `photo-links=signed`.
    private func nearPhotos(
        _ parameters: RequestParameters, _ list: FeatureRequest, _ viewer: Viewer, _ clock: Clock, _ base: String
    ) throws -> NearPhotos {
        let name = FeatureParameter.photoLinks.rawValue
        let isSigned = try parameters.choice(name, PhotoLinkForm.self) == .signed
        return NearPhotos(
            collections: "\(base)/collections", kind: list.kinds.count == 1 ? list.kinds.first : nil,
            signer: isSigned ? signer(for: .viewer(viewer), at: clock) : nil)
    }
}

/// A page of the records near a position.
private struct NearPage {
    let request: FeatureRequest
    let parameters: RequestParameters
    /// The URL of the list without parameters.
    let address: String
    let photos: NearPhotos

    /// Writes the page with the links to itself and to the next page.
    ///
    /// - Parameters:
    ///   - selection: The query for the page.
    ///   - session: The session in which the rows are read.
    ///   - head: The header fields of the response that do not depend on the rows.
    ///   - begin: Starts the response with the given header fields and returns the buffer of its body.
    /// - Throws: The errors of the query and of `begin`.
    func write(
        _ selection: Selection, in session: any Session, _ head: HTTPFields,
        _ begin: (HTTPFields) throws -> OutputBuffer
    ) throws {
        // The links depend on the rows, so the rows are rendered first.
        let held = OutputBuffer()
        let next = try render(selection, in: session, to: held)
        var head = head
        head[.contentType] = mediaType.text
        if request.form == .html { head[.contentSecurityPolicy] = HabitatServer.pagePolicy }
        head[.link] = ([link("self", to: ownAddress)] + (next.map { [link("next", to: $0)] } ?? []))
            .joined(separator: ", ")
        try begin(head).append(held)
    }

    /// Writes the rows and returns the URL of the next page, or `nil` if no row follows.
    private func render(_ selection: Selection, in session: any Session, to output: OutputBuffer) throws -> String? {
        let (shape, row) = photos.adding(to: selection.shape)
        var options = RenderOptions()
        options.precision = request.precision
        options.spreadsheetSafe = request.isSpreadsheetSafe
        switch request.form {
        case .geojson, .json:
            let renderer = GeoJSONRenderer(features: shape, options, output)
            let end = try read(selection, in: session, row, renderer)
            let next = end.next.map(address(behind:))
            renderer.end(adding: FeaturePage.members(of: end, page: request.page, links: links(next: next)))
            return next
        case .csv:
            let renderer = CSVRenderer(shape, options, output)
            let end = try read(selection, in: session, row, renderer)
            try renderer.end()
            return end.next.map(address(behind:))
        case .html:
            // The link to the next page is above the rows.
            let next = try selection.end(of: request.page, in: session).map(address(behind:))
            options.page.title = "Near a position"
            options.page.next = next.map { "near" + $0.dropFirst(address.count) }
            let renderer = try OutputFormat.html.renderer(for: shape, options: options, into: output)
            _ = try read(selection, in: session, row, renderer)
            try renderer.end()
            return next
        }
    }

    private func read(
        _ selection: Selection, in session: any Session, _ row: (any Row) -> any Row, _ renderer: any Renderer
    ) throws -> PageEnd {
        try renderer.begin()
        return try selection.read(request.page, in: session) { try renderer.append(row($0)) }
    }

    private var mediaType: MediaType { request.form.mediaType }

    private var ownAddress: String { address + parameters.query([:]) }

    private func address(behind cursor: Cursor) -> String {
        address + parameters.query([FeatureParameter.after.rawValue: cursor.description])
    }

    private func links(next: String?) -> [JSON] {
        [FeaturePage.link("self", ownAddress, .geoJSON)] + (next.map { [FeaturePage.link("next", $0, .geoJSON)] } ?? [])
    }

    /// Returns a link of the header field Link (RFC 8288).
    private func link(_ relation: String, to address: String) -> String {
        "<\(address)>; rel=\"\(relation)\"; type=\"\(mediaType.text)\""
    }
}

/// The URLs of the photos in a list of records near a position.
private struct NearPhotos: Sendable {
    let collections: String
    /// The kind of all records; `nil` if each row contains its kind.
    let kind: NearQuery.Kind?
    /// Signs the URLs; `nil` if a client needs a token to read the photos.
    let signer: PhotoLinkSigner?

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
        page = request.page
        nearest = request.nearest
        sort = request.sort == .newest ? .newest : .distance
    }
}
