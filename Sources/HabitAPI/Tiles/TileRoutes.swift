import Base
import Geo
import HTTPServing
import HabitModel
import HabitStore
import Hummingbird
import Rendering
import StoreEngine

/// Routes of vector tiles (OGC API - Tiles, Part 1).
///
/// The IDs of the operations end as OGC API - Tiles, Part 1, requirement `/req/oas30/operation-id`, demands.
package struct TileRoutes: RouteGroup {
    let store: StorePool
    let responses: StoreResponses
    let sections: Sections

    /// Creates the routes.
    ///
    /// - Parameters:
    ///   - store: The connections to the store.
    ///   - responses: Writes the tiles.
    ///   - sections: The parts that the server shows.
    package init(store: StorePool, responses: StoreResponses, sections: Sections) {
        self.store = store
        self.responses = responses
        self.sections = sections
    }

    package var routes: [Route] { matrixSetRoutes + collectionRoutes + selectionRoutes }

    // MARK: Tile matrix sets

    private var matrixSetRoutes: [Route] {
        [
            Route(
                .get,
                "/tileMatrixSets",
                operation: .ofDocument(
                    "tileMatrixSets",
                    summary: "List tile matrix sets",
                    description: "Returns the ID and the definition of each tile matrix set."),
                handler: { call in try call.document(TileDocument(base: call.base).matrixSets) }),
            Route(
                .get,
                "/tileMatrixSets/{tileMatrixSet}",
                operation: .ofDocument(
                    "tileMatrixSet",
                    summary: "Get a tile matrix set",
                    description: "Returns the definition of the tile matrix set."),
                handler: { call in try call.document(TileDocument.matrixSet) }
            )
            .ofMatrixSet(),
        ]
    }

    // MARK: Tiles

    private var collectionRoutes: [Route] {
        [
            .ofCollections(
                .get,
                "/collections/{collection}/tiles",
                requiring: Self.requireMap,
                operation: Self.listOperation,
                handler: { call, collection in
                    try call.document(TileDocument(base: call.base).tileSets(of: collection))
                }),
            .ofCollections(
                .get,
                "/collections/{collection}/tiles/{tileMatrixSet}",
                requiring: Self.requireMap,
                operation: Self.tileSetOperation,
                handler: tileSet
            )
            .ofMatrixSet(),
            .ofCollections(
                .get,
                "/collections/{collection}/tiles/{tileMatrixSet}/{tileMatrix}/{tileRow}/{tileCol}",
                requiring: Self.requireMap,
                operation: Self.tileOperation,
                handler: tile
            )
            .ofMatrixSet(requiring: { context in _ = try MapTile(context) }),
        ]
    }

    /// Checks that the features of a collection have positions.
    @Sendable private static func requireMap(_ collection: FeatureCollection) throws {
        guard collection.hasMap else {
            throw HabitError(
                .notFound,
                "the features of '\(collection.id)' have no positions, so there are no tiles: see /collections",
                field: "collection")
        }
    }

    private static func listOperation(_ collection: FeatureCollection) -> RouteOperation? {
        guard collection.hasMap else { return nil }
        return .ofDocument(
            "\(collection.id).collection.vector.getTileSetsList",
            summary: "List tile sets of \(collection.id)",
            description: "Returns the tile sets of the collection and their links.")
    }

    private static func tileSetOperation(_ collection: FeatureCollection) -> RouteOperation? {
        guard collection.hasMap else { return nil }
        return RouteOperation(
            "\(collection.id).collection.vector.getTileSet",
            summary: "Describe the tiles of \(collection.id)",
            description:
                "Returns the zooms, the layer and the properties of the tiles. `f=tilejson` returns TileJSON 3.0.0, whose address of the tiles contains the other parameters. Its bounds contain the features that the token's user can see. They are the world without a token, unless the collection is public.",
            permission: .anyCaller,
            query: [Self.form] + queryParameters(of: collection),
            content: .content(.json, schema: ["type": "object"]))
    }

    private static let form = QueryParameter(
        "f",
        "Response format. The default is `json`. The other parameters apply only to `tilejson`.",
        schema: ["type": "string", "enum": .list(TileSetForm.allCases.map { form in .text(form.rawValue) })])

    private static func tileOperation(_ collection: FeatureCollection) -> RouteOperation? {
        guard collection.hasMap else { return nil }
        return RouteOperation(
            "\(collection.id).collection.vector.getTile",
            summary: "Get a vector tile of \(collection.id)",
            description:
                "Returns a Mapbox Vector Tile with one layer, which has the ID of the collection. A tile with more features than `max-points` contains clusters with the property `count`. A tile without features has no bytes. Returns 404 if there is no such tile.",
            permission: .readers(collection: collection.id),
            pathParameters: tileParameters,
            query: queryParameters(of: collection),
            content: .content(.vectorTile, schema: ["type": "string", "format": "binary"]))
    }

    private static func queryParameters(of collection: FeatureCollection) -> [QueryParameter] {
        collection.tileParameters.map { parameter in queryParameter(parameter, collection) }
    }

    /// Returns the description of a query parameter of a tile.
    private static func queryParameter(
        _ parameter: FeatureParameter,
        _ collection: FeatureCollection
    ) -> QueryParameter {
        guard parameter == .properties else { return parameter.queryParameter(sorts: []) }
        let usual = collection.tileProperties.joined(separator: ",")
        let names = collection.tileProperties + collection.optionalTileProperties
        let choices = names.map { name in "`\(name)`" }.joined(separator: ", ")
        let meaning = "Properties of a point: names separated by commas, among \(choices). The default is `\(usual)`."
        return QueryParameter(
            parameter.rawValue,
            document: parameter.description.merging(["description": .text(meaning)]))
    }

    /// The parameters in the path of a tile.
    static let tileParameters: [JSON] = [
        tileParameter("tileMatrix", "Zoom, from 0 to \(MapTile.zooms.upperBound)."),
        tileParameter("tileRow", "Row of the tile, counted from the north."),
        tileParameter("tileCol", "Column of the tile, counted from the west."),
    ]

    private static func tileParameter(_ name: String, _ meaning: String) -> JSON {
        .pathParameter(name, meaning, schema: ["type": "integer", "minimum": 0])
    }

    @Sendable private func tileSet(_ call: Call, _ collection: FeatureCollection) async throws -> Response {
        let filters = call.parameters.without(["f"])
        guard try call.parameters.choice("f", TileSetForm.self) == .tilejson else {
            if let name = filters.values.keys.min() {
                throw Problem.invalid(name, "'\(name)' applies only to TileJSON: send f=tilejson, or omit '\(name)'")
            }
            return try call.document(TileDocument(base: call.base).tileSet(of: collection))
        }
        let address = "\(call.base)/collections/\(collection.id)/tiles/\(TileDocument.matrixSetID)"
        return try await tileJSON(of: TileSelection(collection), at: address, call, filters: filters, query: filters)
    }

    /// Responds with TileJSON.
    ///
    /// - Parameters:
    ///   - selection: The collections of the tiles.
    ///   - address: The address of the tiles, without the zoom, the row and the column.
    ///   - call: The request.
    ///   - filters: The parameters of the request that select features.
    ///   - query: The parameters in the address of the tiles.
    /// - Returns: The response.
    /// - Throws: `parameter-invalid`, and the errors of the store.
    func tileJSON(
        of selection: TileSelection,
        at address: String,
        _ call: Call,
        filters: RequestParameters,
        query: RequestParameters
    ) async throws -> Response {
        let list = try FeatureRequest(filters, sorts: [], accept: nil)
        let layers = try selection.layers(with: list.properties, isPublic: call.caller == .nobody)
        let document = TileJSON(
            name: selection.title,
            description: selection.description,
            tiles: "\(address)/{z}/{y}/{x}\(query.query([:]))",
            layers: layers,
            bounds: try await bounds(of: selection.collections, call))
        return Self.response(to: call, with: document.json)
    }

    /// Returns the bounds of the features in collections that the caller can see.
    ///
    /// They are the world if the caller cannot read one of the collections.
    private func bounds(of collections: [FeatureCollection], _ call: Call) async throws -> TileBounds {
        guard collections.allSatisfy(call.canRead) else { return .world }
        let views = try collections.map(call.view)
        return try await store.read(for: call.requester) { session in
            TileBounds(around: try views.compactMap { view in try view.extent(in: session)?.box })
        }
    }

    /// Responds with a document that depends on the caller, and with its tag.
    static func response(to call: Call, with document: JSON) -> Response {
        let tag = EntityTag(of: [document.text])
        guard !tag.matches(ifNoneMatch: call.request) else { return .notModified(tag) }
        return Response(document, headers: [.eTag: tag.text]).forOneViewer
    }

    @Sendable private func tile(_ call: Call, _ collection: FeatureCollection) async throws -> Response {
        try await tile(of: TileSelection(collection), call, filters: call.parameters)
    }

    /// Responds with a tile that has a layer for each collection with features.
    func tile(
        of selection: TileSelection,
        _ call: Call,
        filters: RequestParameters
    ) async throws -> Response {
        let tile = try MapTile(call.context)
        let views = try selection.collections.map(call.view)
        let list = try FeatureRequest(filters, sorts: [], accept: nil)
        let isPublic = call.caller == .nobody
        // A client without a token has no events of its own and follows no user.
        if isPublic, list.scope ?? .all != .all { throw Problem.notSignedIn }
        let layers = try selection.layers(with: list.properties, isPublic: isPublic)
        let ids = selection.collections.map(\.id).joined(separator: ",")
        let tag = ResponseTag(
            call.request,
            of: views.part,
            for: call.caller,
            at: call.clock,
            dependsOnDay: selection.collections.contains(where: \.dependsOnDay),
            [ids, "tile", "\(tile.code)", filters.canonical])
        let encoding = ContentEncoding(for: call.request)
        return try await responses.response(to: call, encoding: encoding, on: .requests, tagged: tag) {
            session, begin in
            var bytes: [UInt8] = []
            // The layers of a tile are a repeated field, so a tile with all layers consists of tiles with one layer.
            for (view, layer) in zip(views, layers) {
                bytes += try view.bytes(of: tile, list, properties: layer.properties, in: session)
            }
            try begin([.contentType: ContentType.vectorTile.text]).append(bytes)
        }
    }
}

extension Route {
    /// Returns the route for the only tile matrix set, whose ID the paths in the document at `/api` contain.
    ///
    /// - Parameter requirement: Checks the other parameters of the path.
    /// - Returns: The route, which throws `not-found` for another tile matrix set.
    func ofMatrixSet(
        requiring requirement: @escaping @Sendable (ServerContext) throws -> Void = { _ in }
    ) -> Route {
        let parameter = "tileMatrixSet"
        return Route(
            method,
            path,
            match: { context in
                let match = try match(context)
                let id = try context.parameter(parameter)
                guard id == TileDocument.matrixSetID else {
                    throw HabitError(
                        .notFound,
                        "unknown tile matrix set '\(id)': use \(TileDocument.matrixSetID)",
                        field: parameter)
                }
                try requirement(context)
                return match
            },
            documented: { isKnownCaller in
                documented(isKnownCaller).map { operation in
                    let pattern = operation.path ?? path
                    return operation.at(pattern.replacing("{\(parameter)}", with: TileDocument.matrixSetID))
                }
            })
    }
}

extension MapTile {
    /// Creates the tile of a request.
    ///
    /// - Throws: `not-found` if the path contains no tile of WebMercatorQuad.
    init(_ context: ServerContext) throws {
        let words = try ["tileMatrix", "tileRow", "tileCol"].map { name in try context.parameter(name) }
        guard let tile = MapTile(zoom: words[0], row: words[1], column: words[2]) else {
            throw HabitError(
                .notFound,
                "there is no tile '\(words.joined(separator: "/"))': use ZOOM/ROW/COLUMN with \(Self.ranges)",
                field: "tileMatrix")
        }
        self = tile
    }

    /// The numbers of tiles in words.
    static let ranges =
        "a zoom from 0 to \(zooms.upperBound) and rows and columns less than 2 to the power of the zoom"

    /// Creates the tile with the numbers in a path, or returns `nil` if WebMercatorQuad has no such tile.
    init?(zoom: String, row: String, column: String) {
        guard let zoom = Self.number(zoom),
            let row = Self.number(row),
            let column = Self.number(column)
        else { return nil }
        self.init(zoom: zoom, row: row, column: column)
    }

    /// Returns the number of a path parameter, or `nil` if it is not a decimal number.
    ///
    /// A sign or a leading zero would give a tile several URLs.
    private static func number(_ word: String) -> Int? {
        guard word.utf8.allSatisfy({ digit in 48...57 ~= digit }) else { return nil }
        guard word == "0" || !word.hasPrefix("0") else { return nil }
        return Int(word)
    }
}
