import Base
import Foundation
import HabitModel
import HabitStore
import Testing

@testable import HabitReport
@testable import Rendering
@testable import StoreEngine

@Suite struct GeoJSONRendererTests {
    private let shape = ResultShape(
        columns: [
            Column("kind", .text, at: 0), Column("id", .text, at: 1), Column("title", .text, at: 2),
            Column("longitude", .longitude, at: 3), Column("latitude", .latitude, at: 3),
            Column("distance_m", .number(decimals: 3), at: 4),
        ], geometry: 3, identity: ["kind", "id"])

    private func row(_ id: String, _ place: TestRow.Cell) -> TestRow {
        TestRow(.text("events"), .text(id), .text("A \"walk\""), place, .number(12.34567))
    }

    private let feature =
        #"{"type":"Feature","id":"events/a","geometry":{"type":"Point","coordinates":[-9.1393,38.7223]},"#
        + #""properties":{"kind":"events","id":"a","title":"A \"walk\"","distance_m":12.346}"#

    @Test func collectionEndsWithBoundingBox() throws {
        let rows = [
            row("a", .point(-9.1393, 38.72229999999999)),
            row("b", .null),
            row("c", .point(2, 1)),
        ]
        let text = try render(.geojson, of: shape, rows: rows)
        #expect(
            text == "{\"type\":\"FeatureCollection\",\"features\":[\n\(feature)},\n"
                + feature.replacingOccurrences(of: "/a", with: "/c").replacingOccurrences(
                    of: "\"id\":\"a\"", with: "\"id\":\"c\""
                )
                .replacingOccurrences(of: "-9.1393,38.7223", with: "2,1") + "}\n],\"bbox\":[-9.1393,1,2,38.7223]}\n")
        #expect(try violations(text) == [])
    }

    /// An id of one column is written twice, the second time copied within the buffer.
    ///
    /// The cases are short, long, escaped and missing ids.
    @Test func idIsAlsoProperty() throws {
        let shape = ResultShape(
            columns: [
                Column("title", .text, at: 1),
                Column("id", .text, at: 0),
                Column("same", .text, at: 0),
            ],
            geometry: 2, identity: ["id"])
        let ids: [TestRow.Cell] = [
            .text(""), .text("e1"), .text("sixteen bytes 16"), .text("seventeen bytes17"), .text("ü朝🏃"),
            .text("a\"b\\c\n\u{1}"),
            .text(String(repeating: "long ", count: 2000)), .null,
        ]
        let rows = (0..<200).flatMap { number in
            ids.map { id in TestRow(id, .text("t\(number)"), .point(Double(number) / 2, 1)) }
        }
        let features = try #require(
            try object(try render(.geojson, of: shape, rows: rows))["features"] as? [[String: Any]])
        #expect(features.count == rows.count)
        for (place, feature) in features.enumerated() {
            let properties = try #require(feature["properties"] as? [String: Any])
            guard case .text(let id) = ids[place % ids.count] else {
                #expect(feature["id"] as? String == "")
                #expect(properties["id"] is NSNull)
                #expect(properties["same"] is NSNull)
                continue
            }
            let texts = [feature["id"], properties["id"], properties["same"]].map { $0 as? String }
            #expect(texts == [id, id, id], "\(place)")
            #expect(properties["title"] as? String == "t\(place / ids.count)")
        }
    }

    @Test func unlocatedRowsAreOmittedAndCountedUnlessRequested() throws {
        let output = OutputBuffer()
        let renderer = try OutputFormat.geojson.renderer(for: shape, into: output)
        try renderer.begin()
        for place in [TestRow.Cell.null, .point(1, 1), .point(1, 91)] {
            try renderer.append(row("a", place))
        }
        try renderer.end()
        #expect(renderer.rowCount == 1)
        #expect(renderer.unlocatedCount == 2)

        var options = RenderOptions()
        options.includeUnlocated = true
        let text = try render(.geojson, of: shape, rows: [row("a", .null)], options: options)
        #expect(text.contains(#""geometry":null,"#))
        #expect(!text.contains("bbox"))
        #expect(try violations(text) == [])
    }

    @Test func emptyResultIsEmptyCollection() throws {
        #expect(try render(.geojson, of: shape, rows: []) == "{\"type\":\"FeatureCollection\",\"features\":[]}\n")
        #expect(try render(.geojsonseq, of: shape, rows: []) == "")
    }

    @Test func singleRowIsFeature() throws {
        var options = RenderOptions()
        options.single = true
        let text = try render(.geojson, of: shape, rows: [row("a", .point(-9.1393, 38.7223))], options: options)
        #expect(text == feature + ",\"bbox\":[-9.1393,38.7223,-9.1393,38.7223]}\n")
        #expect(try violations(text) == [])
        let unlocated = try render(.geojson, of: shape, rows: [row("a", .null)], options: options)
        #expect(try violations(unlocated) == [])
        #expect(try object(unlocated)["geometry"] is NSNull)
        #expect(try violations(try render(.geojson, of: shape, rows: [], options: options)) == [])
    }

    @Test func textSequenceHasSeparatorBeforeAndLineFeedAfterEachFeature() throws {
        let rows = [
            row("a", .point(-9.1393, 38.7223)),
            row("b", .null),
            row("a", .point(-9.1393, 38.7223)),
        ]
        let text = try render(.geojsonseq, of: shape, rows: rows)
        #expect(text == "\u{1E}\(feature)}\n\u{1E}\(feature)}\n")
    }

    @Test func idIsKeptWhenItsColumnIsNotSelected() throws {
        let selected = try #require(shape.selecting(["title", "longitude"]))
        let text = try render(.geojson, of: selected, rows: [row("a", .point(1, 2))])
        #expect(text.contains(#"{"type":"Feature","id":"events/a","geometry""#))
        #expect(text.contains(#""properties":{"title":"A \"walk\""}}"#))
        #expect(try violations(text) == [])
    }

    @Test func missingPropertiesAreEmptyObject() throws {
        let selected = try #require(shape.selecting(["longitude"]))
        let text = try render(.geojsonseq, of: selected, rows: [row("a", .point(1, 2))])
        #expect(text.contains(#""properties":{}}"#))
    }

    @Test(arguments: [OutputFormat.geojson, .geojsonseq])
    func rowsWithoutGeometryColumnAreRefused(format: OutputFormat) {
        let shape = ResultShape(columns: [Column("id", .text, at: 0)])
        #expect { try render(format, of: shape, rows: []) } throws: { error in
            let error = error as? HabitError
            return error?.code == .formatNotAvailable && error?.message.contains("json, csv or text") == true
        }
    }

    @Test(arguments: [UInt64.random(in: 0...(.max))])
    func anyRowsProduceValidGeoJSON(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<50 {
            let rows = (0..<Int.random(in: 0...20, using: &random)).map { index -> TestRow in
                let longitude = Double.random(in: -180...180, using: &random)
                let latitude = Double.random(in: -90...90, using: &random)
                return row("\(index)", .point(longitude, latitude))
            }
            #expect(try violations(try render(.geojson, of: shape, rows: rows)) == [], "seed \(seed)")
        }
    }

    /// Returns the violations of RFC 7946 in a GeoJSON text, as far as Habitat's outputs use it.
    private func violations(_ text: String) throws -> [String] {
        let root = try object(text)
        var found: [String] = []
        if text.hasPrefix("\u{FEFF}") { found.append("byte order mark") }
        if root["crs"] != nil { found.append("crs (section 4)") }
        let features: [[String: Any]]
        if root["type"] as? String == "FeatureCollection" {
            features = root["features"] as? [[String: Any]] ?? []
            if root["features"] as? [[String: Any]] == nil { found.append("features (section 3.3)") }
        } else {
            features = [root]
        }
        let points = features.compactMap { feature -> [Double]? in
            if feature["type"] as? String != "Feature" { found.append("type (section 3.2)") }
            if !(feature["properties"] is [String: Any] || feature["properties"] is NSNull) {
                found.append("properties")
            }
            if let id = feature["id"], !(id is String || id is NSNumber) { found.append("id (section 3.2)") }
            if feature["geometry"] is NSNull { return nil }
            let geometry = feature["geometry"] as? [String: Any]
            guard geometry?["type"] as? String == "Point", let point = geometry?["coordinates"] as? [Double],
                point.count == 2,
                (-180...180).contains(point[0]), (-90...90).contains(point[1])
            else {
                found.append("geometry (section 3.1.2)")
                return nil
            }
            return point
        }
        let box = root["bbox"] as? [Double]
        if (box == nil) != points.isEmpty { found.append("bbox (rule R-02)") }
        if let box, box.count == 4 {
            for point in points {
                let isWithin: Bool
                if box[0] <= box[2] {
                    isWithin = (box[0]...box[2]).contains(point[0])
                } else {
                    isWithin = point[0] >= box[0] || point[0] <= box[2]
                }
                if !isWithin || !(box[1]...box[3]).contains(point[1]) {
                    found.append("\(point) outside bbox (section 5)")
                }
            }
        }
        return found
    }
}
