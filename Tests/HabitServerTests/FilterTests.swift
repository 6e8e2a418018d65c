import Base
import Foundation
import Geo
import HabitModel
import HabitStore
import HabitTestSupport
import Testing

@testable import HTTPServing
@testable import HabitAPI
@testable import HabitServer

extension Scene {
    fileprivate static func filtered() -> [Record] {
        func event(
            _ habit: String,
            _ day: String,
            at: String? = nil,
            comment: String? = nil,
            amount: Double? = nil,
            longitude: Double? = nil,
            latitude: Double = 50
        ) -> Record {
            var event = EventRecord(habit: habit)
            event.id = "\(habit)-\(day)"
            event.day = Day(day)
            event.at = at.flatMap { OffsetInstant($0) }.map { .value($0) } ?? .absent
            event.details.comment = comment.map { .value($0) } ?? .absent
            event.details.amount = amount.map { .value($0) } ?? .absent
            event.details.position =
                longitude.flatMap { Position(longitude: $0, latitude: latitude) }.map { .value($0) } ?? .absent
            return .event(event)
        }
        func habit(_ id: String, start: String?, end: String?, reason: String? = nil) -> Record {
            var habit = HabitRecord(id: id, user: "owner", title: "Habit \(id)", schedule: .everyDay)
            habit.start = start.flatMap { Day($0) }.map { .value($0) } ?? .absent
            habit.end = end.flatMap { Day($0) }.map { .value($0) } ?? .absent
            habit.reason = reason.map { .value($0) } ?? .absent
            return .habit(habit)
        }
        return friends + exchange + [
            event("run", "2026-11-10", comment: "rain 100%", amount: 2.5, longitude: 10.25, latitude: 50),
            event("run", "2026-11-11", comment: "it's 'x'", amount: 7, longitude: 10.5, latitude: 50.5),
            event("run", "2026-11-12", comment: "café", amount: 4),
            event(
                "read", "2026-11-17", at: "2026-11-17T07:00:00Z", comment: "a[b]*?", longitude: 11, latitude: 50.5),
            event(
                "read", "2026-11-16", at: "2026-11-16T23:30:00Z", comment: "sunny", amount: 0,
                longitude: 180, latitude: -15),
            event("mine", "2026-11-18", at: "2026-11-18T08:00:00Z", amount: 3, longitude: 10.005, latitude: 49),
            habit("h1", start: "2026-03-01", end: "2026-06-30", reason: "secret"),
            habit("h2", start: "2026-01-01", end: "2026-03-01"),
            habit("h3", start: "2026-06-30", end: "2026-12-31"),
            habit("h4", start: "2026-04-01", end: "2026-05-01"),
            habit("h5", start: "2026-03-01", end: "2026-05-01"),
            habit("h6", start: "2026-01-01", end: "2026-12-31"),
            habit("h7", start: "2026-02-01", end: nil),
            habit("h8", start: nil, end: "2026-06-30"),
            habit("h9", start: "2026-05-01", end: "2026-06-30"),
            habit("h10", start: "2026-02-01", end: "2026-04-01"),
            habit("h11", start: "2026-05-01", end: "2026-08-01"),
        ]
    }
}

/// Tests of CQL2 filters (OGC 21-065; OGC 19-079).
@Suite(.serialized, .server(Scene.filtered())) struct FilterTests {
    private static func query(_ filter: FilterCase, isJSON: Bool, isNegated: Bool) -> String {
        let text = isNegated ? "NOT (\(filter.text))" : filter.text
        let json = isNegated ? #"{"op":"not","args":[\#(filter.json)]}"# : filter.json
        return isJSON ? "filter-lang=cql2-json&filter=\(json.urlEncoded)" : "filter=\(text.urlEncoded)"
    }

    /// Compares the filters and their negations with the conditions that the test computes from all features.
    private static func check(_ filters: [FilterCase], of path: String, as user: String) async throws {
        try await ServerFixture.shared.run { client in
            let all = try await client.send(path: "\(path)limit=1000", as: user)
            let features = all.features.map(TestFeature.init)
            #expect(features.count > 5, "\(all)")
            for filter in filters {
                for isNegated in [false, true] {
                    let expected = features.filter { filter.isTrue($0) == !isNegated }.map(\.id)
                    for isJSON in [false, true] {
                        let query = query(filter, isJSON: isJSON, isNegated: isNegated)
                        // Without the other properties, the server does not compute the status of habits.
                        let found = try await client.send(
                            path: "\(path)limit=1000&properties=id&\(query)", as: user)
                        #expect(
                            found.status == 200,
                            "\(isNegated ? "NOT " : "")\(isJSON ? filter.json : filter.text): \(found.ids), not \(expected) \(found)"
                        )
                        #expect(
                            found.ids == expected,
                            "\(isNegated ? "NOT " : "")\(isJSON ? filter.json : filter.text): \(found.ids), not \(expected) \(found)"
                        )
                    }
                }
            }
        }
    }

    @Test(arguments: [
        FilterCase.comparisons, FilterCase.scalars, FilterCase.texts, FilterCase.logic, FilterCase.spatial,
        FilterCase.temporal,
    ])
    func filterFindsEventsForWhichConditionIsTrue(filters: [FilterCase]) async throws {
        try await Self.check(filters, of: "/collections/events/items?", as: "operator")
    }

    @Test(arguments: [FilterCase.texts, FilterCase.spatial])
    func filterAppliesToEveryScope(filters: [FilterCase]) async throws {
        try await Self.check(filters, of: "/collections/events/items?scope=all&", as: "all")
        try await Self.check(filters, of: "/collections/events/items?scope=mine&", as: "owner")
    }

    @Test func everyTemporalRelationOfIntervalsMatchesItsDefinition() async throws {
        try await Self.check(FilterCase.intervals, of: "/collections/habits/items?", as: "owner")
    }

    /// A filter compares rates and scores as the list shows them, with 6 decimals (rule R-05).
    @Test(arguments: ["completion_rate", "score"]) func filterComparesRateAsShown(name: String) async throws {
        var records = Scene.friends
        for (number, start) in ["2026-11-05", "2026-11-06", "2026-11-08", "2026-11-09", "2026-10-21"].enumerated() {
            var habit = HabitRecord(id: "rate\(number)", user: "owner", title: "Rate", schedule: .everyDay)
            habit.start = Day(start).map { .value($0) } ?? .absent
            records.append(.habit(habit))
            records += (11...(12 + number)).map { .event("rate\(number)", "2026-11-\($0)", id: "e\(number)-\($0)") }
        }
        try await ServerFixture(records).run { client in
            let path = "/collections/habits/items?limit=1000"
            var rates: [String: Double] = [:]
            for feature in try await client.send(path: path, as: "owner").features {
                let properties = feature["properties"] as? [String: Any]
                if let id = feature["id"] as? String { rates[id] = properties?[name] as? Double }
            }
            #expect(rates.values.contains { $0 > 0 && $0 < 1 }, "\(rates)")
            for shown in Set(rates.values).sorted() {
                for (filter, test) in [
                    ("%@ = %V", { $0 == shown }), ("%@ <> %V", { $0 != shown }), ("%@ < %V", { $0 < shown }),
                    ("%@ <= %V", { $0 <= shown }), ("%@ > %V", { $0 > shown }), ("%@ >= %V", { $0 >= shown }),
                    ("%@ IN (%V, 2)", { $0 == shown }), ("%@ BETWEEN %V AND %V", { $0 == shown }),
                    ("%V = %@", { $0 == shown }), ("NOT (%@ > %V)", { $0 <= shown }),
                ] as [(String, (Double) -> Bool)] {
                    let text = filter.replacing("%@", with: name).replacing("%V", with: "\(shown)")
                    let found = try await client.send(path: "\(path)&filter=\(text.urlEncoded)", as: "owner")
                    #expect(Set(found.ids) == Set(rates.filter { test($0.value) }.keys), "\(text): \(found.ids)")
                }
            }
        }
    }

    /// Every property of every collection accepts the operators of its type (OGC 21-065, annex A.3).
    @Test(arguments: FeatureCollection.all.map(\.id)) func everyQueryableAcceptsOperatorsOfItsType(
        collection: String
    ) async throws {
        let properties = try #require(FeatureCollection.named(collection)).properties
        try await ServerFixture.shared.run { client in
            let path = "/collections/\(collection)/items?limit=1000&filter="
            func ids(_ filter: String) async throws -> [String] {
                let response = try await client.send(path: path + filter.urlEncoded, as: "all")
                #expect(response.status == 200, "\(filter): \(response)")
                return response.ids
            }
            for property in properties {
                let name = "\"\(property.name)\""
                let null = try await ids("\(name) IS NULL")
                let present = try await ids("\(name) IS NOT NULL")
                #expect(Set(null).isDisjoint(with: present), "\(name)")
                #expect(!(null + present).isEmpty, "\(name)")
                guard property.kind != .point else { continue }
                let value: String =
                    switch property.kind {
                    case .text: "'foo'"
                    case .integer, .number: "3.14"
                    case .boolean: "true"
                    case .day: "DATE('2026-04-14')"
                    case .instant: "TIMESTAMP('2026-04-14T14:48:46Z')"
                    case .point: ""
                    }
                for (operation, opposite) in [("=", "<>"), (">", "<="), ("<", ">=")] {
                    let some = try await ids("\(name) \(operation) \(value)")
                    let others = try await ids("\(name) \(opposite) \(value)")
                    #expect((some + others).sorted() == present.sorted(), "\(name) \(operation)")
                }
                if property.kind == .text { _ = try await ids("CASEI(\(name)) LIKE CASEI('%A_')") }
            }
        }
    }

    // MARK: Visibility

    /// A filter does not find a value that the response hides.
    @Test func filterOnPrivateColumnFindsOnlyOwnRecords() async throws {
        try await ServerFixture.shared.run { client in
            let path = "/collections/habits/items?filter="
            for filter in ["reason = 'secret'", "reason LIKE '%'", "CASEI(reason) = CASEI('SECRET')"] {
                #expect(try await client.send(path: path + filter.urlEncoded, as: "owner").ids == ["h1"], "\(filter)")
                let other = try await client.send(path: path + filter.urlEncoded, as: "all")
                #expect(other.status == 200, "\(other)")
                #expect(other.ids.isEmpty, "\(other)")
            }
            let none = try await client.send(path: path + "reason%20IS%20NULL&user=owner", as: "all")
            #expect(none.ids.contains("h1"), "\(none)")
        }
    }

    @Test func hiddenColumnOfPublicCollectionIsUnknownWithoutToken() async throws {
        try await ServerFixture(Scene.filtered()) { $0.publicCollections = ["habits", "items", "events"] }.run {
            client in
            for (collection, property) in [("habits", "reason"), ("habits", "score"), ("items", "claimed_by")] {
                let path = "/collections/\(collection)/items?filter=\(property)%20IS%20NOT%20NULL"
                let refused = try await client.send(path: path)
                #expect(refused.status == 400, "\(refused)")
                #expect(refused.field == "filter", "\(refused)")
                #expect(try await client.send(path: path, as: "owner").status == 200)
                let schema = try await client.send(path: "/collections/\(collection)/queryables")
                #expect(schema.properties[property] == nil, "\(schema)")
                #expect(schema.properties["id"] != nil, "\(schema)")
            }
            let title = try await client.send(path: "/collections/habits/items?filter=" + "title = 'Walk'".urlEncoded)
            #expect(title.ids == ["mine"], "\(title)")
            #expect(try await client.send(path: "/collections/posts/items?filter=true").status == 401)
        }
    }

    @Test(arguments: ["all", "latest", "pending", "stranger"])
    func filterFindsOnlyVisibleEvents(user: String) async throws {
        try await ServerFixture.shared.run { client in
            for scope in ["mine", "friends", "all"] {
                let path = "/collections/events/items?limit=1000&scope=\(scope)"
                let visible = try await client.send(path: path, as: user).ids
                for filter in ["true", "NOT false", "day > DATE('2000-01-01')", "title <> 'x' OR comment IS NULL"] {
                    let found = try await client.send(path: "\(path)&filter=\(filter.urlEncoded)", as: user)
                    #expect(found.status == 200, "\(scope) \(filter): \(found)")
                    #expect(found.ids == visible, "\(scope) \(filter): \(found)")
                }
                let box = "S_INTERSECTS(geometry, BBOX(-180, -60, 180, 60))"
                let placed = try await client.send(path: "\(path)&filter=\(box.urlEncoded)", as: user)
                #expect(Set(placed.ids).isSubset(of: visible), "\(scope): \(placed)")
            }
        }
    }

    // MARK: Other parameters

    @Test func filterIsCombinedWithOtherParameters() async throws {
        try await ServerFixture.shared.run { client in
            let path = "/collections/events/items?limit=1000"
            let filter = "filter=" + "title = 'Run' AND amount > 2".urlEncoded
            for query in [
                "bbox=9,49,10.3,51", "datetime=2026-11-11/..", "bbox=10.4,49,11,51&datetime=2026-11-11",
                "near=10,50&within=100km", "habit=run", "user=owner", "comment-contains=rain", "sortby=-time",
            ] {
                let both = try await client.send(path: "\(path)&\(query)&\(filter)", as: "owner")
                let one = try await client.send(path: "\(path)&\(query)", as: "owner")
                let other = try await client.send(path: "\(path)&\(filter)", as: "owner")
                #expect(both.status == 200, "\(query): \(both)")
                #expect(both.ids == one.ids.filter { other.ids.contains($0) }, "\(query): \(both)")
            }
        }
    }

    @Test(arguments: ["events", "located-events", "habits"]) func nextLinkKeepsFilter(collection: String) async throws {
        try await ServerFixture.shared.run { client in
            let filter = "filter=" + "title LIKE '%a%' OR title LIKE 'R%'".urlEncoded + "&filter-lang=cql2-text"
            let whole = try await client.send(
                path: "/collections/\(collection)/items?limit=1000&\(filter)", as: "owner")
            #expect(whole.ids.count > 2, "\(whole)")
            var ids: [String] = []
            var next: String? = "/collections/\(collection)/items?limit=1&\(filter)"
            while let path = next, ids.count < 50 {
                let page = try await client.send(path: path, as: "owner")
                ids += page.ids
                next = page.link("next").flatMap { URLComponents(string: $0) }.map {
                    $0.path + "?" + ($0.percentEncodedQuery ?? "")
                }
                if let next {
                    #expect(next.contains("filter=title"), "\(next)")
                    #expect(next.contains("filter-lang=cql2-text"), "\(next)")
                }
            }
            #expect(ids == whole.ids)
        }
    }

    /// The default of `state` does not hide the items that a filter on the state selects.
    @Test func filterOnStateFindsItemsOfEveryState() async throws {
        var records = Scene.filtered()
        var item = ItemRecord(id: "gone", user: "owner", name: "Old lamp")
        item.state = .value(.given)
        records.append(.item(item))
        try await ServerFixture(records).run { client in
            let path = "/collections/items/items?filter="
            for (query, ids) in [
                ("state = 'given'".urlEncoded, ["gone"]), ("name LIKE 'Old%'".urlEncoded, []),
                ("state = 'given'".urlEncoded + "&state=available", []),
            ] {
                let found = try await client.send(path: path + query, as: "all")
                #expect(found.status == 200, "\(query): \(found)")
                #expect(found.ids == ids, "\(query): \(found)")
            }
        }
    }
}
