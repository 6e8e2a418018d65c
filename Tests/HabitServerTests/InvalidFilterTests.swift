import Foundation
import Testing

@testable import HabitServer

/// Tests that an invalid or hostile filter is refused with its position, and that it changes nothing.
@Suite(.engineIndependent, .serialized, .server(Scene.friends)) struct InvalidFilterTests {
    private struct Refusal: CustomTestStringConvertible {
        var filter: String
        /// The position in the error.
        var position: Int
        var isJSON = false
        var testDescription: String { String(filter.prefix(80)) }
    }

    private static let texts = [
        Refusal(filter: "title =", position: 8), Refusal(filter: "title = 'Run", position: 9),
        Refusal(filter: "titel = 'Run'", position: 1), Refusal(filter: "title = 'Run' AND", position: 18),
        Refusal(filter: "(title = 'Run'", position: 15), Refusal(filter: "title = 'Run')", position: 14),
        Refusal(filter: "title", position: 1), Refusal(filter: "'Run'", position: 1), Refusal(filter: "1", position: 1),
        Refusal(filter: "title = 1", position: 9), Refusal(filter: "amount = 'x'", position: 10),
        Refusal(filter: "day = '2026-11-18'", position: 7), Refusal(filter: "day = DATE('2026-02-30')", position: 7),
        Refusal(filter: "day = TIMESTAMP('2026-11-18T00:00:00Z')", position: 7),
        Refusal(filter: "at > TIMESTAMP('yesterday')", position: 6), Refusal(filter: "title LIKE title", position: 12),
        Refusal(filter: "amount LIKE '1%'", position: 1), Refusal(filter: "title BETWEEN 'a' AND 'b'", position: 1),
        Refusal(filter: "title IN ()", position: 11), Refusal(filter: "title IN ('a', 1)", position: 16),
        Refusal(filter: "amount + 1 = 2", position: 8), Refusal(filter: "LOWER(title) = 'run'", position: 1),
        Refusal(filter: "ACCENTI(title) = 'run'", position: 1), Refusal(filter: "CASEI(amount) = 'x'", position: 7),
        Refusal(filter: "geometry = 1", position: 1),
        Refusal(filter: "S_INTERSECTS(title, BBOX(1,2,3,4))", position: 14),
        Refusal(filter: "S_INTERSECTS(geometry, POINT(90 180))", position: 24),
        Refusal(filter: "S_INTERSECTS(geometry, BBOX(1,4,3,2))", position: 24),
        Refusal(filter: "S_INTERSECTS(geometry, BBOX(1,2,3))", position: 24),
        Refusal(filter: "S_INTERSECTS(geometry, POLYGON((1 2, 3 4, 5 6, 7 8)))", position: 24),
        Refusal(filter: "S_INTERSECTS(geometry, MULTIPOLYGON(((1 2, 3 4, 5 6, 7 8))))", position: 24),
        Refusal(filter: "S_INTERSECTS(geometry, MULTIPOLYGON((1 2, 3 4, 5 6, 1 2)))", position: 38),
        Refusal(filter: "S_INTERSECTS(geometry, LINESTRING(1 2, 3 4))", position: 24),
        Refusal(filter: "S_TOUCHES(geometry, POINT(1 2))", position: 1),
        Refusal(filter: "S_INTERSECTS(geometry)", position: 1),
        Refusal(filter: "S_INTERSECTS(geometry, title)", position: 1),
        Refusal(filter: "T_DURING(at, INTERVAL('..', '..'))", position: 10),
        Refusal(filter: "T_AFTER(at, DATE('2026-11-18'))", position: 1),
        Refusal(filter: "T_AFTER(title, DATE('2026-11-18'))", position: 9),
        Refusal(filter: "T_AFTER(day, INTERVAL('2026-11-18', '2026-11-17'))", position: 14),
        Refusal(filter: "T_AFTER(day, INTERVAL('2026-11-18'))", position: 14),
        Refusal(filter: "title = 'Run'; DROP TABLE event", position: 14),
        Refusal(filter: "title = 'Run' -- comment", position: 15), Refusal(filter: "1 = 1 UNION SELECT 1", position: 7),
        Refusal(filter: "event.comment = 'x'", position: 1), Refusal(filter: "\"title\"\" = 1", position: 8),
        Refusal(filter: "email = 'x'", position: 1), Refusal(filter: "status = 'x'", position: 1),
        Refusal(filter: "distance_m < 5", position: 1), Refusal(filter: "photo_url IS NULL", position: 1),
        Refusal(filter: "title = NULL", position: 9), Refusal(filter: "title = $1", position: 9),
        Refusal(filter: "title = :viewer", position: 9), Refusal(filter: "{}", position: 1),
        Refusal(filter: String(repeating: "(", count: 2000), position: 34),
        Refusal(filter: String(repeating: "NOT ", count: 500) + "true", position: 133),
        Refusal(filter: String(repeating: "CASEI(", count: 500), position: 193),
        Refusal(filter: (0..<400).map { _ in "1=1" }.joined(separator: " OR "), position: 2334),
        Refusal(filter: "amount IN (" + (0..<1500).map { "\($0 % 10)" }.joined(separator: ",") + ")", position: 2010),
        Refusal(filter: "title = '" + String(repeating: "x", count: 6500) + "'", position: 1),
        Refusal(filter: "amount = 1e999", position: 10), Refusal(filter: "title = \"Run\"", position: 9),
    ]

    private static let documents = [
        Refusal(filter: "", position: 1, isJSON: true), Refusal(filter: "{", position: 2, isJSON: true),
        Refusal(filter: "null", position: 1, isJSON: true), Refusal(filter: "[]", position: 1, isJSON: true),
        Refusal(filter: #"{"op":"="}"#, position: 1, isJSON: true),
        Refusal(filter: #"{"op":"=","args":[{"property":"titel"},"x"]}"#, position: 19, isJSON: true),
        Refusal(filter: #"{"op":"=","args":[{"property":"title"},1]}"#, position: 40, isJSON: true),
        Refusal(filter: #"{"op":"=","args":[{"property":"title"}]}"#, position: 1, isJSON: true),
        Refusal(filter: #"{"op":"drop","args":[]}"#, position: 1, isJSON: true),
        Refusal(filter: #"{"op":"and","args":[true]}"#, position: 1, isJSON: true),
        Refusal(filter: #"{"op":"=","args":[{"property":"title"},"x"]} --"#, position: 46, isJSON: true),
        Refusal(filter: #"{"op":"=","args":[{"property":"title"},"\ud800"]}"#, position: 47, isJSON: true),
        Refusal(filter: #"{"op":"=","args":[{"property":"title"},"\u0000"]}"#, position: 47, isJSON: true),
        Refusal(filter: #"{"op":"=","args":[{"property":"amount"},01]}"#, position: 41, isJSON: true),
        Refusal(filter: #"{"op":"=","args":[{"property":"amount"},-.5]}"#, position: 41, isJSON: true),
        Refusal(filter: #"{"op":"in","args":[{"property":"title"},[]]}"#, position: 41, isJSON: true),
        Refusal(filter: String(repeating: "[", count: 1000), position: 67, isJSON: true),
        Refusal(
            filter: #"{"op":"s_intersects","args":[{"property":"geometry"},{"type":"Point","coordinates":["a",1]}]}"#,
            position: 85, isJSON: true),
    ]

    @Test(arguments: texts + documents) private func invalidFilterIsRefusedWithItsPosition(
        _ refusal: Refusal
    ) async throws {
        try await ServerFixture.shared.run { client in
            let language = refusal.isJSON ? "cql2-json" : "cql2-text"
            let path =
                "/collections/events/items?filter-lang=\(language)&filter=\(refusal.filter.urlEncoded)"
            let response = try await client.send(path: path, as: "owner")
            #expect(response.status == 400, "\(response)")
            #expect(response.slug == "parameter-invalid", "\(response)")
            #expect(response.field == "filter", "\(response)")
            let detail = response.json["detail"] as? String ?? ""
            #expect(detail.hasPrefix("character \(refusal.position) of the filter: "), "\(detail)")
        }
    }

    /// Values are bound: their characters have no meaning in SQL.
    @Test(arguments: [
        "' OR '1'='1", "'); DROP TABLE event; --", "\\", "\"", ":viewer", "$1", "?1", "%' OR TRUE --", "\u{1}\u{1b}",
        "ﷺ\u{202E}",
    ])
    func hostileValueIsOnlyCompared(value: String) async throws {
        try await ServerFixture.shared.run { client in
            let literal = "'" + value.replacing("\\", with: "\\\\").replacing("'", with: "''") + "'"
            for filter in ["title = \(literal)", "comment LIKE \(literal)", "CASEI(comment) IN (CASEI(\(literal)))"] {
                let path = "/collections/events/items?filter=\(filter.urlEncoded)"
                let response = try await client.send(path: path, as: "owner")
                #expect(response.status == 200, "\(filter): \(response)")
                #expect(response.ids.isEmpty, "\(filter): \(response)")
            }
            #expect(try await client.send(path: "/collections/events/items", as: "owner").ids.count == 4)
        }
    }

    @Test func otherParametersOfFilterAreChecked() async throws {
        try await ServerFixture.shared.run { client in
            let path = "/collections/events/items?"
            for (query, field) in [
                ("filter=%ff", "filter"), ("filter=true%00", "filter"), ("filter=true&filter=true", "filter"),
                ("filter=true&filter-lang=cql-text", "filter-lang"), ("filter-lang=sql", "filter-lang"),
                ("filter=true&filter-crs=http://www.opengis.net/def/crs/EPSG/0/3857", "filter-crs"),
            ] {
                let response = try await client.send(path: path + query, as: "owner")
                #expect(response.status == 400, "\(query): \(response)")
                #expect(response.field == field, "\(query): \(response)")
            }
            let crs = "filter-crs=http://www.opengis.net/def/crs/OGC/1.3/CRS84"
            #expect(try await client.send(path: path + "filter=true&\(crs)", as: "owner").ids.count == 4)
            #expect(try await client.send(path: "/near?near=10,50&filter=true", as: "owner").status == 400)
        }
    }
}
