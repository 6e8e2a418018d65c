import HabitTestSupport
import Testing

@testable import Geo

@Suite(.engineIndependent) struct BaseMapTests {
    private func position(_ longitude: Double, _ latitude: Double) throws -> Position {
        try #require(Position(longitude: longitude, latitude: latitude))
    }

    /// Whether a position is on land, by the even-odd rule.
    private func isLand(_ position: Position, on map: BaseMap) -> Bool {
        var crossings = 0
        for line in map.land where line.box.south <= position.latitude && position.latitude <= line.box.north {
            for (a, b) in zip(line.points, line.points.dropFirst())
            where (a.latitude > position.latitude) != (b.latitude > position.latitude) {
                let share = (position.latitude - a.latitude) / (b.latitude - a.latitude)
                if a.longitude + share * (b.longitude - a.longitude) > position.longitude { crossings += 1 }
            }
        }
        return crossings % 2 == 1
    }

    @Test(arguments: BaseMap.Level.allCases)
    func everyEncodedLineIsDecoded(level: BaseMap.Level) {
        let map = BaseMap.level(level)
        #expect(map.land.count == level.encodedLand.split(separator: "\n").count)
        #expect(map.borders.count == level.encodedBorders.split(separator: "\n").count)
        #expect(map.land.count > 100)
        #expect(map.borders.count > 300)
        #expect(map.cities.count == level.cities.count)
        #expect(map.cities.count >= 60)
    }

    @Test func embeddedDataIsSmallerThanOneMegabyte() {
        let sizes = BaseMap.Level.allCases.flatMap { [$0.encodedLand.utf8.count, $0.encodedBorders.utf8.count] }
        #expect(sizes.reduce(BaseMapData.cities.utf8.count, +) < 1_000_000)
    }

    @Test(arguments: BaseMap.Level.allCases)
    func outlinesAreClosedAndDoNotCrossAntimeridian(level: BaseMap.Level) {
        for line in BaseMap.level(level).land {
            #expect(line.points.count > 3)
            #expect(
                line.points.first.map { [$0.longitude, $0.latitude] }
                    == line.points.last.map { [$0.longitude, $0.latitude] })
            let isPolar = line.box.south < -60
            for (a, b) in zip(line.points, line.points.dropFirst()) where !isPolar {
                #expect(abs(a.longitude - b.longitude) < 90, "\(a) \(b)")
            }
        }
    }

    @Test(
        arguments: [
            (135.77, 35.01, true),
            (2.35, 48.86, true),
            (-47.9, -15.8, true),
            (0, -85, true),
            (-179, 67, true),
            (179, 67, true),
            (178, -17.8, true),
            (51, 42, false),
            (-30, 40, false),
            (-150, 0, false),
            (0, 89, false),
            (15, 40, false),
            (136, 33, false),
        ])
    func landIsWhereItIsOnEarth(longitude: Double, latitude: Double, expected: Bool) throws {
        #expect(try isLand(position(longitude, latitude), on: .level(.fine)) == expected)
        // The coarse map has no small islands.
        if longitude != 178 { #expect(try isLand(position(longitude, latitude), on: .level(.coarse)) == expected) }
    }

    @Test(
        arguments: [
            (-9.14, 38.72, "Lisbon"),
            (135.77, 35.01, "Kyoto"),
            (12.46, 41.9, "Rome"),
            (-179, -18.2, "Suva"),
            (179.9, -18.2, "Suva"),
            (28.86, 47.0, "Chișinău"),
            (-46.6, -23.5, "São Paulo"),
            (-77.0, 38.9, "Washington, D.C."),
        ])
    func nearestCityIsFoundAcrossAntimeridian(longitude: Double, latitude: Double, name: String) throws {
        let found = try #require(City.nearest(to: position(longitude, latitude), within: .kilometers(300)))
        #expect(found.city.name == name)
        let distances = try City.all.map { try Geodesic.distance(from: position(longitude, latitude), to: $0.position) }
        #expect(found.distance.meters == distances.map(\.meters).min())
    }

    @Test(arguments: [
        (-30.0, 40.0),
        (-150, 0),
        (0, 90),
        (0, -90),
        (180, 30),
    ])
    func cityBeyondLimitIsNotFound(longitude: Double, latitude: Double) throws {
        #expect(City.nearest(to: try position(longitude, latitude), within: .kilometers(250)) == nil)
    }

    @Test func namesOfCitiesAreCompleteAndUnique() {
        #expect(City.all.count == 242)
        #expect(Set(City.all.map(\.name)).count == 242)
        for city in City.all {
            #expect(!city.name.contains(where: { "?  ".contains($0) && $0 != " " }), "\(city.name)")
        }
    }
}
