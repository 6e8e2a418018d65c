import Geo
import HabitTestSupport
import Testing

/// Areas with positions for which rounding would decide.
enum AreaSample {
    /// Returns an area, and positions on its borders or within half a nanodegree of them.
    ///
    /// All coordinates have at most seven decimals, so a position that is on a border in decimal notation is often not on
    /// it in binary notation.
    static func positionsNearBorders(using random: inout SeededGenerator) throws -> (area: Area, positions: [Position])
    {
        var polygons: [Polygon] = []
        var positions: [Position] = []
        for offset in [-50, 0] {
            let outer = try ring(in: offset * 10...offset * 10 + 400, using: &random)
            let hole = try ring(in: offset * 10 + 100...offset * 10 + 300, using: &random)
            polygons.append(try #require(Polygon(rings: [outer, hole])))
            for ring in [outer, hole] {
                for (a, b) in zip(ring, ring.dropFirst()) {
                    positions.append(a)
                    for parts in [2.0, 3, 5, 7, 10] {
                        positions.append(
                            try position(
                                a.longitude + (b.longitude - a.longitude) / parts,
                                a.latitude + (b.latitude - a.latitude) / parts))
                    }
                }
            }
        }
        return (try #require(Area(polygons)), positions)
    }

    /// Returns a closed ring of six random positions, whose coordinates are tenths of a degree.
    private static func ring(in tenths: ClosedRange<Int>, using random: inout SeededGenerator) throws -> [Position] {
        var ring: [Position] = []
        for _ in 0..<6 {
            let x = Int.random(in: tenths, using: &random)
            let y = Int.random(in: tenths, using: &random)
            ring.append(try position(Double(x) / 10, Double(y) / 10))
        }
        return ring + ring.prefix(1)
    }

    private static func position(_ longitude: Double, _ latitude: Double) throws -> Position {
        let x = (longitude * 1e7).rounded() / 1e7
        let y = (latitude * 1e7).rounded() / 1e7
        return try #require(Position(longitude: x, latitude: y))
    }
}
