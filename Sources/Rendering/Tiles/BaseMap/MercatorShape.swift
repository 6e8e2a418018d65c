import Geo

/// A line of the base map in Web Mercator.
///
/// The map is the square from 0 to 1, from the west and from the north. Land near a pole is beyond it.
struct MercatorLine: Sendable {
    private let points: [DrawingPoint]
    private let left: Double
    private let right: Double
    private let top: Double
    private let bottom: Double

    init(_ line: BaseMap.Line) {
        points = line.points.map { point in
            (x: MapPoint.x(ofLongitude: point.longitude), y: MapPoint.y(ofLatitude: point.latitude))
        }
        left = MapPoint.x(ofLongitude: line.box.west)
        right = MapPoint.x(ofLongitude: line.box.east)
        top = MapPoint.y(ofLatitude: line.box.north)
        bottom = MapPoint.y(ofLatitude: line.box.south)
    }

    /// Returns the numbers of turns around the Earth, from -1 to 1, after which the line may be visible in a frame.
    func turns(in frame: TileFrame) -> [Int] {
        guard bottom >= frame.top, top <= frame.bottom else { return [] }
        return [-1, 0, 1].filter { turn in
            let turn = Double(turn)
            return right + turn >= frame.left && left + turn <= frame.right
        }
    }

    /// Returns the line in units of a tile, without vertices that are closer than a tolerance to the preceding one.
    ///
    /// The remaining vertices are the same in all tiles of a zoom, so that neighboring tiles fit together.
    ///
    /// - Parameters:
    ///   - frame: The tile.
    ///   - turn: The number of turns around the Earth.
    ///   - tolerance: The minimum distance of the vertices in one direction, in units of the tile.
    /// - Returns: The vertices. The first and the last vertex remain.
    func vertices(in frame: TileFrame, turn: Int, tolerance: Int) -> [DrawingPoint] {
        let units = frame.unitsOfMap
        let left = frame.column * VectorTileLayer.extent - turn * Int(units)
        let top = frame.row * VectorTileLayer.extent
        var kept: [TilePoint] = []
        for (index, point) in points.enumerated() {
            let x = (point.x * units).rounded()
            let y = (point.y * units).rounded()
            let vertex = TilePoint(x: Int(x), y: Int(y))
            let isEnd = index == 0 || index == points.count - 1
            if !isEnd, let last = kept.last, last.distance(to: vertex) < tolerance { continue }
            kept.append(vertex)
        }
        return kept.map { vertex in (x: Double(vertex.x - left), y: Double(vertex.y - top)) }
    }
}

/// A part of the land in Web Mercator.
struct MercatorPolygon: Sendable {
    let outline: MercatorLine
    let holes: [MercatorLine]

    init(_ polygon: LandPolygon) {
        outline = MercatorLine(polygon.outline)
        holes = polygon.holes.map { hole in MercatorLine(hole) }
    }
}

/// A tile with a buffer around it, in the coordinates of ``MercatorLine``.
struct TileFrame {
    /// The width of the buffer in units of the tile.
    static let buffer = 64

    let row: Int
    let column: Int
    /// The number of units on a side of the map.
    let unitsOfMap: Double
    let left: Double
    let right: Double
    let top: Double
    let bottom: Double
    /// The area of the tile and its buffer in units of the tile.
    let area: ConvexArea

    init(_ tile: MapTile) {
        let extent = VectorTileLayer.extent
        let units = Double(extent << tile.zoom)
        let side = Double(extent + 2 * Self.buffer)
        let start = Double(-Self.buffer)
        row = tile.row
        column = tile.column
        unitsOfMap = units
        left = (Double(tile.column * extent) + start) / units
        top = (Double(tile.row * extent) + start) / units
        right = left + side / units
        bottom = top + side / units
        area = .rectangle(left: start, top: start, width: side, height: side)
    }
}

extension TilePoint {
    /// The larger of the distances in the two directions.
    fileprivate func distance(to other: TilePoint) -> Int {
        max(abs(x - other.x), abs(y - other.y))
    }
}
