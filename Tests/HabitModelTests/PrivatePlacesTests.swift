import Base
import Geo
import HabitTestSupport
import Testing

@testable import HabitModel

/// Tests of private places and of their hidden areas.
@Suite(.engineIndependent) struct PrivatePlacesTests {
    @Test(arguments: [
        "38.7223,-9.1393 300m home", "38.7223,-9.1393 300m home; -33.8688,151.2093 2000m my other home",
        "0.0,0.0 100m zero #0123456789abcdef",
    ])
    func textIsKept(text: String) throws {
        #expect(try PrivatePlaces(text).text == text)
    }

    @Test func textIsNormalized() throws {
        let places = try PrivatePlaces(" 38.72231234567,-9.1393  1km  home  ;")
        #expect(places.text == "38.7223123,-9.1393 1000m home")
    }

    @Test(arguments: [
        ("home", "field-invalid"), ("38.7,-9.1 300m", "field-invalid"), ("91,0 300m home", "field-invalid"),
        ("38.7,-9.1 300 home", "field-invalid"), ("38.7,-9.1 99m home", "distance-invalid"),
        ("38.7,-9.1 2001m home", "distance-invalid"), ("38.7,-9.1 300m home #12", "field-invalid"),
        ("38.7,-9.1 300m a; 38.8,-9.1 300m A", "field-invalid"), ("38.7,-9.1 300m a#b", "field-invalid"),
    ])
    func invalidTextIsRefused(text: String, code: String) {
        #expect {
            _ = try PrivatePlaces(text)
        } throws: { error in
            (error as? HabitError)?.code.rawValue == code
        }
    }

    @Test func userHasAtMostTwentyPlaces() throws {
        var places = PrivatePlaces()
        for number in 1...PrivatePlaces.limit {
            try places.set(PrivatePlace(name: "p\(number)", position: .nullIsland))
        }
        try places.set(PrivatePlace(name: "P1", position: .nullIsland))
        #expect(places.places.count == PrivatePlaces.limit)
        #expect(throws: HabitError.self) { try places.set(PrivatePlace(name: "more", position: .nullIsland)) }
    }

    @Test func placeKeepsCodeOfItsName() throws {
        let stored = try PrivatePlaces("38.7,-9.1 300m home").completed(from: PrivatePlaces())
        let moved = try PrivatePlaces("38.8,-9.1 500m home").completed(from: stored)
        let code = try #require(stored.text.split(separator: "#").last)
        #expect(code.count == 16)
        #expect(moved.text == "38.8,-9.1 500m home #\(code)")
        let other = try PrivatePlaces("38.7,-9.1 300m home").completed(from: PrivatePlaces())
        #expect(other.text != stored.text)
    }

    // MARK: Areas

    private static let centers = [
        (-9.14, 38.72),
        (179.9999, -17.0),
        (12.5, 69.6),
        (0, 0),
        (-60, -80.0),
    ]

    /// The area contains the circle, is less than twice as large, and consists of whole cells.
    @Test(arguments: [100.0, 300, 2000]) func areaContainsCircleAndConsistsOfCells(radius: Double) throws {
        let seed: UInt64 = 3304
        var random = SeededGenerator(seed: seed)
        for (longitude, latitude) in Self.centers {
            let center = try #require(Position(longitude: longitude, latitude: latitude))
            var places = PrivatePlaces()
            try places.set(PrivatePlace(name: "home", position: center, radius: .meters(radius)))
            let area = places.completed(from: PrivatePlaces()).hiddenArea
            var cells: [Position: Bool] = [:]
            for _ in 0..<2000 {
                let meters = Double.random(in: 0...(3 * radius + 1000), using: &random)
                let position = Geodesic.destination(
                    from: center,
                    azimuth: .random(in: 0..<360, using: &random),
                    distance: .meters(meters))
                let isHidden = area.contains(position)
                if meters <= radius { #expect(isHidden, "seed \(seed), \(center), \(meters)") }
                if meters > 2 * radius + 600 { #expect(!isHidden, "seed \(seed), \(center), \(meters)") }
                let cell = try #require(PositionGrid.items.center(of: position))
                #expect(cells[cell] ?? isHidden == isHidden, "seed \(seed), \(center), \(position)")
                cells[cell] = isHidden
            }
        }
    }

    @Test func areaDependsOnSecretCode() throws {
        let center = try #require(Position(longitude: 12.5, latitude: 41.9))
        let border = (0..<3600).map { number in
            Geodesic.destination(from: center, azimuth: Double(number) / 10, distance: .meters(3000))
        }
        func hidden(_ code: String) throws -> [Bool] {
            let area = try PrivatePlaces("41.9,12.5 2000m home #\(code)").hiddenArea
            return border.map(area.contains)
        }
        let first = try hidden("0123456789abcdef")
        #expect(try hidden("0123456789abcdef") == first)
        #expect(try hidden("fedcba9876543210") != first)
    }

    /// Two areas whose shifts had one direction would have the center of the place as their center of similarity.
    @Test func areasOfTwoRadiiDoNotPointToCenter() throws {
        let small = 700.0
        let large = 2000.0
        var errors: [Double] = []
        for number in 10..<22 {
            let code = "0123456789abcd\(number)"
            let first = try Self.middle(of: small, code: code)
            let second = try Self.middle(of: large, code: code)
            let factor = small / (large - small)
            let east = first.east - (second.east - first.east) * factor
            let north = first.north - (second.north - first.north) * factor
            errors.append((east * east + north * north).squareRoot())
        }
        let mean = errors.reduce(0, +) / Double(errors.count)
        #expect(mean > 250, "\(errors)")
    }

    /// Returns the middle of the hidden area of a place, in meters from the center of the place.
    private static func middle(of radius: Double, code: String) throws -> (east: Double, north: Double) {
        let center = try #require(Position(longitude: 12.5, latitude: 0))
        let area = try PrivatePlaces("0,12.5 \(Int(radius))m home #\(code)").hiddenArea
        let metersPerDegree = 111_000.0
        var east = 0.0
        var north = 0.0
        var count = 0.0
        for x in stride(from: -3600.0, through: 3600, by: 200) {
            for y in stride(from: -3600.0, through: 3600, by: 200) {
                let position = Position(
                    longitude: center.longitude + x / metersPerDegree,
                    latitude: y / metersPerDegree)
                guard let position, area.contains(position) else { continue }
                east += x
                north += y
                count += 1
            }
        }
        return (east / count, north / count)
    }

    @Test func userWithoutPlacesHidesNothing() {
        #expect(!PrivatePlaces().hiddenArea.contains(.nullIsland))
        #expect(PrivatePlaces().hiddenArea.isEmpty)
    }
}
