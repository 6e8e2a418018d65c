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
    /// The parts that the server shows.
    let sections: Sections
    let pages: any WebPages
    /// Responds to a browser that opens `/`.
    let home: Route.Handler
    /// The routes of the other groups, which the document at `/api` describes.
    let others: [Route]

    /// Creates the routes.
    ///
    /// - Parameters:
    ///   - store: The connections to the store.
    ///   - publicCollections: The IDs of the collections that everyone may read.
    ///   - sections: The parts that the server shows.
    ///   - pages: The pages of the documents.
    ///   - home: Responds to a browser that opens `/` with the home page.
    ///   - others: The routes of the other groups, which the document at `/api` describes.
    package init(
        store: StorePool,
        publicCollections: Set<String>,
        sections: Sections,
        pages: any WebPages,
        home: @escaping Route.Handler,
        others: [Route]
    ) {
        self.store = store
        self.publicCollections = publicCollections
        self.sections = sections
        self.pages = pages
        self.home = home
        self.others = others
    }

    package var routes: [Route] {
        [
            Route(
                .get,
                "/",
                operation: .ofDocumentAndPage(
                    "landing",
                    summary: "Get the landing page",
                    description:
                        "Returns links to the documents, collections, reports and map. Without `f`, a client that prefers HTML gets the home page of the caller: the habits of today, the inbox and the newest events of friends. `f=html` returns the landing page as HTML.",
                    permission: .anyCaller),
                handler: landing),
            Route(
                .get,
                "/conformance",
                operation: .ofDocumentAndPage(
                    "conformance",
                    summary: "Get the conformance classes",
                    description:
                        "Returns the conformance classes of OGC API - Features that the server implements.",
                    permission: .anyCaller),
                handler: { call in try call.response(with: .conformance(ConformanceClass.document), pages) }),
            Route(.get, "/api", operation: Self.apiOperation, handler: api),
            Route(
                .get,
                "/collections",
                operation: .ofDocumentAndPage(
                    "collections",
                    summary: "List collections",
                    description:
                        "Returns the description, the links and the extent of each collection that the caller can read. Without a token, the list contains only public collections.",
                    permission: .anyCaller),
                handler: collections),
            .ofCollections(
                .get,
                "/collections/{collection}",
                operation: { collection in
                    .ofDocumentAndPage(
                        "\(collection.id).describe",
                        summary: "Describe the collection \(collection.id)",
                        description:
                            "Returns the title, the description, the links and the extent of the collection. The extent contains only what the token's user can see; without a token, only public collections have one.",
                        permission: .anyCaller)
                },
                handler: collection),
        ]
    }

    // MARK: Documents about the server

    @Sendable private func landing(_ call: Call) async throws -> Response {
        guard call.parameters["f"] == nil, call.request.wantsPage(nil) else {
            let document = LandingDocument.json(base: call.base, sections: sections)
            return try call.response(with: .landing(document), pages)
        }
        return try await home(call)
    }

    private static let apiOperation = RouteOperation.ofDocumentAndPage(
        "api",
        summary: "Get the OpenAPI document",
        description: "Returns this document, or a page that describes it.",
        permission: .anyCaller,
        type: .openAPI)

    @Sendable private func api(_ call: Call) throws -> Response {
        let document = APIDocument(
            routes: others + routes.map { route in route.limited(to: sections) },
            publicCollections: publicCollections,
            base: call.base,
            sections: sections,
            showsCustomReports: call.caller != .nobody)
        return try call.response(with: .api(document.json), pages)
    }

    // MARK: Collections

    @Sendable private func collections(_ call: Call) async throws -> Response {
        let readable = readable(by: call.caller)
        let extents = try await extents(of: readable, call)
        let document = CollectionDocument.list(of: readable, for: call.caller, base: call.base, extents)
        return try call.response(with: .collections(document), pages)
    }

    @Sendable private func collection(_ call: Call, _ collection: FeatureCollection) async throws -> Response {
        let extents = try await extents(of: [collection], call)
        let document = CollectionDocument.json(of: collection, base: call.base, extents)
        return try call.response(with: .collection(document), pages)
    }

    private func readable(by caller: Caller) -> [FeatureCollection] {
        FeatureCollection.readable(by: caller, publicCollections: publicCollections).filter(sections.shows)
    }

    /// Returns the extents of collections by ID: the area and the time of the features that the viewer can see.
    ///
    /// A collection has no extent if the viewer cannot read it or if no feature has a position or an instant. Without a
    /// token, only public collections have an extent.
    private func extents(of collections: [FeatureCollection], _ call: Call) async throws -> [String: JSON] {
        let ids = Set(readable(by: call.caller).map(\.id))
        let readable = collections.filter { collection in ids.contains(collection.id) }
        guard !readable.isEmpty else { return [:] }
        let views = try readable.map(call.view)
        return try await store.read(for: call.requester) { session in
            var extents: [String: JSON] = [:]
            for view in views {
                extents[view.collection.id] = try view.extent(in: session)?.document
            }
            return extents
        }
    }
}
