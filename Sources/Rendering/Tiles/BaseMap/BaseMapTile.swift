import Geo

/// A tile of the base map that is part of the program.
///
/// It has a layer of land, a layer of borders and a layer of cities. A tile in the sea has no layers.
package struct BaseMapTile {
    /// The layers of the tiles.
    package enum Layer: String, CaseIterable, Sendable {
        case land = "world-land"
        case borders = "world-borders"
        case cities = "world-cities"
    }

    /// The zooms of the tiles.
    ///
    /// The map has no details for higher zooms.
    package static let zooms = 0...8
    /// The zoom from which on the map is fine.
    private static let fineZoom = 2
    /// The minimum distance of vertices in units of the tile: half a pixel of a tile of 512 pixels.
    static let tolerance = 4

    private let tile: MapTile
    private let frame: TileFrame
    private let map: MercatorMap

    /// Creates a tile, or returns `nil` if its zoom is too high.
    package init?(_ tile: MapTile) {
        guard Self.zooms.contains(tile.zoom) else { return nil }
        self.tile = tile
        frame = TileFrame(tile)
        map = .level(Self.level(at: tile.zoom))
    }

    /// Returns the level of detail of a zoom.
    static func level(at zoom: Int) -> BaseMap.Level {
        zoom < fineZoom ? .coarse : .fine
    }

    /// A Mapbox Vector Tile, or no bytes for a tile in the sea.
    ///
    /// The cost is one comparison for each line of the map, and a few operations for each vertex of the lines near the
    /// tile.
    package var bytes: [UInt8] {
        land.tile + borders.tile + cities.tile
    }

    // MARK: Land

    private var land: VectorTileLayer {
        var layer = VectorTileLayer(name: Layer.land.rawValue)
        for polygon in map.land {
            for turn in polygon.outline.turns(in: frame) {
                layer.append(geometry(of: polygon, turn: turn))
            }
        }
        return layer
    }

    /// Returns the part of a polygon in the tile.
    private func geometry(of polygon: MercatorPolygon, turn: Int) -> VectorTileGeometry {
        var geometry = VectorTileGeometry(.polygon)
        let outline = ring(polygon.outline, turn: turn)
        let holes = polygon.holes.map { hole in ring(hole, turn: turn) }
        let outlineArea = abs(outline.doubledArea)
        let holesArea = holes.reduce(0) { sum, hole in sum + abs(hole.doubledArea) }
        // A tile in the middle of an inland sea is inside the outline and inside the hole.
        guard outlineArea > holesArea else { return geometry }
        geometry.append(ring: outline.doubledArea > 0 ? outline : outline.reversed())
        for hole in holes where hole.doubledArea != 0 {
            geometry.append(ring: hole.doubledArea < 0 ? hole : hole.reversed())
        }
        return geometry
    }

    /// Returns the part of a closed line in the tile: different vertices, or none if it has no area in the tile.
    private func ring(_ line: MercatorLine, turn: Int) -> [TilePoint] {
        guard line.turns(in: frame).contains(turn) else { return [] }
        let vertices = line.vertices(in: frame, turn: turn, tolerance: Self.tolerance)
        var points = Self.rounded(frame.area.clip(ring: vertices))
        if points.count > 1, points.first == points.last { points.removeLast() }
        return points.count < 3 ? [] : points
    }

    // MARK: Borders

    private var borders: VectorTileLayer {
        var geometry = VectorTileGeometry(.line)
        for border in map.borders {
            for turn in border.turns(in: frame) {
                let vertices = border.vertices(in: frame, turn: turn, tolerance: Self.tolerance)
                for part in frame.area.clip(line: vertices) {
                    geometry.append(line: Self.rounded(part))
                }
            }
        }
        var layer = VectorTileLayer(name: Layer.borders.rawValue)
        layer.append(geometry)
        return layer
    }

    /// Returns points with integers as coordinates, without points that are equal to the preceding one.
    private static func rounded(_ points: [DrawingPoint]) -> [TilePoint] {
        var rounded: [TilePoint] = []
        for point in points {
            let x = Int(point.x.rounded())
            let y = Int(point.y.rounded())
            let point = TilePoint(x: x, y: y)
            if point != rounded.last { rounded.append(point) }
        }
        return rounded
    }

    // MARK: Cities

    private var cities: VectorTileLayer {
        var layer = VectorTileLayer(name: Layer.cities.rawValue, keys: ["name", "rank"])
        for (rank, city) in BaseMap.level(Self.level(at: tile.zoom)).cities.enumerated() {
            let point = MapPoint(city.position)
            guard tile.contains(point) else { continue }
            let offset = tile.offset(of: point, bits: VectorTileLayer.bits)
            let number = Int64(rank + 1)
            layer.append(
                x: offset.x,
                y: offset.y,
                values: [.text(city.name), .integer(number)])
        }
        return layer
    }
}

/// The lines of a level of the base map in Web Mercator.
private struct MercatorMap: Sendable {
    let land: [MercatorPolygon]
    let borders: [MercatorLine]

    private static let coarse = MercatorMap(.coarse)
    private static let fine = MercatorMap(.fine)

    private init(_ level: BaseMap.Level) {
        land = LandPolygon.all(at: level).map { polygon in MercatorPolygon(polygon) }
        borders = BaseMap.level(level).borders.map { border in MercatorLine(border) }
    }

    /// Returns the lines of a level, which stay in memory.
    static func level(_ level: BaseMap.Level) -> MercatorMap {
        switch level {
        case .coarse: coarse
        case .fine: fine
        }
    }
}
