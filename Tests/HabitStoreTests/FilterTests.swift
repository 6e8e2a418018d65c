import Base
import Geo
import HabitModel
import HabitTestSupport
import Testing

@testable import HabitStore
@testable import StoreEngine

/// Tests of the SQL that filters use, in both engines.
@Suite struct FilterTests {
    /// The function in SQL has the same result as the property in Swift for every character.
    @Test func foldedTextOfSQLEqualsFoldedTextOfSwift() throws {
        let store = try TestStore()
        let scalars = (1..<0x2_0000 as Range<UInt32>).compactMap { Unicode.Scalar($0) }.map { String(Character($0)) }
            .filter { $0.composed.unicodeScalars.elementsEqual($0.unicodeScalars) }
        try store.engine.read { session in
            for start in stride(from: 0, to: scalars.count, by: 500) {
                let text = scalars[start..<min(start + 500, scalars.count)].joined(separator: "\u{10}")
                let fold = session.dialect.folded("\(.text(text), as: "text")")
                let folded = try session.first("SELECT \(fold)") { $0.text(0) } ?? nil
                #expect(
                    folded?.unicodeScalars.elementsEqual(text.folded.unicodeScalars) == true, "character \(start)")
            }
        }
    }

    @Test(arguments: [
        ("a%", "abc", true),
        ("a%", "Abc", false),
        ("%c", "abc", true),
        ("a_c", "abc", true),
        ("a_c", "ac", false),
        ("a\\%", "a%", true),
        ("a\\%", "ab", false),
        ("a\\_", "a_", true),
        ("a\\\\", "a\\", true),
        ("a\\", "a\\", true),
        ("[a]*?", "[a]*?", true),
        ("[a]", "a", false),
        ("*", "x", false),
        ("%", "", true),
        ("", "", true),
        ("_", "é", true),
        ("_", "😀", true),
        ("%%%b%", "abc", true),
        ("a]b", "a]b", true),
        ("%\u{301}", "x\u{301}", true),
        ("^a", "^a", true),
        ("a'%", "a'b", true),
    ])
    func patternMatchesCompleteText(pattern: String, text: String, isMatch: Bool) throws {
        try TestStore().engine.read { session in
            let pattern = TextPattern(like: pattern)
            let isMatching = session.dialect.matches("CAST(\(.text(text), as: "text") AS TEXT)", pattern)
            let result = try session.first("SELECT CASE WHEN \(isMatching) THEN 1 ELSE 0 END") { $0.integer(0) }
            #expect(result == (isMatch ? 1 : 0))
        }
    }

    @Test func areaIsDecodedFromItsBinaryForm() throws {
        let coordinates = [(0.5, 1.5), (10, -20), (-179.25, 89), (0.5, 1.5)]
        let ring = coordinates.compactMap { longitude, latitude in
            Position(longitude: longitude, latitude: latitude)
        }
        let polygon = try #require(Polygon(rings: [ring, ring.reversed()]))
        let area = try #require(Area([polygon, polygon]))
        #expect(Area(ewkb: area.ewkb) == area)
        #expect(Area(ewkb: area.ewkb + [0]) == nil)
        for length in 0..<area.ewkb.count {
            #expect(Area(ewkb: Array(area.ewkb.prefix(length))) == nil, "\(length)")
        }
    }

    /// The condition is exact in both engines, with and without the border.
    @Test func areaSelectsSameEventsAsSwift() throws {
        var random = SeededGenerator(seed: 20_261_126)
        for _ in 0..<3 {
            let sample = try AreaSample.positionsNearBorders(using: &random)
            let area = sample.area
            let positions = sample.positions
            let store = try TestStore()
            var records: [Record] = [.user("me"), .habit("run", of: "me")]
            let first = try #require(Day("2020-01-01"))
            for (number, position) in positions.enumerated() {
                var event = EventRecord(habit: "run")
                event.id = "e\(number)"
                event.day = first.advanced(by: number)
                event.details.position = .value(position)
                records.append(.event(event))
            }
            try store.write(records)
            let geometry = Queryable(Queryable.geometry, .point)
            for (relation, sides) in [
                (nil, [.inside, .border]), (.intersects, [.inside, .border]), (.within, [.inside]),
                (.disjoint, [.outside]),
            ] as [(SpatialRelation?, [Polygon.Side])] {
                let found = try store.rows(as: "me", columns: ["id"]) { session, viewer in
                    var query = EventQuery(viewer: viewer)
                    if let relation {
                        query.filter.condition = .spatial(relation, geometry, .area(area))
                    } else {
                        query.filter.area = area
                    }
                    return try query.selection(in: session)
                }
                let expected = positions.indices.reversed().filter { sides.contains(area.side(of: positions[$0])) }
                #expect(found.flatMap(\.self) == expected.map { "e\($0)" }, "\(relation?.rawValue ?? "area")")
                #expect(!expected.isEmpty)
            }
        }
    }

    /// A spatial condition in a conjunction selects the candidates with the spatial index.
    @Test(.fileStoreOnly) func conjunctionWithBoxUsesSpatialIndex() throws {
        let store = try TestStore()
        try store.write([.user("me"), .habit("run", of: "me")])
        let box = try #require(BoundingBox(west: 1, south: 2, east: 3, north: 4))
        let inside = FeatureFilter.spatial(.intersects, Queryable(Queryable.geometry, .point), .box(box))
        let comment = FeatureFilter.isNull(Queryable("comment", .text))
        for (filter, usesIndex) in [(FeatureFilter.all([comment, inside]), true), (.any([comment, inside]), false)] {
            for (user, index) in [(nil, "SCAN idx_event_geometry"), ("me", "SEARCH event_place")] as [(String?, String)]
            {
                let plan = try store.plan(as: user) { session, viewer in
                    var query = EventQuery(viewer: viewer)
                    query.filter.condition = filter
                    return try query.selection(in: session)
                }
                #expect(plan.contains { step in step.contains(index) } == usesIndex, "\(plan)")
            }
        }
    }

    /// A query does not read a column that its list does not have, also if the filter names it.
    @Test func propertyOutsideListIsRefused() throws {
        let store = try TestStore()
        for name in ["email", "password", "account.email", "1; DROP TABLE event", "deleted_at"] {
            #expect {
                try store.engine.read { session in
                    var query = UserQuery(viewer: .operator)
                    query.condition = .not(.isNull(Queryable(name, .text)))
                    _ = try query.selection(in: session)
                }
            } throws: { error in
                (error as? HabitError)?.code == .parameterInvalid
            }
        }
    }
}
