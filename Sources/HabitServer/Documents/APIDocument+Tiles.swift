import Base
import Geo
import HabitStore

extension APIDocument {
    /// Adds the paths of vector tiles.
    ///
    /// The IDs of the operations end as OGC API - Tiles, Part 1, requirement `/req/oas30/operation-id`, demands.
    func addTilePaths(to paths: inout [String: JSON]) {
        paths["/tileMatrixSets"] = [
            "get": Self.document(
                "tileMatrixSets", "List tile matrix sets", "Returns the ID and the definition of each tile matrix set.")
        ]
        paths["/tileMatrixSets/\(TileDocument.matrixSetID)"] = [
            "get": Self.document(
                "tileMatrixSet", "Get a tile matrix set", "Returns the definition of the tile matrix set.")
        ]
        for collection in FeatureCollection.all where collection.hasMap { addTilePaths(of: collection, to: &paths) }
    }

    private func addTilePaths(of collection: FeatureCollection, to paths: inout [String: JSON]) {
        let (path, name) = ("/collections/\(collection.id)/tiles", "\(collection.id).collection.vector")
        paths[path] = [
            "get": Self.document(
                "\(name).getTileSetsList", "List tile sets of \(collection.id)",
                "Returns the tile sets of the collection and their links.")
        ]
        paths["\(path)/\(TileDocument.matrixSetID)"] = [
            "get": Self.document(
                "\(name).getTileSet", "Describe the tiles of \(collection.id)",
                "Returns the zooms, the layer and the properties of the tiles.")
        ]
        let isPublic = server.options.publicCollections.contains(collection.id)
        paths["\(path)/\(TileDocument.matrixSetID)/{tileMatrix}/{tileRow}/{tileCol}"] = [
            "parameters": .list(Self.tileParameters),
            "get": Self.operation(
                "\(name).getTile", "Get a vector tile of \(collection.id)",
                "Returns a Mapbox Vector Tile with one layer, which has the ID of the collection. A tile with more than \(MapQuery.pointLimit) features contains clusters with the property `count`. A tile without features has no bytes. Returns 404 if there is no such tile.",
                parameters: collection.tileParameters.map { $0.description(sorts: []) },
                content: [MediaType.vectorTile.text: ["schema": ["type": "string", "format": "binary"]]]
            ).merging(isPublic ? ["security": [["token": []], [:]]] : [:]),
        ]
    }

    /// The parameters in the path of a tile.
    private static var tileParameters: [JSON] {
        let parameters = [
            ("tileMatrix", "Zoom, from 0 to \(MapTile.zooms.upperBound)."),
            ("tileRow", "Row of the tile, counted from the north."),
            ("tileCol", "Column of the tile, counted from the west."),
        ]
        return parameters.map { name, meaning in
            [
                "name": .text(name), "in": "path", "required": true, "description": .text(meaning),
                "schema": ["type": "integer", "minimum": 0],
            ]
        }
    }
}
