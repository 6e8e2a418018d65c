import Base
import HTTPServing
import HabitModel
import HabitStore
import Hummingbird
import StoreEngine

/// The route for events, items and posts near a position in one response.
package struct NearRoute: RouteGroup {
    let responses: StoreResponses
    let links: PhotoLinkKey
    /// The parts that the server shows.
    let sections: Sections
    private let pages: any WebPages

    /// Creates the route.
    ///
    /// - Parameters:
    ///   - responses: Writes the list.
    ///   - links: The key of the links of photos.
    ///   - sections: The parts that the server shows.
    ///   - pages: The pages of the server.
    package init(responses: StoreResponses, links: PhotoLinkKey, sections: Sections, pages: any WebPages) {
        self.responses = responses
        self.links = links
        self.sections = sections
        self.pages = pages
    }

    /// The sort orders of the list, the usual one first.
    private static let sorts: [SortBy] = [.distance, .newest]

    package var routes: [Route] {
        [
            Route(
                .get,
                "/near",
                operation: RouteOperation(
                    "near",
                    summary: "List records near a position",
                    description:
                        "Returns events, items and posts near a position. With several kinds, the ID of a feature is KIND/ID.",
                    permission: .viewers,
                    query: FeatureParameter.ofNear.map(Self.queryParameter),
                    content: .featurePages),
                handler: near)
        ]
    }

    private static func queryParameter(_ parameter: FeatureParameter) -> QueryParameter {
        switch parameter {
        case .near:
            QueryParameter(
                parameter.rawValue,
                document: parameter.description.merging(["required": true]))
        case .f: .form(FeatureForm.ofPages.map(\.rawValue))
        default: parameter.queryParameter(sorts: sorts)
        }
    }

    @Sendable private func near(_ call: Call) async throws -> Response {
        let viewer = try call.viewer
        let list = try Self.list(call)
        try requireShown(list.kinds)
        let photos = try photos(of: list, call)
        let parts = ["near", call.parameters.canonical, list.form.rawValue]
        // The items may expire.
        let tag = ResponseTag(
            call.request,
            of: .viewer(viewer),
            for: call.caller,
            at: call.clock,
            dependsOnDay: true,
            parts + photos.signer.tagParts)
        let encoding = ContentEncoding(for: call.request)
        return try await responses.response(to: call, encoding: encoding, on: .requests, tagged: tag) {
            [pages] session, begin in
            let request = try list.located(for: viewer, in: session)
            guard let near = request.filter.near else { throw HabitError(.internal, "the request has no position") }
            var query = NearQuery(request, viewer: viewer, clock: call.clock)
            query.showsPhotos = true
            let selection = try query.selection(near: near, in: session)
            let page = NearPage(
                request: request,
                near: near,
                parameters: call.parameters,
                visit: call.visit,
                photos: photos)
            guard request.form == .html else {
                return try page.write(selection, in: session, begin: begin)
            }
            let names = RecordNames(viewer: viewer, clock: call.clock, in: session)
            try page.write(selection, in: session, as: pages, names: names, begin: begin)
        }
    }

    /// Checks that the server shows records of some kinds.
    ///
    /// - Throws: `parameter-invalid`.
    private func requireShown(_ kinds: [NearQuery.Kind]) throws {
        let names = NearQuery.Kind.allCases.map(\.rawValue)
        let shown = names.filter { name in FeatureCollection.named(name).map(sections.shows) ?? true }
        guard let hidden = kinds.first(where: { kind in !shown.contains(kind.rawValue) }) else { return }
        throw Problem.invalid(
            "kind",
            "this server has no \(hidden.rawValue): send kind=\(shown.joined(separator: ","))")
    }

    /// Returns the parsed parameters of a request.
    ///
    /// - Throws: `parameter-missing` without a position, and the errors of the parameters.
    private static func list(_ call: Call) throws -> FeatureRequest {
        let parameters = call.parameters
        guard parameters[.near] != nil else {
            throw HabitError(
                .parameterMissing,
                "a position is required: add near=LONGITUDE,LATITUDE or near=last",
                field: "near")
        }
        var list = try FeatureRequest(
            parameters,
            sorts: sorts,
            forms: FeatureForm.ofPages,
            accept: call.request.headers[.accept])
        let eventParameter = FeatureParameter.onlyOfEvents.first { parameter in parameters[parameter] != nil }
        if list.kinds != [.events], let name = eventParameter?.rawValue {
            throw Problem.invalid(name, "'\(name)' applies only to events: omit it, or send kind=events")
        }
        if list.form == .html {
            list.page.limit = min(list.page.limit, FeaturePage.htmlLimit)
        }
        return list
    }

    /// Returns the URLs of the photos in the list.
    private func photos(of list: FeatureRequest, _ call: Call) throws -> NearPhotos {
        NearPhotos(
            collections: "\(call.base)/collections",
            kind: list.kinds.count == 1 ? list.kinds.first : nil,
            versions: call.photoVersions,
            signer: try call.photoSigner(links, isPage: list.form == .html))
    }
}

extension NearQuery {
    /// Creates the query of a request.
    ///
    /// A signed-in user sees scope `all`, as on the command line.
    fileprivate init(_ request: FeatureRequest, viewer: Viewer, clock: Clock) {
        // Every row has a position, and this query replaces the pages and the order.
        var events = FeatureCollection.events(
            request,
            viewer: viewer,
            clock: clock,
            isLocated: true)
        events.scope = request.scope ?? .all
        events.standing = nil
        events.page = nil
        var items = FeatureCollection.items(request, viewer: viewer, clock: clock)
        items.page = nil
        var posts = FeatureCollection.posts(request, viewer: viewer)
        posts.page = nil
        self.init(kinds: request.kinds, events: events, items: items, posts: posts)
        page = request.page
        nearest = request.nearest
        sort = request.sort == .newest ? .newest : .distance
    }
}
