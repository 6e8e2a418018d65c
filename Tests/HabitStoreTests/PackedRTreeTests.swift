import Geo
import HabitTestSupport
import Testing

@testable import HabitStore
@testable import StoreSpatiaLite

/// Tests that the cells of the curve contain their positions and that neighbors on the curve are close on the globe.
@Suite struct PackedRTreeTests {
    @Test(arguments: [UInt64.random(in: 0...(.max))]) func cellContainsItsPositions(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var positions = (0..<20_000).map { _ in
            (Double.random(in: -180...180, using: &random), Double.random(in: -90...90, using: &random))
        }
        positions += [
            (-180, -90),
            (180, 90),
            (-180, 90),
            (180, -90),
            (0, 0),
            (-0.0, 0),
            (179.9999999, -89.9999999),
        ]
        for (longitude, latitude) in positions {
            let position = try #require(Position(longitude: longitude, latitude: latitude))
            let box = HilbertCell(position).box
            #expect(Double(box.west) <= longitude, "\(position), seed \(seed)")
            #expect(longitude <= Double(box.east), "\(position), seed \(seed)")
            #expect(Double(box.south) <= latitude, "\(position), seed \(seed)")
            #expect(latitude <= Double(box.north), "\(position), seed \(seed)")
            // A cell is at most two units of a 32-bit float wide.
            #expect(box.east - box.west < 5e-5, "\(position), seed \(seed)")
            #expect(box.north - box.south < 3e-5, "\(position), seed \(seed)")
        }
    }

    /// Consecutive cells of the curve are neighbors on the grid.
    @Test func neighborsOnCurveAreNeighborsOnGrid() {
        for start: UInt64 in [0, 12_345_678_901_234, 1 << 63, .max - 5000] {
            var before = HilbertCell(order: start).gridPosition
            for further in UInt64(1)...4000 {
                let next = HilbertCell(order: start + further).gridPosition
                let x = Int64(next.x) - Int64(before.x)
                let y = Int64(next.y) - Int64(before.y)
                #expect(abs(x) + abs(y) == 1, "\(start) + \(further)")
                before = next
            }
        }
    }

    @Test(arguments: [0, 1, 5000, 70_000]) func radixSortMatchesSort(count: Int) {
        var random = SeededGenerator(seed: UInt64(count))
        let numbers = (0..<count).map { _ in
            UInt64.random(in: 0...(.max), using: &random) >> UInt64.random(in: 0...60, using: &random)
        }
        var sorted = numbers
        sorted.sortRadix { $0 }
        #expect(sorted == numbers.sorted())
    }
}
