/// A point of a tile in units of the tile, from the west and from the north.
package struct TilePoint: Hashable, Sendable {
    package var x: Int
    package var y: Int

    package init(x: Int, y: Int) {
        self.x = x
        self.y = y
    }
}

/// The geometry of a feature in a tile: commands that move a cursor.
///
/// Source: Mapbox Vector Tile Specification, version 2.1, section 4.3.
struct VectorTileGeometry {
    /// The type of the geometry.
    enum Kind: UInt64 {
        case point = 1
        case line = 2
        case polygon = 3
    }

    let kind: Kind
    /// The commands and their parameters.
    private(set) var commands: [UInt64] = []
    private var cursor = TilePoint(x: 0, y: 0)

    init(_ kind: Kind) { self.kind = kind }

    /// A point.
    static func point(_ point: TilePoint) -> VectorTileGeometry {
        var geometry = VectorTileGeometry(.point)
        geometry.begin(.moveTo, count: 1)
        geometry.move(to: point)
        return geometry
    }

    /// Appends a line with at least two points, no two consecutive ones of which are equal.
    mutating func append(line: [TilePoint]) {
        guard line.count >= 2 else { return }
        appendPath(line)
    }

    /// Appends a ring whose last point is not the first one.
    ///
    /// An outer ring has a positive area by the surveyor's formula, and a hole a negative area.
    mutating func append(ring: [TilePoint]) {
        guard ring.count >= 3 else { return }
        appendPath(ring)
        begin(.closePath, count: 1)
    }

    private enum Command: UInt64 {
        case moveTo = 1
        case lineTo = 2
        case closePath = 7
    }

    private mutating func appendPath(_ points: [TilePoint]) {
        begin(.moveTo, count: 1)
        move(to: points[0])
        begin(.lineTo, count: points.count - 1)
        for point in points.dropFirst() { move(to: point) }
    }

    private mutating func begin(_ command: Command, count: Int) {
        commands.append(UInt64(count) << 3 | command.rawValue)
    }

    private mutating func move(to point: TilePoint) {
        commands.append(Int64(point.x - cursor.x).zigzag)
        commands.append(Int64(point.y - cursor.y).zigzag)
        cursor = point
    }
}

extension [TilePoint] {
    /// The doubled area of a ring by the surveyor's formula.
    ///
    /// It is positive for an outer ring of the specification: clockwise in a tile, whose y axis points downward.
    var doubledArea: Int {
        guard var previous = last else { return 0 }
        var sum = 0
        for point in self {
            sum += previous.x * point.y - point.x * previous.y
            previous = point
        }
        return sum
    }
}
