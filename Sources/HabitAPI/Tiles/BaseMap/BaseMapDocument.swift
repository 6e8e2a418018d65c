import Base
import Geo
import HabitIngest
import Rendering

/// The description of the base map for map clients (TileJSON 3.0.0).
struct BaseMapDocument {
    let tiles: BaseMapTiles
    /// The prefix of links.
    let base: String

    /// The template of the addresses of tiles.
    var address: String { "\(base)/basemap/{z}/{x}/{y}" }

    /// The document.
    ///
    /// Its bounds are the world, because the tiles of the program cover it.
    var json: JSON {
        [
            "tilejson": "3.0.0",
            "name": "Base map",
            "description": .text(description),
            "attribution": .text(attributions.map(\.html.text).joined(separator: " | ")),
            "scheme": "xyz",
            "tiles": [.text(address)],
            "minzoom": .integer(tiles.zooms.lowerBound),
            "maxzoom": .integer(tiles.zooms.upperBound),
            "bounds": [-180, -90, 180, 90],
            "vector_layers": .list(ownLayers + fileLayers),
        ]
    }

    private var description: String {
        let own = BaseMapTile.zooms.upperBound
        guard let file = tiles.file, let zooms = tiles.fileZooms else {
            return "Land, borders and large cities for the zooms 0 to \(own)."
        }
        return
            "Land, borders and large cities for the zooms 0 to \(own), and tiles of the schema \(file.description.schema.rawValue) for the zooms \(zooms.lowerBound) to \(zooms.upperBound)."
    }

    private var attributions: [Attribution] {
        guard let own = fileAttribution else { return [.naturalEarth] }
        return [.naturalEarth, own]
    }

    /// The credit for the data of the file, or `nil` without a credit.
    var fileAttribution: Attribution? {
        guard let text = tiles.file?.description.attribution, !text.isEmpty else { return nil }
        return Attribution(untrusted: text)
    }

    private var ownLayers: [JSON] {
        BaseMapTile.Layer.allCases.map { layer in
            let fields: JSON = layer == .cities ? ["name": "String", "rank": "Number"] : [:]
            return Self.layer(layer.rawValue, zooms: BaseMapTile.zooms, fields: fields)
        }
    }

    private var fileLayers: [JSON] {
        guard let file = tiles.file, let zooms = tiles.fileZooms else { return [] }
        return file.description.layers.map { layer in
            let fields = layer.fields.mapValues { type in JSON.text(type) }
            return Self.layer(layer.id, zooms: zooms, fields: .object(fields))
        }
    }

    private static func layer(_ id: String, zooms: ClosedRange<Int>, fields: JSON) -> JSON {
        [
            "id": .text(id),
            "minzoom": .integer(zooms.lowerBound),
            "maxzoom": .integer(zooms.upperBound),
            "fields": fields,
        ]
    }
}

extension BoundingBox {
    /// The edges in the order of RFC 7946, in degrees.
    var edges: JSON { [.number(west), .number(south), .number(east), .number(north)] }
}
