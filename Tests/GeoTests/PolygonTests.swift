import HabitTestSupport
import Testing

@testable import Geo

@Suite(.engineIndependent) struct PolygonTests {
    private static func ring(_ numbers: Double...) -> [Position] {
        stride(from: 0, to: numbers.count, by: 2).compactMap {
            Position(longitude: numbers[$0], latitude: numbers[$0 + 1])
        }
    }

    /// A square with a square hole.
    private static let frame = Polygon(rings: [
        ring(0, 0, 10, 0, 10, 10, 0, 10, 0, 0),
        ring(4, 4, 4, 6, 6, 6, 6, 4, 4, 4),
    ])

    @Test(arguments: [
        (5.0, 1.0, Polygon.Side.inside),
        (5, 5, .outside),
        (5, 4, .border),
        (4, 4, .border),
        (0, 0, .border),
        (0, 5, .border),
        (10, 10, .border),
        (11, 5, .outside),
        (-1, 0, .outside),
        (-1, 10, .outside),
        (5, 6, .border),
        (3.999, 5, .inside),
        (10.001, 0, .outside),
    ])
    func sideRespectsHoleAndBorder(longitude: Double, latitude: Double, side: Polygon.Side) throws {
        let position = try #require(Position(longitude: longitude, latitude: latitude))
        #expect(try #require(Self.frame).side(of: position) == side)
    }

    @Test func orientationOfRingHasNoEffect() throws {
        let frame = try #require(Self.frame)
        let turned = try #require(Polygon(rings: frame.rings.map { $0.reversed() }))
        for number in 0..<500 {
            let position = try #require(
                Position(longitude: Double(number % 25) / 2 - 1, latitude: Double(number / 25) / 2 - 1))
            #expect(frame.side(of: position) == turned.side(of: position), "\(position)")
        }
    }

    /// The position is on the edge only if its coordinates are equal, because the edge is a diagonal of a square.
    @Test func decisionNearDiagonalIsExact() throws {
        let ring = Self.ring(0.1, 0.1, 60.1, 60.1, 0.1, 60.1, 0.1, 0.1)
        let triangle = try #require(Polygon(rings: [ring]))
        var random = SeededGenerator(seed: 20_261_124)
        for _ in 0..<5000 {
            let longitude = Double.random(in: 0.2...60, using: &random)
            for latitude in [longitude.nextDown, longitude, longitude.nextUp] {
                let position = try #require(Position(longitude: longitude, latitude: latitude))
                let side: Polygon.Side =
                    latitude == longitude ? .border : latitude > longitude ? .inside : .outside
                #expect(triangle.side(of: position) == side, "\(position)")
            }
        }
    }

    @Test func ringMustBeClosedAndHaveFourPositions() {
        #expect(Polygon(rings: []) == nil)
        #expect(Polygon(rings: [Self.ring(0, 0, 1, 0, 0, 0)]) == nil)
        #expect(Polygon(rings: [Self.ring(0, 0, 1, 0, 1, 1, 0, 1)]) == nil)
        #expect(Polygon(rings: [Self.ring(0, 0, 1, 0, 1, 1, 0, 0)]) != nil)
    }

    @Test func boxContainsAllRings() throws {
        let box = try #require(Self.frame).box
        #expect(box == BoundingBox(west: 0, south: 0, east: 10, north: 10))
    }
}
