import Base
import HTTPServing
import HTTPTypes
import HabitModel
import HabitStore
import Hummingbird

/// The routes of the documents that describe the server (OGC API - Features, Part 1, sections 7.2 to 7.14).
package struct DocumentRoutes: RouteGroup {
    let store: StorePool
    let publicCollections: Set<String>
    let pages: any WebPages
    /// The routes of the other groups, which the document at `/api` describes.
    let others: [Route]

    /// Creates the routes.
    ///
    /// - Parameters:
    ///   - store: The connections to the store.
    ///   - publicCollections: The IDs of the collections that everyone may read.
    ///   - pages: The HTML representations of the documents.
    ///   - others: The routes of the other groups, which the document at `/api` describes.
    package init(
        store: StorePool,
        publicCollections: Set<String>,
        pages: any WebPages,
        others: [Route]
    ) {
        self.store = store
        self.publicCollections = publicCollections
        self.pages = pages
        self.others = others
    }

    package var routes: [Route] {
        [
            Route(
                .get,
                "/",
                operation: .ofDocument(
                    "landing",
                    summary: "Get the landing page",
                    description: "Returns links to the documents, collections, reports and map.",
                    permission: .anyCaller,
                    hasPage: true),
                handler: { call in
                    let document = LandingDocument.json(base: call.base)
                    return try call.documentOrPage(document, title: "Habitat", pages).forOneViewer
                }),
            Route(
                .get,
                "/conformance",
                operation: .ofDocument(
                    "conformance",
                    summary: "Get the conformance classes",
                    description:
                        "Returns the conformance classes of OGC API - Features that the server implements.",
                    permission: .everyone),
                handler: { call in try call.document(ConformanceClass.document) }),
            Route(.get, "/api", operation: Self.apiOperation, handler: api),
            Route(
                .get,
                "/collections",
                operation: .ofDocument(
                    "collections",
                    summary: "List collections",
                    description:
                        "Returns the description, the links and the extent of each collection that the caller can read. Without a token, the list contains only public collections.",
                    permission: .anyCaller,
                    hasPage: true),
                handler: collections),
            .ofCollections(
                .get,
                "/collections/{collection}",
                operation: { collection in
                    .ofDocument(
                        "\(collection.id).describe",
                        summary: "Describe the collection \(collection.id)",
                        description:
                            "Returns the title, the description, the links and the extent of the collection. The extent contains only what the token's user can see; without a token, only public collections have one.",
                        permission: .anyCaller,
                        hasPage: true)
                },
                handler: collection),
        ]
    }

    // MARK: The document at /api

    private static let apiOperation = RouteOperation(
        "api",
        summary: "Get the OpenAPI document",
        description: "Returns this document, or a page that describes it.",
        permission: .anyCaller,
        query: [
            QueryParameter(
                "f",
                "Response format. The default is `json`.",
                schema: [
                    "type": "string",
                    "enum": .list(DocumentForm.allCases.map { .text($0.rawValue) }),
                    "default": "json",
                ])
        ],
        content: .content(.openAPI, schema: ["type": "object"]).merging(.pageContent))

    @Sendable private func api(_ call: Call) throws -> Response {
        let document = APIDocument(
            routes: others + routes,
            publicCollections: publicCollections,
            base: call.base,
            showsCustomReports: call.caller != .nobody)
        guard call.parameters["f"] == DocumentForm.html.rawValue else {
            return try call.document(document.json, type: .openAPI).forOneViewer
        }
        let page = pages.page(ofAPI: document.json, for: call.visit)
        let response = try Response(
            page.html,
            encoded: ContentEncoding(for: call.request),
            headers: page.headers.merging([.cacheControl: "no-cache"]))
        return response.forOneViewer
    }

    // MARK: Collections

    @Sendable private func collections(_ call: Call) async throws -> Response {
        let readable = FeatureCollection.all.filter { collection in isReadable(collection, by: call.caller) }
        let extents = try await extents(of: readable, call)
        let document = CollectionDocument.list(of: readable, for: call.caller, base: call.base, extents)
        return try call.documentOrPage(document, title: "Collections", below: .home, pages).forOneViewer
    }

    @Sendable private func collection(_ call: Call, _ collection: FeatureCollection) async throws -> Response {
        let extents = try await extents(of: [collection], call)
        let document = CollectionDocument.json(of: collection, base: call.base, extents)
        return try call.documentOrPage(document, title: collection.title, below: .collections, pages).forOneViewer
    }

    /// Whether a caller can read the list of a collection.
    private func isReadable(_ collection: FeatureCollection, by caller: Caller) -> Bool {
        switch caller {
        case .nobody: publicCollections.contains(collection.id)
        case .viewer(.operator): !collection.requiresUser
        case .viewer(.user): true
        }
    }

    /// Returns the extents of collections by ID: the area and the time of the features that the viewer can see.
    ///
    /// A collection has no extent if the viewer cannot read it or if no feature has a position or an instant. Without a
    /// token, only public collections have an extent.
    private func extents(of collections: [FeatureCollection], _ call: Call) async throws -> [String: JSON] {
        let isPublic = call.caller == .nobody
        let readable = collections.filter { collection in isReadable(collection, by: call.caller) }
        guard !readable.isEmpty else { return [:] }
        let viewer = isPublic ? Viewer.operator : try call.viewer
        return try await store.read(for: call.requester) { session in
            var extents: [String: JSON] = [:]
            for collection in readable {
                var query = ExtentQuery(collection.kind, viewer: viewer)
                query.isLocated = collection.isLocated
                query.isPublic = isPublic
                extents[collection.id] = try query.extent(in: session)?.document
            }
            return extents
        }
    }
}

extension FeatureCollection {
    /// Whether the collection contains only features with a position.
    fileprivate var isLocated: Bool { id == FeatureCollection.locatedEventsID }
}

// MARK: Responses with documents

/// The form of a document that describes the server.
enum DocumentForm: String, CaseIterable {
    case json, html
}

extension RouteOperation {
    /// Describes the operation that reads a document about the server.
    ///
    /// - Parameters:
    ///   - id: The identifier of the operation.
    ///   - summary: A title for lists.
    ///   - description: The content of the document.
    ///   - permission: The callers who may read the document.
    ///   - type: The media type of the document.
    ///   - hasPage: Whether the document is also a page.
    /// - Returns: The operation.
    static func ofDocument(
        _ id: String,
        summary: String,
        description: String,
        permission: Permission = .everyone,
        type: ContentType = .json,
        hasPage: Bool = false
    ) -> RouteOperation {
        let content = JSON.content(type, schema: ["type": "object"])
        return RouteOperation(
            id,
            summary: summary,
            description: description,
            permission: permission,
            query: hasPage ? [.form(DocumentForm.allCases.map(\.rawValue))] : [.onlyJSON],
            content: hasPage ? content.merging(.pageContent) : content)
    }
}

extension Call {
    /// Responds with a document that is built from the program, its options and the report files.
    ///
    /// - Parameters:
    ///   - document: The document.
    ///   - type: The media type of the document.
    /// - Returns: The response.
    /// - Throws: `parameter-invalid` if the parameter `f` has another value than `json`.
    func document(_ document: JSON, type: ContentType = .json) throws -> Response {
        try requireJSON()
        return Response(document, type: type, headers: [.cacheControl: "no-cache"])
    }

    /// Checks that a request does not ask for another format than JSON.
    ///
    /// - Throws: `parameter-invalid`.
    func requireJSON() throws {
        guard let form = parameters["f"], form != DocumentForm.json.rawValue else { return }
        throw Problem.invalid("f", "'\(form)' is not a format of this document: use json")
    }

    /// Responds with a document that describes the server, as JSON or as a page.
    ///
    /// The parameter `f` selects the form, otherwise the header Accept.
    ///
    /// - Parameters:
    ///   - document: The document.
    ///   - title: The title of the page if the document has no member `title`.
    ///   - trail: The pages above the page.
    ///   - pages: The pages of documents.
    /// - Returns: The response.
    /// - Throws: `parameter-invalid`.
    fileprivate func documentOrPage(
        _ document: JSON,
        title: String,
        below trail: WebPageTrail = .none,
        _ pages: any WebPages
    ) throws -> Response {
        let form = try parameters.choice("f", DocumentForm.self)
        let isPage = request.wantsPage(form?.rawValue)
        var headers: HTTPFields = [.cacheControl: "no-cache", .vary: "Accept, Accept-Encoding"]
        headers[.link] = document.linkHeader(isPage: isPage)
        guard isPage else { return Response(document.linkingToPage, headers: headers) }
        let page = pages.page(of: document, title: title, below: trail, for: visit)
        return try Response(
            page.html,
            encoded: ContentEncoding(for: request),
            headers: headers.merging(page.headers))
    }
}

extension JSON {
    /// Returns the document with a link to its page.
    fileprivate var linkingToPage: JSON {
        guard let ownAddress else { return self }
        let link = FeaturePage.link(
            "alternate",
            to: "\(ownAddress)?f=html",
            type: .html,
            title: "This document as HTML")
        return merging(["links": .list(self["links"].elements + [link])])
    }

    /// The value of the header Link of the response with the document or its page.
    fileprivate func linkHeader(isPage: Bool) -> String? {
        guard let own = ownAddress else { return nil }
        let json = ContentType.json.text
        let html = ContentType.html.text
        guard isPage else {
            return "<\(own)>; rel=\"self\"; type=\"\(json)\", <\(own)?f=html>; rel=\"alternate\"; type=\"\(html)\""
        }
        return "<\(own)?f=html>; rel=\"self\"; type=\"\(html)\", <\(own)?f=json>; rel=\"alternate\"; type=\"\(json)\""
    }
}
