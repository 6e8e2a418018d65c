import Base
import HTTPTypes
import HabitModel
import HabitStore
import Hummingbird

/// The documents that describe the server (OGC API - Features, Part 1, sections 7.2 to 7.14).
extension HabitatServer {
    func addDocuments(to router: Router<HabitContext>) {
        router.route(
            "/", [.get: { request, _ in try self.documentOrPage(request, title: "Habitat") { self.landing($0) } }])
        router.route("conformance", [.get: { request, _ in try self.document(request) { _ in Self.conformance } }])
        router.route(
            "api",
            [
                .get: { request, _ in
                    let form = try RequestParameters(request, known: ["f"])["f"]
                    let isKnown = try await self.authenticator.caller(of: request) != .nobody
                    let document = { APIDocument(server: self, base: $0, showsCustomReports: isKnown).json }
                    if form == "html" { return try self.apiPage(request, document).forOneViewer }
                    return try self.document(request, .openAPI, document).forOneViewer
                }
            ])
        router.route(
            "collections",
            [
                .get: { request, context in
                    let caller = try await self.authenticator.caller(of: request)
                    let readable = FeatureCollection.all.filter { self.canRead($0, as: caller) }
                    let extents = try await self.extents(of: readable, request, context)
                    return try self.documentOrPage(request, title: "Collections", trail: { [Self.home($0)] }) {
                        Self.collections(readable, for: caller, $0, extents)
                    }.forOneViewer
                }
            ])
        router.route(
            "collections/:collection",
            [
                .get: { request, context in
                    let collection = try self.collection(context)
                    let extents = try await self.extents(of: [collection], request, context)
                    return try self.documentOrPage(
                        request, title: collection.title, trail: { Self.collectionsTrail($0) }
                    ) {
                        Self.description(of: collection, $0, extents)
                    }.forOneViewer
                }
            ])
    }

    /// Responds with a document that is built from the program, its options and the report files.
    func document(
        _ request: Request, _ type: MediaType = .json, _ make: (_ base: String) -> JSON
    ) throws -> Response {
        let parameters = try RequestParameters(request, known: ["f"])
        guard parameters["f"] == nil || parameters["f"] == "json" else {
            throw Problem.invalid("f", "'\(parameters["f"] ?? "")' is not a format of this document: use json")
        }
        return Response(make(base(of: request)), type: type, headers: [.cacheControl: "no-cache"])
    }

    private func apiPage(_ request: Request, _ document: (_ base: String) -> JSON) throws -> Response {
        let site = site(of: request)
        let page = APIPage(document(site.base)).page(site)
        return try compressed(
            page.html(site), ContentEncoding(for: request), .ok, page.headers.merging([.cacheControl: "no-cache"]))
    }

    /// The Content-Security-Policy of pages of ``OutputFormat/html``, which contain only their style sheet.
    static let pagePolicy = ContentPolicy.text(["style-src 'unsafe-inline'"])

    private func landing(_ base: String) -> JSON {
        [
            "title": "Habitat",
            "description": "Habits, events, give-away items and photo posts as features, with reports and a map.",
            "links": [
                FeaturePage.link("self", "\(base)/", .json, title: "This document"),
                FeaturePage.link("service-desc", "\(base)/api", .openAPI, title: "OpenAPI document"),
                FeaturePage.link("service-doc", "\(base)/api?f=html", .html, title: "Documentation of the API"),
                FeaturePage.link("conformance", "\(base)/conformance", .json, title: "Conformance classes"),
                FeaturePage.link("data", "\(base)/collections", .json, title: "Collections"),
                FeaturePage.link(
                    TileDocument.matrixSetsRelation, "\(base)/tileMatrixSets", .json, title: "Tile matrix sets"),
                FeaturePage.link("related", "\(base)/reports", .json, title: "Reports"),
                FeaturePage.link("related", "\(base)/map", .html, title: "Map"),
            ],
        ]
    }

    private static let conformance: JSON = [
        "conformsTo": .list((ConformanceClass.all.map(\.uri) + TileDocument.conformance).map { .text($0) })
    ]

    /// Returns the document of the collections that a caller can read.
    private static func collections(
        _ readable: [FeatureCollection], for caller: Caller, _ base: String, _ extents: [String: JSON]
    ) -> JSON {
        [
            "description": caller == .nobody
                ? "The public collections. With a token, the list contains all collections that its user can read."
                : "The collections that you can read.",
            "links": [FeaturePage.link("self", "\(base)/collections", .json)],
            "collections": .list(readable.map { description(of: $0, base, extents) }),
        ]
    }

    /// Returns the document of a collection, with its extent if `extents` contains it.
    private static func description(
        of collection: FeatureCollection, _ base: String, _ extents: [String: JSON]
    ) -> JSON {
        let address = "\(base)/collections/\(collection.id)"
        var members: [String: JSON] = [
            "id": .text(collection.id), "title": .text(collection.title), "description": .text(collection.description),
            "itemType": "feature", "crs": ["http://www.opengis.net/def/crs/OGC/1.3/CRS84"],
            "links": .list(
                [
                    FeaturePage.link("self", address, .json),
                    FeaturePage.link("items", "\(address)/items", .geoJSON, title: "\(collection.title) as GeoJSON"),
                    FeaturePage.link("items", "\(address)/items?f=csv", .csv, title: "\(collection.title) as CSV"),
                    FeaturePage.link(
                        "items", "\(address)/items?f=html", .html, title: "\(collection.title) as a web page"),
                    FeaturePage.link(CollectionSchema.relation, "\(address)/schema", .schema, title: "Schema"),
                    FeaturePage.link(
                        CollectionSchema.queryablesRelation, "\(address)/queryables", .schema,
                        title: "Properties for filters"),
                ] + TileDocument.links(of: collection, address)),
        ]
        members["extent"] = extents[collection.id]
        return .object(members)
    }
}
