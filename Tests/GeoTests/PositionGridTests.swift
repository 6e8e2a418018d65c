import Geo
import HabitTestSupport
import Testing

/// Tests the grid in which others see the position of an item (G-09).
@Suite(.engineIndependent) struct PositionGridTests {
    private static func positions() -> [Position] {
        var random = SeededGenerator(seed: 91)
        let edges = [
            (0.0, 0.0),
            (180, 0),
            (-180, 0),
            (180, 90),
            (-180, -90),
            (0, 90),
            (0, -90),
            (12.3, 89.9999),
            (-77, -89.99995),
            (179.99999, 51),
            (-179.99999, 51),
            (10, 0.0036),
            (10, -0.0036),
            (0, 0.0018),
        ]
        let others = (0..<2000).map { _ -> (Double, Double) in
            let longitude = Double.random(in: -180...180, using: &random)
            let latitude = Double.random(in: -90...90, using: &random)
            return (longitude, latitude)
        }
        return (edges + others).compactMap { longitude, latitude in
            Position(longitude: longitude, latitude: latitude)
        }
    }

    /// The distance to the center is at most half the diagonal of a cell of 402 m.
    @Test func centerIsNearPosition() throws {
        for position in Self.positions() {
            let center = try #require(PositionGrid.items.center(of: position))
            let distance = Geodesic.distance(from: position, to: center).meters
            #expect(distance < 290, "\(position) \(center)")
            // Seven decimals, as in all outputs.
            for degrees in [center.longitude, center.latitude] { #expect((degrees * 1e7).rounded() / 1e7 == degrees) }
        }
    }

    @Test func centerIsInItsOwnCell() throws {
        for position in Self.positions() {
            let center = try #require(PositionGrid.items.center(of: position))
            #expect(PositionGrid.items.center(of: center) == center, "\(position)")
        }
    }

    @Test func positionsOfCellHaveSameCenter() throws {
        let home = try #require(Position(longitude: -9.1393, latitude: 38.7223))
        let center = try #require(PositionGrid.items.center(of: home))
        for azimuth in stride(from: 0.0, to: 360, by: 15) {
            let near = Geodesic.destination(from: center, azimuth: azimuth, distance: .meters(190))
            #expect(PositionGrid.items.center(of: near) == center, "\(azimuth)")
            let far = Geodesic.destination(from: center, azimuth: azimuth, distance: .meters(300))
            #expect(PositionGrid.items.center(of: far) != center, "\(azimuth)")
        }
    }

    /// The longitudes 180 and -180 are the same meridian.
    @Test(arguments: [-90.0, -60, 0, 38.7, 89.999, 90]) func antimeridianIsInOneCell(latitude: Double) throws {
        let east = try #require(Position(longitude: 180, latitude: latitude))
        let west = try #require(Position(longitude: -180, latitude: latitude))
        #expect(PositionGrid.items.center(of: east) == PositionGrid.items.center(of: west))
    }

    // MARK: Grids of shared views

    private static let grids: [(grid: PositionGrid, meters: Double)] = [
        (.street, 100), (.quarter, 1000), (.city, 10_000),
    ]

    /// Half the diagonal of a cell is 0.8 times its size, and larger only next to a pole.
    @Test(arguments: grids.indices) func centerOfGridIsNearPosition(index: Int) throws {
        let grid = Self.grids[index].grid
        for position in Self.positions() {
            let center = try #require(grid.center(of: position))
            let distance = Geodesic.distance(from: position, to: center).meters
            #expect(distance < 1.1 * Self.grids[index].meters, "\(position) \(center)")
            #expect(grid.center(of: center) == center, "\(position)")
            for degrees in [center.longitude, center.latitude] { #expect((degrees * 1e7).rounded() / 1e7 == degrees) }
        }
    }

    /// The box of positions must contain every position whose center is in the box, also at the edges of cells.
    @Test(arguments: grids.indices) func boxContainsPositionsWithCentersInBox(index: Int) throws {
        let grid = Self.grids[index].grid
        var random = SeededGenerator(seed: 57)
        let positions = Self.positions()
        for center in positions.prefix(300) {
            let radius = Double.random(in: 0...3, using: &random) * Self.grids[index].meters
            let box = BoundingBox.around(center, within: .meters(radius))
            let grown = grid.box(ofPositionsWithCentersIn: box)
            let near = (0..<20).map { _ in
                Geodesic.destination(
                    from: center,
                    azimuth: .random(in: 0..<360, using: &random),
                    distance: .meters(.random(in: 0...(2 * radius + 1), using: &random)))
            }
            for position in near + positions {
                let rounded = try #require(grid.center(of: position))
                #expect(!box.contains(rounded) || grown.contains(position), "\(center) \(radius) \(position)")
            }
        }
    }
}
