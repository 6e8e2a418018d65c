import Base
import Geo
import HTTPTypes
import HabitModel
import Hummingbird
import Rendering
import StoreEngine

/// Routes of vector tiles (OGC API - Tiles, Part 1).
extension HabitatServer {
    func addTiles(to router: Router<HabitContext>) {
        let tile: RouterPath = "collections/:collection/tiles/:tileMatrixSet/:tileMatrix/:tileRow/:tileCol"
        router.route(tile, [.get: self.tile])
        router.route(
            "collections/:collection/tiles",
            [
                .get: { request, context in
                    let collection = try self.mapCollection(context)
                    return try self.document(request) { TileDocument(base: $0).tileSets(of: collection) }
                }
            ])
        router.route(
            "collections/:collection/tiles/:tileMatrixSet",
            [
                .get: { request, context in
                    let collection = try self.mapCollection(context)
                    try Self.checkMatrixSet(context)
                    return try self.document(request) { TileDocument(base: $0).tileSet(of: collection) }
                }
            ])
        router.route(
            "tileMatrixSets", [.get: { request, _ in try self.document(request) { TileDocument(base: $0).matrixSets } }]
        )
        router.route(
            "tileMatrixSets/:tileMatrixSet",
            [
                .get: { request, context in
                    try Self.checkMatrixSet(context)
                    return try self.document(request) { _ in TileDocument.matrixSet }
                }
            ])
    }

    /// Returns the collection of a request, which must have positions.
    private func mapCollection(_ context: HabitContext) throws -> FeatureCollection {
        let collection = try collection(context)
        guard collection.hasMap else {
            throw HabitError(
                .notFound,
                "the features of '\(collection.id)' have no positions, so there are no tiles: see /collections",
                field: "collection")
        }
        return collection
    }

    private static func checkMatrixSet(_ context: HabitContext) throws {
        let id = try context.parameter("tileMatrixSet")
        guard id == TileDocument.matrixSetID else {
            throw HabitError(
                .notFound, "unknown tile matrix set '\(id)': use \(TileDocument.matrixSetID)", field: "tileMatrixSet")
        }
    }

    private func tile(_ request: Request, _ context: HabitContext) async throws -> Response {
        let collection = try mapCollection(context)
        try Self.checkMatrixSet(context)
        let tile = try MapTile(context)
        let view = try await reading(collection, request)
        let parameters = try RequestParameters(
            request, known: collection.tileParameters.map(\.rawValue), repeatable: FeatureParameter.repeatable)
        let list = try FeatureRequest(parameters, sorts: [], accept: nil)
        // A client without a token has no events of its own and follows no user.
        if view.isPublic, list.scope ?? .all != .all { throw Problem.notSignedIn }
        let encoding = ContentEncoding(for: request)
        let tag = view.tag(of: request, [collection.id, "tile", "\(tile.code)", parameters.canonical])
        let requester = view.requester(client(of: request, context))
        return try await respond(encoding, context, for: requester, on: .requests, tagged: tag) { session, begin in
            let bytes = try view.bytes(of: tile, list, in: session)
            try begin([.contentType: MediaType.vectorTile.text]).append(bytes)
        }
    }
}

extension MapTile {
    /// Creates the tile of a request.
    ///
    /// - Throws: `not-found` if the path contains no tile of WebMercatorQuad.
    fileprivate init(_ context: HabitContext) throws {
        let words = try ["tileMatrix", "tileRow", "tileCol"].map { try context.parameter($0) }
        let numbers = words.compactMap { word in
            // A sign or a leading zero would give a tile several URLs.
            word.utf8.allSatisfy { 48...57 ~= $0 } && (word == "0" || !word.hasPrefix("0")) ? Int(word) : nil
        }
        guard numbers.count == 3, let tile = MapTile(zoom: numbers[0], row: numbers[1], column: numbers[2]) else {
            throw HabitError(
                .notFound,
                "there is no tile '\(words.joined(separator: "/"))': use ZOOM/ROW/COLUMN with a zoom from 0 to \(Self.zooms.upperBound) and rows and columns less than 2 to the power of the zoom",
                field: "tileMatrix")
        }
        self = tile
    }
}
