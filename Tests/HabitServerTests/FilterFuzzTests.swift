import Base
import Foundation
import Geo
import HabitModel
import HabitStore
import HabitTestSupport
import StoreEngine
import Testing

@testable import HTTPServing
@testable import HabitAPI
@testable import HabitServer

/// Tests that every changed CQL2 filter is refused, or selects rows without an error of the engine.
@Suite struct FilterFuzzTests {
    private static let texts = [
        "title = 'Run' AND day >= DATE('2026-11-01') OR NOT (amount BETWEEN 1 AND 5.5)",
        "CASEI(title) LIKE CASEI('r_n%') AND comment IS NOT NULL",
        "S_INTERSECTS(geometry, BBOX(-10, 40, 20.5, 60)) AND title IN ('Run', 'Walk')",
        "S_WITHIN(geometry, POLYGON((0 40, 20 40, 20 60, 0 60, 0 40))) OR S_DISJOINT(geometry, POINT(10 50))",
        "T_AFTER(at, TIMESTAMP('2026-11-18T07:00:00Z')) AND unplanned = FALSE",
        "T_DURING(day, INTERVAL('2026-11-01', '..')) OR has_photo = TRUE",
    ]
    private static let documents = [
        #"{"op":"and","args":[{"op":"=","args":[{"property":"title"},"Run"]},{"op":"<","args":[{"property":"amount"},3]}]}"#,
        #"{"op":"s_intersects","args":[{"property":"geometry"},{"type":"Polygon","coordinates":[[[0,40],[20,40],[20,60],[0,40]]]}]}"#,
        #"{"op":"or","args":[{"op":"like","args":[{"property":"title"},"R%"]},{"op":"not","args":[{"op":"isNull","args":[{"property":"at"}]}]}]}"#,
        #"{"op":"in","args":[{"property":"habit"},["run","walk"]]}"#,
        #"{"op":"t_after","args":[{"property":"day"},{"date":"2026-11-18"}]}"#,
    ]
    private static let words = [
        "AND ", " OR ", "NOT ", "(", ")", "'", "\"", ",",
        "title", "day", "geometry", "amount", "at", "NULL", "IS ",
        "1e308", "-0", "999999999999999999999", "DATE('0001-01-01')", "CASEI(", "BBOX(170,-10,-170,10)", "\u{0}", "%",
        "é", "{", "}",
        "[", "]", ":",
        #""op":"#, #"{"property":"title"}"#,
    ]

    private static func store() throws -> TestStore {
        let store = try TestStore()
        let place = try #require(Position(longitude: 10, latitude: 50))
        try store.write([
            .user("ann"),
            .habit("run", of: "ann", title: "Run"),
            .habit("walk", of: "ann", title: "Walk"),
            .event("run", "2026-11-18", id: "e1", comment: "rain", at: place),
            .event("walk", "2026-11-19", id: "e2"),
        ])
        return store
    }

    @Test func changedFiltersAreRefusedOrRun() throws {
        var run = FuzzRun("CQL2 filters", rounds: 1500)
        let store = try Self.store()
        let collection = try #require(FeatureCollection.named("events"))
        let resolver = FilterResolver(queryables: collection.queryables(isPublic: false))
        var accepted = 0
        for round in 0..<run.rounds {
            let isJSON = Bool.random(using: &run.random)
            let original = (isJSON ? Self.documents : Self.texts).randomElement(using: &run.random) ?? ""
            var bytes = Array(original.utf8)
            let changeCount = Int.random(in: 0..<4, using: &run.random)
            for _ in 0..<changeCount { run.mutate(&bytes, inserting: Self.words) }
            let text = String(decoding: bytes, as: UTF8.self)
            do {
                let node = try isJSON ? FilterJSONParser.parse(text) : FilterTextParser.parse(text)
                let condition = try resolver.condition(node)
                let ids = try store.rows(columns: ["id"]) { session, viewer in
                    var query = EventQuery(viewer: viewer)
                    query.filter.condition = condition
                    return try query.selection(in: session)
                }
                #expect(ids.count <= 2)
                accepted += 1
            } catch is Problem {
            } catch let error as HabitError {
                let expected: [ErrorCode] = [.parameterInvalid, .notFound, .textInvalid]
                #expect(expected.contains(error.code), "seed \(run.seed), round \(round), \(text): \(error)")
            }
        }
        #expect(accepted > run.rounds / 20, "seed \(run.seed)")
    }
}
