import Geo
import HabitTestSupport
import Testing

/// Tests of the 180th meridian, on which the longitudes 180 and -180 are equal.
@Suite(.engineIndependent) struct MeridianTests {
    private static let longitudes = [-180.0, -179.5, -170, 0, 170, 179.5, 180]

    /// Returns the same position with the other longitude of the meridian, or the position itself.
    private static func opposite(of position: Position) -> Position? {
        guard abs(position.longitude) == 180 else { return position }
        return Position(longitude: -position.longitude, latitude: position.latitude)
    }

    @Test func boxesContainBothLongitudesOrNeither() throws {
        var count = 0
        for west in Self.longitudes {
            for east in Self.longitudes {
                let box = try #require(BoundingBox(west: west, south: -1, east: east, north: 1))
                for longitude in Self.longitudes {
                    let position = try #require(Position(longitude: longitude, latitude: 1))
                    let other = try #require(Self.opposite(of: position))
                    #expect(box.contains(position) == box.contains(other), "\(box) \(longitude)")
                    if box.contains(position) { count += 1 }
                }
            }
        }
        #expect(count > 50)
    }

    @Test(arguments: [
        (170.0, 180.0, true),
        (-180, -170, true),
        (170, 179, false),
        (-179, 179, false),
        (-180, 180, true),
    ])
    func polygonThatTouchesMeridianContainsBothLongitudes(west: Double, east: Double, isInside: Bool) throws {
        let corners = [(west, -1.0), (east, -1), (east, 1), (west, 1), (west, -1)]
        let ring = try corners.map { try #require(Position(longitude: $0.0, latitude: $0.1)) }
        let polygon = try #require(Polygon(rings: [ring]))
        let area = try #require(Area([polygon]))
        for longitude in [-180.0, 180] {
            for latitude in [-1, 0.5, 1] {
                let position = try #require(Position(longitude: longitude, latitude: latitude))
                #expect(area.side(of: position) == (isInside ? .border : .outside))
            }
            let outside = try #require(Position(longitude: longitude, latitude: 1.5))
            #expect(!area.contains(outside))
        }
    }
}
