import Base
import Geo
import HabitIngest
import Rendering

/// The sources and the layers of a style that show the base map (MapLibre Style Specification, version 8).
struct BaseMapStyle {
    /// The source with the tiles of the program.
    private static let world = "world"
    /// The source with the tiles of the file.
    static let streets = "streets"
    /// The source with the area of the file.
    private static let area = "streets-area"

    let theme: StyleTheme
    let document: BaseMapDocument

    /// Creates the base map of a style.
    ///
    /// - Parameters:
    ///   - theme: The colors.
    ///   - tiles: The tiles.
    ///   - base: The prefix of links.
    init(theme: StyleTheme, tiles: BaseMapTiles, base: String) {
        self.theme = theme
        document = BaseMapDocument(tiles: tiles, base: base)
    }

    // MARK: Sources

    /// The sources by their names.
    ///
    /// Each source has its own zooms, so that a client enlarges the tiles of the program outside of the area of the file.
    var sources: [String: JSON] {
        var sources = [
            Self.world: source(
                zooms: BaseMapTile.zooms,
                bounds: .world,
                attribution: .naturalEarth)
        ]
        guard let file = document.tiles.file, let zooms = document.tiles.fileZooms else { return sources }
        let bounds = file.description.bounds
        sources[Self.streets] = source(
            zooms: zooms,
            bounds: bounds.crossesAntimeridian ? .world : bounds,
            attribution: document.fileAttribution)
        sources[Self.area] = ["type": "geojson", "data": Self.feature(of: bounds)]
        return sources
    }

    private func source(zooms: ClosedRange<Int>, bounds: BoundingBox, attribution: Attribution?) -> JSON {
        var source: [String: JSON] = [
            "type": "vector",
            "tiles": [.text(document.address)],
            "minzoom": .integer(zooms.lowerBound),
            "maxzoom": .integer(zooms.upperBound),
            "bounds": bounds.edges,
        ]
        if let attribution { source["attribution"] = .text(attribution.html.text) }
        return .object(source)
    }

    /// Returns a feature with the area of a box.
    private static func feature(of box: BoundingBox) -> JSON {
        let polygons = box.halves.map { half in
            let ring: [JSON] = [
                [.number(half.west), .number(half.south)],
                [.number(half.east), .number(half.south)],
                [.number(half.east), .number(half.north)],
                [.number(half.west), .number(half.north)],
                [.number(half.west), .number(half.south)],
            ]
            return JSON.list([.list(ring)])
        }
        return [
            "type": "Feature",
            "properties": [:],
            "geometry": ["type": "MultiPolygon", "coordinates": .list(polygons)],
        ]
    }

    // MARK: Layers

    /// The layers from the lowest to the highest.
    var layers: [JSON] { worldShapes + streetShapes + worldNames + streetNames }

    private var worldShapes: [JSON] {
        [
            ["id": "background", "type": "background", "paint": ["background-color": .text(theme.water)]],
            worldLayer(.land, type: "fill", paint: ["fill-color": .text(theme.land)]),
            worldLayer(
                .borders,
                type: "line",
                paint: ["line-color": .text(theme.border), "line-width": 1]),
        ]
    }

    /// The names of large cities, which the names of the file replace.
    private var worldNames: [JSON] {
        // The more a map is enlarged, the more cities have a name.
        let rank: JSON = ["step", ["zoom"], 15, 2, 40, 4, 100, 5, 1000]
        let names = worldLayer(
            .cities,
            type: "symbol",
            filter: ["<=", ["get", "rank"], rank],
            layout: StyleLayer.name(size: 12).merging(["symbol-sort-key": ["get", "rank"]]),
            paint: StyleLayer.paint(ofNames: theme.names, halo: theme.halo))
        guard let zooms = document.tiles.fileZooms else { return [names] }
        return [names.merging(["maxzoom": .integer(zooms.lowerBound)])]
    }

    private func worldLayer(
        _ layer: BaseMapTile.Layer,
        type: String,
        filter: JSON? = nil,
        layout: JSON = [:],
        paint: JSON
    ) -> JSON {
        StyleLayer(
            id: layer.rawValue,
            type: type,
            source: Self.world,
            sourceLayer: layer.rawValue,
            filter: filter,
            layout: layout,
            paint: paint
        ).json
    }

    /// The area of the file, which covers the coarse coasts of the program, and the shapes of the file.
    private var streetShapes: [JSON] {
        guard let file = document.tiles.file, let zooms = document.tiles.fileZooms else { return [] }
        let area: JSON = [
            "id": .text(Self.area),
            "type": "fill",
            "source": .text(Self.area),
            "minzoom": .integer(zooms.lowerBound),
            "paint": ["fill-color": .text(theme.land)],
        ]
        return [area] + StreetStyle(theme: theme, schema: file.description.schema).shapes
    }

    private var streetNames: [JSON] {
        guard let file = document.tiles.file else { return [] }
        return StreetStyle(theme: theme, schema: file.description.schema).names
    }
}
