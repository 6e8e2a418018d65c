import Foundation
import HabitTestSupport
import Testing

/// Tests of `--within-area FILE`, on both engines.
@Suite struct WithinAreaTests {
    /// A triangle and a square with a hole in Lisbon, an area that crosses the antimeridian, and Kyoto.
    private static let coordinates = """
        [[[[-9.2,38.6],[-9.1,38.6],[-9.2,38.8],[-9.2,38.6]]],
        [[[-9.15,38.72],[-9.12,38.72],[-9.12,38.75],[-9.15,38.75],[-9.15,38.72]],
        [[-9.14,38.73],[-9.14,38.74],[-9.13,38.74],[-9.13,38.73],[-9.14,38.73]]],
        [[[179.9,-17],[180,-17],[180,-16],[179.9,-17]]],
        [[[-180,-17],[-179.9,-17],[-180,-16],[-180,-17]]],
        [[[135.7,34.9],[135.9,34.9],[135.9,35.1],[135.7,35.1],[135.7,34.9]]]]
        """

    private static let multiPolygon = #"{"type":"MultiPolygon","coordinates":\#(coordinates)}"#

    /// Whether a position is in the area, from the inequalities of its sides.
    private static func contains(_ x: Double, _ y: Double) -> Bool {
        let isBelowDiagonal = 2 * (x + 9.2) + (y - 38.6) <= 0.2
        let isInTriangle = x >= -9.2 && y >= 38.6 && isBelowDiagonal
        let isInHole = -9.14 < x && x < -9.13 && 38.73 < y && y < 38.74
        let isInSquare = -9.15 <= x && x <= -9.12 && 38.72 <= y && y <= 38.75
        let isWestOfAntimeridian = x >= 179.9 && y >= -17 && y + 17 <= 10 * (x - 179.9)
        let isEastOfAntimeridian = x <= -179.9 && y >= -17 && y + 17 <= 10 * (-179.9 - x)
        let isInKyoto = 135.7 <= x && x <= 135.9 && 34.9 <= y && y <= 35.1
        return isInTriangle || (isInSquare && !isInHole) || isWestOfAntimeridian || isEastOfAntimeridian || isInKyoto
    }

    private static func rows(_ arguments: String, in folder: TemporaryFolder) async throws -> [[String: String]] {
        let result = try await Program.habitat(
            arguments.split(separator: " ").map(String.init) + [
                "--store", try SampleData.folder().file("habitat.db"), "--format", "csv", "--now", SampleData.now,
            ], in: folder)
        try #require(result.status == 0, "\(arguments): \(result.errors)")
        let rows = parseCSV(result.output)
        let names = rows[0].map { $0 ?? "" }
        return rows.dropFirst().map { row in
            Dictionary(uniqueKeysWithValues: zip(names, row).compactMap { name, cell in cell.map { (name, $0) } })
        }
    }

    /// The rows equal those of the same command without the option whose position is in the area.
    @Test(arguments: [
        ("history", 700), ("history --as alice", 90), ("history --as alice --scope all", 100),
        ("history --as alice --scope friends", 5), ("history --from 2026-10-01 --user bruno", 20),
        ("history --near 38.7223,-9.1393 --within 3km --sort distance", 100), ("history --sort stored", 700),
        ("history --bbox -9.16,38.7,-9.125,38.735", 100), ("history --near -16.8,179.99 --within 30km", 1),
        ("item list --state all", 20), ("post list", 5), ("near 38.7223,-9.1393 --within 9km", 100),
        ("near 34.99,135.75 --within 20km --kind events,items,posts", 50),
        ("near 38.7223,-9.1393 --within 9km --kind items --state all", 5),
    ])
    func rowsAreInArea(command: String, atLeast count: Int) async throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.multiPolygon, to: "area.geojson")
        let expected = try await Self.rows(command, in: folder).filter { row in
            guard let x = row["longitude"].flatMap(Double.init), let y = row["latitude"].flatMap(Double.init) else {
                return false
            }
            return Self.contains(x, y)
        }
        #expect(expected.count >= count, "\(expected.count)")
        let found = try await Self.rows("\(command) --within-area area.geojson", in: folder)
        if command.contains("stored") {
            #expect(Set(found) == Set(expected))
        } else {
            #expect(found == expected)
        }
    }

    @Test func newestRowsAreInArea() async throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.multiPolygon, to: "area.geojson")
        for command in ["history", "history --as alice", "history --as alice --scope all"] {
            let all = try await Self.rows("\(command) --within-area area.geojson", in: folder)
            let newest = try await Self.rows("\(command) --within-area area.geojson --limit 7", in: folder)
            #expect(newest == Array(all.prefix(7)))
            #expect(newest.count == 7)
        }
    }

    /// The closest rows are found in the area, not selected from the closest rows of all.
    @Test func nearestRowsAreInArea() async throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.multiPolygon, to: "area.geojson")
        try folder.write("id,latitude,longitude\na,38.7223,-9.1393\nb,35,135.7\n", to: "centers.csv")
        let all = try await Self.rows(
            "near 38.7223,-9.1393 --within 20000km --within-area area.geojson", in: folder)
        let nearest = try await Self.rows("near 38.7223,-9.1393 --nearest 12 --within-area area.geojson", in: folder)
        #expect(nearest == Array(all.prefix(12)))
        let batch = try await Self.rows(
            "near --centers centers.csv --nearest 12 --within-area area.geojson", in: folder)
        let nearFirstCenter = batch.filter { $0["center"] == "a" }
        #expect(nearFirstCenter.map { $0["id"] } == nearest.map { $0["id"] })
        #expect(batch.count == 24)
    }

    /// The output does not depend on the form of the area.
    @Test func formsOfAreaAreEqual() async throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.multiPolygon, to: "a")
        try folder.write("\u{FEFF}\n\(Self.multiPolygon)\n", to: "b")
        let polygons = try #require(
            try JSONSerialization.jsonObject(with: Data(Self.coordinates.utf8)) as? [[[[Double]]]])
        let texts = polygons.map { #"{"type":"Polygon","coordinates":\#($0)}"# }
        try folder.write(#"{"type":"GeometryCollection","geometries":[\#(texts.joined(separator: ","))]}"#, to: "c")
        let features = texts.map { #"{"type":"Feature","id":1,"properties":null,"geometry":\#($0)}"# }
        try folder.write(#"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#, to: "d")
        try folder.write(#"{"type":"Feature","properties":{},"geometry":\#(Self.multiPolygon)}"#, to: "e")
        #expect(try await Program.run("/bin/sh", ["-c", "gzip -k a && mv a.gz f"], in: folder.path).status == 0)
        let expected = try await Self.rows("history --within-area a", in: folder)
        for name in ["b", "c", "d", "e", "f"] {
            #expect(try await Self.rows("history --within-area \(name)", in: folder) == expected, "\(name)")
        }
    }

    @Test(arguments: [
        ("x", 65, "error[format-mismatch]: area: the area is not JSON"),
        ("{}", 65, "error[format-mismatch]: area: the area is not a GeoJSON polygon: use a Polygon"),
        (#"{"type":"Point","coordinates":[1,2]}"#, 65, "the area is not a GeoJSON polygon"),
        (#"{"type":"Polygon","coordinates":[[[0,0],[4,0],[4,4],[0,4]]]}"#, 65, "a ring of the area is open"),
        (#"{"type":"Polygon","coordinates":[[[0,0],[4,0],[4,94],[0,0]]]}"#, 65, "a position of the area is invalid"),
    ])
    func invalidFileIsRefused(text: String, status: Int32, error: String) async throws {
        let folder = try TemporaryFolder()
        try folder.write(text, to: "area")
        for command in [["history"], ["near", "1,1"], ["item", "list"], ["post", "list"]] {
            let result = try await Program.habitat(
                command + ["--store", try SampleData.folder().file("habitat.db"), "--within-area", "area"], in: folder)
            #expect(result.status == status, "\(result)")
            #expect(result.output.isEmpty, "\(result)")
            #expect(result.errors.contains(error), "\(result.errors)")
            #expect(result.lines.count <= 1, "\(result.errors)")
        }
    }

    @Test func missingOrEndlessFileIsRefused() async throws {
        let folder = try await SampleData.folder()
        let missing = try await Program.habitat("history", "--within-area", "none.geojson", in: folder)
        #expect(missing.status == 66, "\(missing)")
        #expect(missing.errors.contains("none.geojson"), "\(missing)")
        let endless = try await Program.habitat("history", "--within-area", "/dev/zero", in: folder)
        #expect(endless.status == 65, "\(endless)")
        #expect(endless.errors.contains("16 MiB"), "\(endless)")
    }

    @Test func outputDoesNotReplaceArea() async throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.multiPolygon, to: "area.geojson")
        let result = try await Program.habitat(
            "history", "--store", try SampleData.folder().file("habitat.db"), "--within-area", "area.geojson",
            "--output",
            "area.geojson", in: folder)
        #expect(result.status == 73, "\(result)")
        #expect(result.errors.hasPrefix("error[output-exists]"), "\(result)")
        #expect(try folder.read("area.geojson") == Self.multiPolygon)
    }

    /// The spatial index finds the candidates.
    @Test(.fileStoreOnly) func planUsesSpatialIndex() async throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.multiPolygon, to: "area.geojson")
        let result = try await Program.habitat(
            "history", "--store", try SampleData.folder().file("habitat.db"), "--within-area", "area.geojson",
            "--explain", in: folder)
        #expect(result.status == 0, "\(result)")
        #expect(result.output.contains("SCAN idx_event_geometry"), "\(result)")
    }
}
