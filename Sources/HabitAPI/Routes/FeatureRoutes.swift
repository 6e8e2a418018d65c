import Base
import HTTPServing
import HTTPTypes
import HabitModel
import HabitReport
import HabitStore
import Hummingbird

/// The routes that read features (OGC API - Features, Part 1, sections 7.15 and 7.16).
package struct FeatureRoutes: RouteGroup {
    let store: StorePool
    let responses: StoreResponses
    let links: PhotoLinkKey
    let pages: any WebPages

    /// Creates the routes.
    ///
    /// - Parameters:
    ///   - store: The connections to the store.
    ///   - responses: The responses that are written from the store.
    ///   - links: Signs the links of photos.
    ///   - pages: The HTML representations of features.
    package init(store: StorePool, responses: StoreResponses, links: PhotoLinkKey, pages: any WebPages) {
        self.store = store
        self.responses = responses
        self.links = links
        self.pages = pages
    }

    package var routes: [Route] {
        [
            .ofCollections(
                .get,
                "/collections/{collection}/items",
                operation: { collection in
                    RouteOperation(
                        "\(collection.id).list",
                        summary: "List \(collection.nouns)",
                        description: collection.description,
                        permission: .readers(collection: collection.id),
                        query: collection.parameters.map { parameter in
                            parameter.queryParameter(sorts: collection.sorts)
                        },
                        content: .features)
                },
                handler: list),
            .ofCollections(
                .get,
                "/collections/{collection}/items/{featureId}",
                operation: { collection in
                    let forms = SingleFeatureForm.allCases.map(\.rawValue)
                    var query: [QueryParameter] = []
                    if collection.hasPhotos {
                        query.append(FeatureParameter.photoLinks.queryParameter(sorts: []))
                    }
                    query.append(.form(forms))
                    return RouteOperation(
                        "\(collection.id).get",
                        summary: "Get \(collection.noun)",
                        description: "Returns the feature as GeoJSON or as a page.",
                        permission: .readers(collection: collection.id),
                        pathParameters: [.featureID],
                        query: query,
                        content: JSON.feature.merging(.pageContent))
                },
                handler: one),
        ]
    }

    @Sendable private func list(_ call: Call, _ collection: FeatureCollection) async throws -> Response {
        let parameters = call.parameters
        var list = try FeatureRequest(
            parameters,
            sorts: collection.sorts,
            accept: call.request.headers[.accept])
        // Clusters have no page and no file.
        if parameters[.cluster] != nil, parameters[.f] == nil, [.html, .parquet].contains(list.form) {
            list.form = .geojson
        }
        if list.form == .html {
            list.page.limit = min(list.page.limit, FeaturePage.htmlLimit)
        }
        let view = try view(of: collection, call, isPage: list.form == .html)
        let page = FeaturePage(view: view, request: list, parameters: parameters)
        // A client without a token has no events of its own and follows no user.
        if view.isPublic, page.request.scope ?? .all != .all {
            throw Problem.notSignedIn
        }
        let clusters = try ClusterList(
            view: view,
            request: page.request,
            parameters: parameters)
        let tag = view.tag(
            of: call.request,
            [view.address, parameters.canonical, page.request.form.rawValue])
        if list.form == .parquet {
            let file = FeatureFile(view: view, request: list)
            return try await responses.response(to: call, with: file, tagged: tag)
        }
        return try await responses.response(
            to: call,
            encoding: ContentEncoding(for: call.request),
            on: clusters == nil && page.isStreamed ? .responses : .requests,
            tagged: tag
        ) { session, begin in
            let head: HTTPFields = [.contentType: page.request.form.mediaType.text]
            if let clusters {
                try clusters.write(in: session, head: head, begin: begin)
            } else {
                try page.write(in: session, head: head, begin: begin)
            }
        }
    }

    @Sendable private func one(_ call: Call, _ collection: FeatureCollection) async throws -> Response {
        let id = try call.pathParameter("featureId")
        let form = try call.parameters.choice(FeatureParameter.f.rawValue, SingleFeatureForm.self)
        let isPage = call.request.wantsPage(form?.rawValue)
        let view = try view(of: collection, call, isPage: isPage)
        let feature = SingleFeature(view: view, id: id)
        let tag = feature.tag(of: call.request, call.parameters)
        let found = try await store.read(for: call.requester) { session in
            try feature.find(tagged: tag, in: session)
        }
        return try feature.response(found, to: call.request)
    }

    /// Returns a collection with the signer of photo links, and with the pages of features if the response is a page.
    private func view(
        of collection: FeatureCollection,
        _ call: Call,
        isPage: Bool
    ) throws -> FeatureView {
        var view = try call.view(of: collection)
        let hasPrivatePhotos = !view.isPublic && collection.hasPhotos
        view.photoLinks = try call.photoSigner(links, isPage: isPage && hasPrivatePhotos)
        view.pages = isPage ? pages : nil
        return view
    }
}

/// The form of a single feature.
enum SingleFeatureForm: String, CaseIterable {
    /// `json` is an alias of `geojson`.
    case geojson, json, html
}

extension SingleFeature {
    /// Returns the response with the feature, or 304 if the client already has this version of the feature.
    ///
    /// - Parameters:
    ///   - found: The document of the feature.
    ///   - request: The request.
    ///   - status: The status of the response with the document.
    /// - Returns: The response.
    /// - Throws: An error of the compression.
    func response(
        _ found: LoadedFeature,
        to request: Request,
        status: HTTPResponse.Status = .ok
    ) throws -> Response {
        let encoding = ContentEncoding(for: request)
        let tag = found.tag.encoded(encoding)
        let isRead = request.method == .get || request.method == .head
        if status == .ok, isRead, tag.matches(ifNoneMatch: request) {
            return .notModified(tag)
        }
        var headers = HTTPFields.revalidated
            .merging([.eTag: tag.text])
            .merging(found.headers)
        let links = ownLinks(isPage: view.pages != nil).map { link in
            "<\(link.href)>; rel=\"\(link.rel)\"; type=\"\(link.type.text)\""
        }
        headers[.link] = links.joined(separator: ", ")
        if status == .created { headers[.location] = address }
        return try Response(found.bytes, encoded: encoding, status: status, headers: headers)
    }
}

extension StoreResponses {
    /// Responds with a Parquet file of features.
    ///
    /// - Parameters:
    ///   - call: The request.
    ///   - file: The features.
    ///   - tag: The tag of the response; `nil` for a response without one.
    /// - Returns: The response, which is sent while the features are read.
    /// - Throws: The errors of ``FeatureFile/write(in:begin:)`` before the first block is full.
    func response(to call: Call, with file: FeatureFile, tagged tag: ResponseTag?) async throws -> Response {
        // The pages of a Parquet file are already compressed.
        try await response(to: call, encoding: .identity, on: .responses, tagged: tag) { session, begin in
            try file.write(in: session, begin: begin)
        }
    }
}

extension FeatureCollection {
    /// The plural name of a feature, such as "located events".
    var nouns: String { id.replacing("-", with: " ") }

    /// The name of a feature with its indefinite article, such as "an event".
    var noun: String {
        let noun = nouns.dropLast()
        let article = "aeiou".contains(noun.prefix(1)) ? "an" : "a"
        return "\(article) \(noun)"
    }
}

extension JSON {
    /// The content of a response with a page of features.
    static let featurePages: JSON = [
        ContentType.geoJSON.text: ["schema": reference("FeatureCollection")],
        "text/csv": ["schema": ["type": "string"]],
        ContentType.html.text: ["schema": ["type": "string"]],
    ]

    /// The content of a response with a list of features: a page, or a file with all features.
    static let features = featurePages.merging([
        ContentType.parquet.text: ["schema": ["type": "string", "format": "binary"]]
    ])

    /// The content of a response with a feature.
    static let feature = content(.geoJSON, schema: reference("Feature"))

    /// The parameter of a path with the ID of a feature.
    static let featureID = pathParameter("featureId", "ID of the feature, percent-encoded.")
}
