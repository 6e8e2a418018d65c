import Base
import Geo
import HTTPServing
import HTTPTypes
import HabitModel
import HabitStore
import Hummingbird
import Rendering
import StoreEngine

/// Routes with which everyone who has the address of a shared view reads it: files, tiles, and their descriptions.
///
/// The path contains a secret, so that a client needs no token. The secret opens only the view. The logs contain the pattern
/// of the path and not the path.
package struct SharedViewRoutes: RouteGroup {
    private let reader: SharedViewReader
    private let baseMap: BaseMapTiles

    /// Creates the routes.
    ///
    /// - Parameters:
    ///   - reader: Finds the views.
    ///   - baseMap: The tiles of the base map, which the style names.
    package init(reader: SharedViewReader, baseMap: BaseMapTiles) {
        self.reader = reader
        self.baseMap = baseMap
    }

    package var routes: [Route] {
        let routes =
            SharedFile.all.map(fileRoute) + [
                Route(.get, "\(Self.path)/tiles.json", operation: Self.tileJSONOperation, handler: tileJSON),
                Route(.get, "\(Self.path)/style.json", operation: Self.styleOperation, handler: style),
                Route(
                    .get,
                    "\(Self.path)/{tileMatrix}/{tileCol}/{tileFile}",
                    operation: Self.tileOperation,
                    handler: tile),
            ]
        return routes.map { route in route.openToEveryOrigin() }
    }

    /// The pattern of the path of a view.
    private static let path = "/shared/{\(SharedViewReader.secret)}"

    /// The description of the path parameter with the secret.
    package static let secretParameter = JSON.pathParameter(SharedViewReader.secret, "Secret of the shared view.")

    /// The condition under which a view is not found, for descriptions.
    package static let absence = "Returns 404 if the address is unknown, has expired or was revoked."

    // MARK: Files

    private func fileRoute(_ file: SharedFile) -> Route {
        let kind = file.kind.rawValue
        let operation = RouteOperation(
            "shared.\(kind).\(file.format.rawValue)",
            summary: "Get the \(kind) of a shared view as \(file.format.rawValue)",
            description:
                "Returns all \(kind) of the view, with rounded positions. A position in a private place of the owner is missing. \(Self.absence)",
            permission: .everyone,
            pathParameters: [Self.secretParameter],
            // The handler checks the parameters after the secret.
            query: nil,
            content: .content(file.format.mediaType, schema: Self.schema(of: file.format)))
        return Route(.get, "\(Self.path)/\(file.name)", operation: operation) { call in
            try await respond(with: file, to: call)
        }
    }

    private static func schema(of format: OutputFormat) -> JSON {
        format == .geojson ? ["type": "object"] : ["type": "string", "format": "binary"]
    }

    private func respond(with file: SharedFile, to call: Call) async throws -> Response {
        let opened = try await reader.open(call)
        guard let layer = opened.layer(of: file) else { throw Self.unknownFile(file.name, of: opened) }
        var response = try await reader.responses.response(
            to: call,
            encoding: ContentEncoding(for: call.request),
            on: .responses
        ) { session, begin in
            let output = try begin([.contentType: file.format.mediaType.text])
            try file.write(layer, of: opened.view, in: session, to: output)
        }
        response.headers = response.headers.merging(.shared)
        return response
    }

    // MARK: Tiles

    private static let tileOperation = RouteOperation(
        "shared.getTile",
        summary: "Get a vector tile of a shared view",
        description:
            "Returns a Mapbox Vector Tile with a layer for each kind of record in the view. A tile with more than \(SharedView.pointLimit) records of a kind contains clusters with the property `count`. \(absence)",
        permission: .everyone,
        pathParameters: [
            secretParameter,
            .pathParameter("tileMatrix", "Zoom, from 0 to \(MapTile.zooms.upperBound).", schema: number),
            .pathParameter("tileCol", "Column of the tile, counted from the west.", schema: number),
            .pathParameter("tileFile", "Row of the tile, counted from the north, followed by `.mvt`."),
        ],
        query: nil,
        content: .content(.vectorTile, schema: ["type": "string", "format": "binary"]))

    private static let number: JSON = ["type": "integer", "minimum": 0]

    @Sendable private func tile(_ call: Call) async throws -> Response {
        let opened = try await reader.open(call)
        let file = try call.pathParameter("tileFile")
        let ending = ViewAddresses.tileEnding
        let zoom = try call.pathParameter("tileMatrix")
        let column = try call.pathParameter("tileCol")
        guard file.hasSuffix(ending),
            let tile = MapTile(zoom: zoom, row: String(file.dropLast(ending.count)), column: column)
        else {
            throw HabitError(
                .notFound,
                "there is no tile '\(zoom)/\(column)/\(file)': use ZOOM/COLUMN/ROW.mvt with \(MapTile.ranges)",
                field: "tileMatrix")
        }
        let bytes = try await reader.read(for: call) { session in
            try opened.tile(tile, in: session)
        }
        return try reader.response(to: call, body: bytes, headers: [.contentType: ContentType.vectorTile.text])
    }

    /// Returns the error for a file that a view does not have.
    private static func unknownFile(_ name: String, of opened: SharedViewReader.Opened) -> HabitError {
        let files = SharedFile.all.filter { file in opened.layer(of: file) != nil }
        let names = files.map(\.name) + ["tiles.json", "style.json", "{z}/{x}/{y}\(ViewAddresses.tileEnding)"]
        let known = names.joined(separator: ", ")
        return HabitError(.notFound, "the shared view has no file '\(name.prefix(40))': use one of \(known)")
    }

    // MARK: Descriptions of tiles

    private static let tileJSONOperation = RouteOperation(
        "shared.getTileSet",
        summary: "Describe the tiles of a shared view",
        description: "Returns TileJSON 3.0.0. Its bounds contain the rounded positions. \(absence)",
        permission: .everyone,
        pathParameters: [secretParameter],
        query: nil,
        content: .content(.json, schema: ["type": "object"]))

    @Sendable private func tileJSON(_ call: Call) async throws -> Response {
        let opened = try await reader.open(call)
        let boxes = try await reader.read(for: call) { session in
            try opened.layers.compactMap { layer in try opened.view.summary(of: layer, in: session).box }
        }
        let document = TileJSON(
            name: "Shared view",
            description: "Records that a user shares, with rounded positions.",
            tiles: opened.addresses.tiles,
            layers: zip(opened.collections, opened.layers).map { collection, layer in
                TileJSON.Layer(collection, properties: layer.tileProperties)
            },
            bounds: TileBounds(around: boxes))
        return try respond(with: document.json, to: call)
    }

    private func respond(with document: JSON, to call: Call) throws -> Response {
        try reader.response(to: call, body: document.bytes, headers: [.contentType: ContentType.json.text])
    }

    // MARK: Style

    /// The name of the query parameter with the colors.
    private static let theme = "theme"

    private static let styleOperation = RouteOperation(
        "shared.style",
        summary: "Get the map style of a shared view",
        description:
            "Returns a style of MapLibre with the base map, and the points and clusters of the view on it. The query parameter `theme` is `light` or `dark`. \(absence)",
        permission: .everyone,
        pathParameters: [secretParameter],
        query: nil,
        content: .content(.json, schema: ["type": "object"]))

    @Sendable private func style(_ call: Call) async throws -> Response {
        let opened = try await reader.open(call, parameters: [Self.theme])
        let theme = try opened.parameters.choice(Self.theme, StyleTheme.self) ?? .light
        let document = StyleDocument(
            theme: theme,
            baseMap: BaseMapStyle(theme: theme, tiles: baseMap, base: call.base),
            collections: opened.collections,
            showsStatus: opened.view.definition.showsStatus,
            tiles: opened.addresses.tileJSON)
        return try respond(with: document.json, to: call)
    }
}

extension SharedViewReader.Opened {
    /// Returns the layer whose records a file contains, or `nil` if the view does not show it.
    fileprivate func layer(of file: SharedFile) -> SharedLayer? {
        layers.first { layer in layer.kind == file.kind }
    }

    /// Returns the bytes of a tile: a layer for each kind of record, or no bytes without records.
    func tile(_ tile: MapTile, in session: any Session) throws -> [UInt8] {
        var bytes: [UInt8] = []
        // The layers of a tile are a repeated field, so a tile with all layers consists of tiles with one layer.
        for (collection, layer) in zip(collections, layers) {
            let content = try view.content(of: tile, layer, in: session)
            bytes += VectorTileLayer(collection, content, properties: layer.tileProperties, of: tile).tile
        }
        return bytes
    }
}
