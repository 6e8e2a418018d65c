import Base
import Foundation
import Geo
import HabitStore

/// The documents that describe tiles (OGC API - Tiles, Part 1, and OGC 17-083r4).
struct TileDocument {
    /// The ID of the only tile matrix set.
    static let matrixSetID = "WebMercatorQuad"
    private static let matrixSetURI = "http://www.opengis.net/def/tilematrixset/OGC/1.0/WebMercatorQuad"
    private static let crs = "http://www.opengis.net/def/crs/EPSG/0/3857"
    /// The relations of links (OGC API - Tiles, Part 1, tables 3 and 4).
    private static let tileSetsRelation = "http://www.opengis.net/def/rel/ogc/1.0/tilesets-vector"
    private static let matrixSetRelation = "http://www.opengis.net/def/rel/ogc/1.0/tiling-scheme"
    private static let featuresRelation = "http://www.opengis.net/def/rel/ogc/1.0/geodata"

    /// The conformance classes of tiles.
    static let conformance = [
        "http://www.opengis.net/spec/ogcapi-tiles-1/1.0/conf/core",
        "http://www.opengis.net/spec/ogcapi-tiles-1/1.0/conf/tileset",
        "http://www.opengis.net/spec/ogcapi-tiles-1/1.0/conf/tilesets-list",
        "http://www.opengis.net/spec/ogcapi-tiles-1/1.0/conf/geodata-tilesets",
        "http://www.opengis.net/spec/ogcapi-tiles-1/1.0/conf/mvt",
        "http://www.opengis.net/spec/ogcapi-tiles-1/1.0/conf/oas30",
        "http://www.opengis.net/spec/tms/2.0/conf/tilematrixset",
        "http://www.opengis.net/spec/tms/2.0/conf/json-tilematrixset",
        "http://www.opengis.net/spec/tms/2.0/conf/tilesetmetadata",
        "http://www.opengis.net/spec/tms/2.0/conf/json-tilesetmetadata",
    ]

    /// The relation of the link to the tile matrix sets.
    static let matrixSetsRelation = "http://www.opengis.net/def/rel/ogc/1.0/tiling-schemes"

    /// Returns the link from the description of a collection to its tile sets, if it has any.
    static func links(of collection: FeatureCollection, _ address: String) -> [JSON] {
        guard collection.hasMap else { return [] }
        return [FeaturePage.link(tileSetsRelation, to: "\(address)/tiles", type: .json, title: "Vector tiles")]
    }

    /// The prefix of links.
    let base: String

    private func address(_ collection: FeatureCollection) -> String { "\(base)/collections/\(collection.id)/tiles" }

    /// Returns the list of the tile sets of a collection.
    func tileSets(of collection: FeatureCollection) -> JSON {
        [
            "links": [FeaturePage.link("self", to: address(collection), type: .json)],
            "tilesets": [summary(of: collection)],
        ]
    }

    private func summary(of collection: FeatureCollection) -> JSON {
        let address = "\(address(collection))/\(Self.matrixSetID)"
        return [
            "title": .text(collection.title),
            "dataType": "vector",
            "crs": .text(Self.crs),
            "tileMatrixSetURI": .text(Self.matrixSetURI),
            "links": [
                FeaturePage.link("self", to: address, type: .json),
                FeaturePage.link(Self.matrixSetRelation, to: matrixSetAddress, type: .json),
            ],
        ]
    }

    private var matrixSetAddress: String { "\(base)/tileMatrixSets/\(Self.matrixSetID)" }

    /// Returns the description of the tile set of a collection.
    func tileSet(of collection: FeatureCollection) -> JSON {
        let address = "\(address(collection))/\(Self.matrixSetID)"
        var properties: [String: JSON] = ["count": ["type": "integer"]]
        for name in collection.tileProperties + collection.optionalTileProperties {
            properties[name] = ["type": "string"]
        }
        return summary(of: collection).merging([
            "description": .text(collection.description),
            "accessConstraints": "restricted",
            "layers": [
                [
                    "id": .text(collection.id),
                    "title": .text(collection.title),
                    "dataType": "vector",
                    "geometryDimension": 0,
                    "propertiesSchema": [
                        "type": "object",
                        "properties": .object(properties),
                    ],
                ]
            ],
            "tileMatrixSetLimits": .list(MapTile.zooms.map(Self.limit)),
            "links": [
                FeaturePage.link("self", to: address, type: .json),
                FeaturePage.link(Self.matrixSetRelation, to: matrixSetAddress, type: .json),
                FeaturePage.link("item", to: "\(address)/{tileMatrix}/{tileRow}/{tileCol}", type: .vectorTile)
                    .merging(["templated": true]),
                FeaturePage.link("describedby", to: "\(address)?f=tilejson", type: .json, title: "TileJSON"),
                FeaturePage.link(Self.featuresRelation, to: "\(base)/collections/\(collection.id)", type: .json),
            ],
        ])
    }

    private static func limit(zoom: Int) -> JSON {
        [
            "tileMatrix": .text("\(zoom)"),
            "minTileRow": 0,
            "maxTileRow": .integer(1 << zoom - 1),
            "minTileCol": 0,
            "maxTileCol": .integer(1 << zoom - 1),
        ]
    }

    /// The list of the tile matrix sets.
    var matrixSets: JSON {
        [
            "tileMatrixSets": [
                [
                    "id": .text(Self.matrixSetID),
                    "title": "Google Maps Compatible for the World",
                    "uri": .text(Self.matrixSetURI),
                    "crs": .text(Self.crs),
                    "links": [FeaturePage.link(Self.matrixSetRelation, to: matrixSetAddress, type: .json)],
                ]
            ]
        ]
    }

    /// The definition of WebMercatorQuad (OGC 17-083r4, annex D.1).
    static let matrixSet: JSON = [
        "id": .text(matrixSetID),
        "title": "Google Maps Compatible for the World",
        "uri": .text(matrixSetURI),
        "crs": .text(crs),
        "orderedAxes": ["X", "Y"],
        "wellKnownScaleSet": "http://www.opengis.net/def/wkss/OGC/1.0/GoogleMapsCompatible",
        "tileMatrices": .list(MapTile.zooms.map(matrix)),
    ]

    private static func matrix(zoom: Int) -> JSON {
        /// Half the circumference of the Earth, in meters.
        let half = 20_037_508.342789244
        /// The side of a tile, in pixels.
        let tile = 256.0
        /// The side of a pixel, in meters.
        let pixel = 0.00028
        let cell = 2 * half / tile / Double(1 << zoom)
        return [
            "id": .text("\(zoom)"),
            "cellSize": .number(cell),
            "scaleDenominator": .number(cell / pixel),
            "cornerOfOrigin": "topLeft",
            "pointOfOrigin": [.number(-half), .number(half)],
            "tileWidth": 256,
            "tileHeight": 256,
            "matrixWidth": .integer(1 << zoom),
            "matrixHeight": .integer(1 << zoom),
        ]
    }
}
