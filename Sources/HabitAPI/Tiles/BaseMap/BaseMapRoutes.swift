import Base
import Geo
import HTTPServing
import HTTPTypes
import HabitIngest
import Hummingbird
import Rendering

/// The routes of the base map, which every page may read without a token.
package struct BaseMapRoutes: RouteGroup {
    let tiles: BaseMapTiles

    /// Creates the routes.
    ///
    /// - Parameter tiles: The tiles of the base map.
    package init(tiles: BaseMapTiles) { self.tiles = tiles }

    package var routes: [Route] {
        [
            Route(
                .get,
                "/basemap",
                operation: .ofDocument(
                    "basemap",
                    summary: "Describe the base map",
                    description:
                        "Returns TileJSON 3.0.0 of the base map: land, borders and large cities, and the layers of the operator's file."
                ),
                handler: description
            )
            .openToEveryOrigin(),
            Route(.get, "/basemap/{tileMatrix}/{tileCol}/{tileRow}", operation: Self.tileOperation, handler: tile)
                .openToEveryOrigin(),
        ]
    }

    private static let tileOperation = RouteOperation(
        "basemapTile",
        summary: "Get a vector tile of the base map",
        description:
            "Returns a Mapbox Vector Tile. Up to zoom \(BaseMapTile.zooms.upperBound), it is part of the program. Above this zoom, it comes from the operator's file. A tile without features has no bytes. Returns 404 above the zooms and outside the area of the file.",
        permission: .everyone,
        pathParameters: TileRoutes.tileParameters,
        content: .content(.vectorTile, schema: ["type": "string", "format": "binary"]))

    @Sendable private func description(_ call: Call) throws -> Response {
        try call.document(BaseMapDocument(tiles: tiles, base: call.base).json)
    }

    /// The caching of a tile, which changes only with the program and the file.
    private static let caching: HTTPFields = [.cacheControl: "public, max-age=86400", .vary: "Accept-Encoding"]

    @Sendable private func tile(_ call: Call) async throws -> Response {
        guard let tile = try? MapTile(call.context) else { throw unknownTile }
        guard let stored = try await tiles.tile(tile) else { throw notFound(tile) }
        let isCompressed = stored.isCompressed && ContentEncoding(for: call.request) == .gzip
        let tag = EntityTag(ofBody: stored.bytes).encoded(isCompressed ? .gzip : .identity)
        var headers = Self.caching.merging([.eTag: tag.text])
        guard !tag.matches(ifNoneMatch: call.request) else { return Response(status: .notModified, headers: headers) }
        headers[.contentType] = ContentType.vectorTile.text
        headers[.contentEncoding] = isCompressed ? "gzip" : nil
        let bytes = isCompressed ? stored.bytes : try await tiles.content(of: stored)
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    private var unknownTile: HabitError {
        HabitError(
            .notFound,
            "there is no such tile: use ZOOM/COLUMN/ROW with a zoom from 0 to \(tiles.zooms.upperBound) and columns and rows less than 2 to the power of the zoom",
            field: "tileMatrix")
    }

    private func notFound(_ tile: MapTile) -> HabitError {
        let own = BaseMapTile.zooms.upperBound
        let reason =
            tile.zoom > tiles.zooms.upperBound
            ? "the base map has the zooms 0 to \(tiles.zooms.upperBound): enlarge a tile of a lower zoom"
            : "the base map has no tile here above zoom \(own): enlarge a tile of this zoom"
        return HabitError(.notFound, reason, field: "tileMatrix")
    }
}
