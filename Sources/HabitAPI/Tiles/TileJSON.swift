import Base
import Geo

/// The form of the description of tiles.
enum TileSetForm: String, CaseIterable {
    case json, tilejson
}

/// The description of tiles for map clients (TileJSON 3.0.0).
struct TileJSON {
    /// A layer of the tiles.
    struct Layer {
        /// The ID of the layer, which is the ID of its collection.
        let id: String
        /// The title of the collection.
        let title: String
        /// The names of the properties of a point.
        let properties: [String]

        /// Creates the layer of a collection.
        init(_ collection: FeatureCollection, properties: [String]) {
            id = collection.id
            title = collection.title
            self.properties = properties
        }
    }

    /// A short title of the tiles.
    let name: String
    /// The content of the tiles.
    let description: String
    /// The absolute address of the tiles, with `{z}`, `{x}` and `{y}` in place of the zoom, the column and the row.
    let tiles: String
    /// The layers of the tiles.
    let layers: [Layer]
    /// A box that contains the features.
    let bounds: TileBounds

    /// The document.
    ///
    /// It has no attribution, because the users of the server have entered the records.
    var json: JSON {
        [
            "tilejson": "3.0.0",
            "name": .text(name),
            "description": .text(description),
            "scheme": "xyz",
            "tiles": [.text(tiles)],
            "minzoom": .integer(MapTile.zooms.lowerBound),
            "maxzoom": .integer(MapTile.zooms.upperBound),
            "bounds": .list(bounds.sides.map { side in .integer(side) }),
            "vector_layers": .list(layers.map(Self.json)),
        ]
    }

    private static func json(of layer: Layer) -> JSON {
        var fields: [String: JSON] = ["count": "Number"]
        for name in layer.properties { fields[name] = "String" }
        return [
            "id": .text(layer.id),
            "description": .text(layer.title),
            "minzoom": .integer(MapTile.zooms.lowerBound),
            "maxzoom": .integer(MapTile.zooms.upperBound),
            "fields": .object(fields),
        ]
    }
}

/// A box of whole degrees in which a map requests tiles.
///
/// Clients request no tiles outside it. A client may round the box to tiles so that a tile at its eastern or southern
/// edge is outside. Each edge is therefore beyond the positions.
struct TileBounds: Sendable {
    /// The latitude up to which a map has complete tiles, in degrees.
    private static let edge = 85

    /// The box of all positions.
    static let world = TileBounds(sides: [-180, -90, 180, 90])

    /// The west, the south, the east and the north, in degrees.
    let sides: [Int]

    private init(sides: [Int]) {
        self.sides = sides
    }

    /// Creates the bounds of the tiles with positions in some boxes.
    ///
    /// - Parameter boxes: Boxes that do not cross the antimeridian. Without boxes, the bounds are the world.
    init(around boxes: [BoundingBox]) {
        guard let west = boxes.map(\.west).min(),
            let south = boxes.map(\.south).min(),
            let east = boxes.map(\.east).max(),
            let north = boxes.map(\.north).max()
        else {
            self = .world
            return
        }
        // A position on the antimeridian is in a tile of the first column.
        let touchesAntimeridian = east >= 180
        sides = [
            touchesAntimeridian ? -180 : Int(west.rounded(.down)),
            min(max(Int(south.rounded(.up)) - 1, -90), Self.edge),
            min(Int(east.rounded(.down)) + 1, 180),
            max(min(Int(north.rounded(.down)) + 1, 90), -Self.edge),
        ]
    }
}
