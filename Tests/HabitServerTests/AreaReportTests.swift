import Foundation
import HabitTestSupport
import Testing

@testable import HabitServer

/// Tests of report parameters of the type `area` over HTTP.
@Suite(.serialized) struct AreaReportTests {
    private static let report = """
        -- title: Events in an area
        -- description: The events in an area.
        -- parameter: area area required - The area.
        -- column: longitude number degrees - The longitude.
        -- column: latitude number degrees - The latitude.
        -- column: id text - The event.
        -- key: id
        -- formats: json csv
        -- example: --area district.geojson
        SELECT longitude, latitude, id
        FROM events
        WHERE in_area(longitude, latitude, :area) = 1
        ORDER BY id
        """

    private static func path(_ area: String) -> String { "/reports/in-area?f=csv&area=\(area.urlEncoded)" }

    /// Returns the lines of a CSV text after the header.
    private static func rows(_ text: String) -> [String] { text.split(separator: "\n").dropFirst().map(String.init) }

    @Test func valueIsTextOfGeoJSON() async throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.report, to: "in-area.sql")
        let square = #"{"type":"Polygon","coordinates":[[[9,49],[10.005,49],[10.005,51],[9,51],[9,49]]]}"#
        let world = #"{"type":"Polygon","coordinates":[[[-180,-90],[180,-90],[180,90],[-180,90],[-180,-90]]]}"#
        try await ServerFixture(Scene.friends) { $0.reportFolders = [folder.path] }.run { client in
            let all = try await client.send(path: Self.path(world), as: "operator")
            let found = try await client.send(path: Self.path(square), as: "operator")
            #expect(all.status == 200, "\(found)")
            #expect(found.status == 200, "\(found)")
            let rows = Self.rows(all.text)
            let expected = rows.filter { row in
                let numbers = row.split(separator: ",", omittingEmptySubsequences: false).prefix(2).map { Double($0) }
                guard let x = numbers[0], let y = numbers[1] else { return false }
                return 9 <= x && x <= 10.005 && 49 <= y && y <= 51
            }
            #expect(Self.rows(found.text) == expected)
            #expect(!expected.isEmpty)
            #expect(expected.count < rows.count)
        }
    }

    /// The server never reads a file that a client names.
    @Test func nameOfFileIsRefused() async throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.report, to: "in-area.sql")
        try folder.write(
            #"{"type":"Polygon","coordinates":[[[9,49],[11,49],[11,51],[9,51],[9,49]]]}"#, to: "area.geojson")
        try await ServerFixture(Scene.friends) { $0.reportFolders = [folder.path] }.run { client in
            for text in [
                folder.file("area.geojson"), "area.geojson", "/etc/passwd", "-", "", "{}",
                #"{"type":"Polygon","coordinates":[[[9,49],[11,49],[11,51],[9,51]]]}"#,
            ] {
                let refused = try await client.send(path: Self.path(text), as: "operator")
                #expect(refused.status == 400, "\(text): \(refused)")
                #expect(refused.slug == "parameter-invalid", "\(text): \(refused)")
                #expect(refused.field == "area", "\(text): \(refused)")
            }
            let missing = try await client.send(path: "/reports/in-area", as: "operator")
            #expect(missing.status == 400, "\(missing)")
            #expect(missing.field == "area", "\(missing)")
            let long = try await client.send(path: Self.path(String(repeating: " ", count: 9000)), as: "operator")
            #expect(long.status == 414, "\(long)")
        }
    }
}
