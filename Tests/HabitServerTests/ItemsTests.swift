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

/// Tests of feature lists: the OGC abstract test suite (annex A.2.6 to A.2.8) and extensions of this server.
@Suite(.serialized, .server(Scene.friends + Scene.exchange)) struct ItemsTests {
    @Test func collectionIsGeoJSONWithLinksAndCounts() async throws {
        try await ServerFixture.shared.run { client in
            let response = try await client.send(path: "/collections/events/items", as: "owner")
            #expect(response.type == "application/geo+json")
            #expect(response.json["type"] as? String == "FeatureCollection")
            #expect(response.ids == ["r19", "b/18 ü", "r18", "r17"])
            #expect(response.json["numberReturned"] as? Int == 4)
            #expect(response.json["numberMatched"] as? Int == 4)
            #expect(response.link("self") != nil)
            #expect(response.link("next") == nil)
            let first = try #require(response.features.first)
            #expect(first["geometry"] is NSNull, "an unlocated event is a feature")
            let properties = try #require(response.features.last?["properties"] as? [String: Any])
            #expect(properties["color"] as? String != nil)
            #expect(properties["photo_url"] is NSNull)
        }
    }

    @Test(arguments: FeatureCollection.all.map(\.id), ["", "&near=10,50&within=30000km"])
    func pagesContainAllRowsInOrder(collection: String, place: String) async throws {
        guard place.isEmpty || FeatureCollection.named(collection)?.isSpatial == true else { return }
        let fixture = try ServerFixture.shared
        // The operator has no follows.
        let user = collection == "following" ? "all" : "operator"
        try await fixture.run { client in
            let whole = try await client.send(
                path: "/collections/\(collection)/items?limit=1000\(place)", as: user)
            #expect(whole.ids.count > 1)
            var ids: [String] = []
            var next: String? = "/collections/\(collection)/items?limit=1\(place)"
            while let path = next, ids.count < 50 {
                let page = try await client.send(path: path, as: user)
                #expect(page.status == 200, "\(page)")
                #expect(page.ids.count == 1, "\(page)")
                ids += page.ids
                let header = page.headers[.link] ?? ""
                next = page.link("next").flatMap { URLComponents(string: $0) }.map {
                    $0.path + "?" + ($0.percentEncodedQuery ?? "")
                }
                #expect(header.contains("rel=\"next\"") == (next != nil), "\(header)")
            }
            #expect(ids == whole.ids)
        }
    }

    /// Many events have equal days and no instants, so a page ends between two events that differ only in their ids.
    @Test func pagesOfRowsWithEqualSortValuesAreComplete() async throws {
        var records = Scene.friends
        for number in 0..<60 { records.append(.habit("h\(number)", of: "owner", title: "H\(number)")) }
        for number in 0..<60 {
            let at = number % 3 == 0 ? nil : "2026-11-1\(number % 2 + 6)T08:00:00Z"
            records.append(.event("h\(number)", "2026-11-1\(number % 2 + 6)", id: "m\(number)", at: at))
        }
        let fixture = try await ServerFixture(records)
        try await fixture.run { client in
            let whole = try await client.send(path: "/collections/events/items?limit=1000", as: "owner")
            var ids: [String] = []
            var next: String? = "/collections/events/items?limit=7"
            while let path = next, ids.count < 200 {
                let page = try await client.send(path: path, as: "owner")
                ids += page.ids
                next = page.link("next").flatMap { URLComponents(string: $0) }.map {
                    $0.path + "?" + ($0.percentEncodedQuery ?? "")
                }
            }
            #expect(ids == whole.ids)
            #expect(ids.count == 64)
            // A streamed list has its link in the header, before the rows.
            let stream = try await client.send(path: "/collections/events/items?limit=5000", as: "owner")
            #expect(stream.ids == whole.ids)
            #expect(stream.link("next") == nil)
        }
    }

    @Test func pageHas100FeaturesUnlessRequestHasLimit() async throws {
        let habits = (0..<120).map { Record.habit("h\($0)", of: "owner", title: "H\($0)") }
        try await ServerFixture(Scene.friends + habits).run { client in
            for (query, count) in [("", 100), ("?limit=7", 7), ("?limit=10000", 122)] {
                let page = try await client.call("habits/items\(query)", as: "owner")
                #expect(page.ids.count == count, "\(query): \(page)")
                #expect((page.link("next") != nil) == (count < 122), "\(query): \(page)")
            }
        }
    }

    private struct Case: CustomTestStringConvertible {
        var query: String
        var ids: [String]
        var testDescription: String { query }
    }

    private static let cases = [
        // An event without a position matches every box.
        Case(query: "bbox=9,49,10.005,51", ids: ["r19", "r17"]),
        Case(query: "bbox=-180,-90,180,90", ids: ["r19", "b/18 ü", "r18", "r17"]),
        Case(query: "bbox=9,49,0,10.005,51,1000", ids: ["r19", "r17"]),
        Case(query: "bbox=170,-20,-170,-10", ids: ["r19", "b/18 ü"]),
        Case(query: "bbox=9,49,10.005,51&near=10,50", ids: ["r17"]),
        Case(query: "bbox=9,49,10.005,51&datetime=2026-11-17", ids: ["r17"]),
        Case(query: "near=10,50&within=100m", ids: ["r17"]),
        Case(query: "near=10,50", ids: ["r17", "r18"]),
        Case(query: "near=10,50&sortby=-time", ids: ["r18", "r17"]),
        Case(query: "near=10.01,50&sortby=%2Bdistance", ids: ["r18", "r17"]),
        Case(query: "datetime=2026-11-18T07:00:00Z", ids: ["r18"]),
        Case(query: "datetime=2026-11-18T08:00:00%2B01:00", ids: ["r18"]),
        Case(query: "datetime=2026-11-18T08:00:00+01:00", ids: ["r18"]),
        Case(query: "datetime=2026-11-18T00:00:00Z/2026-11-19T00:00:00Z", ids: ["r19", "b/18 ü", "r18"]),
        Case(query: "datetime=../2026-11-18T07:00:00Z", ids: ["r18", "r17"]),
        Case(query: "datetime=2026-11-18T07:00:01Z/..", ids: ["r19", "b/18 ü"]),
        Case(query: "datetime=2026-11-18T07:00:01Z/", ids: ["r19", "b/18 ü"]),
        Case(query: "datetime=2026-11-18", ids: ["b/18 ü", "r18"]),
        Case(query: "datetime=2026-11-18/2026-11-19", ids: ["r19", "b/18 ü", "r18"]),
        Case(query: "datetime=2026-11-19/..", ids: ["r19"]),
        Case(query: "datetime=../..", ids: ["r19", "b/18 ü", "r18", "r17"]),
        Case(query: "habit=run", ids: ["r19", "r18", "r17"]),
        Case(query: "habit=run,read&limit=2", ids: ["r19", "b/18 ü"]),
        Case(query: "habit=read,&habit=run&limit=2", ids: ["r19", "b/18 ü"]),
        Case(query: "habit-title=STRASSE", ids: ["b/18 ü"]),
        Case(query: "habit-title=Run&habit=run", ids: ["r19", "r18", "r17"]),
        Case(query: "habit-title=Run&habit=read", ids: []),
        Case(query: "habit=run&habit=read&limit=2", ids: ["r19", "b/18 ü"]),
        Case(query: "habit-title=Run&habit-title=Stra%C3%9Fe&limit=2", ids: ["r19", "b/18 ü"]),
        Case(query: "datetime=2026-11-18T/..&datetime=../2026-11-18T", ids: ["b/18 ü", "r18"]),
        Case(query: "datetime=2026-11-18T08:00:00Z/..&datetime=../2026-11-18T", ids: ["b/18 ü"]),
        Case(query: "datetime=2026-11-18/..&datetime=../2026-11-17", ids: []),
        Case(query: "not-habit=run", ids: ["b/18 ü"]),
        Case(query: "not-habit=RUN&not-habit=read", ids: []),
        Case(query: "not-habit=stra%C3%9Fe&limit=2", ids: ["r19", "r18"]),
        Case(query: "comment-word=TAG", ids: ["r19"]),
        Case(query: "comment-word=ta", ids: []),
        Case(query: "comment-contains=tag", ids: ["r19"]),
        Case(query: "comment-contains=%3Cb%3E%26", ids: ["b/18 ü"]),
        Case(query: "comment=Sunny%20Tag", ids: ["r19"]),
        Case(query: "comment=sunny%20tag", ids: []),
        Case(query: "comment=Sunny", ids: []),
        Case(query: "comment=Sunny+Tag&comment-contains=TAG", ids: ["r19"]),
        Case(query: "comment=Sunny+Tag&comment-contains=rain", ids: []),
        Case(query: "datetime=2026-11-18T", ids: ["b/18 ü", "r18"]),
        Case(query: "datetime=2026-11-18T%2F..", ids: ["r19", "b/18 ü", "r18"]),
        Case(query: "datetime=..%2F2026-11-17T", ids: ["r17"]),
        Case(query: "user=owner&limit=2", ids: ["r19", "b/18 ü"]),
        Case(query: "user=stranger", ids: []),
        Case(query: "scope=friends", ids: []),
        Case(query: "limit=999999999", ids: ["r19", "b/18 ü", "r18", "r17"]),
    ]

    @Test(arguments: cases) private func filtersSelectExpectedEvents(_ one: Case) async throws {
        try await ServerFixture.shared.run { client in
            let response = try await client.send(path: "/collections/events/items?\(one.query)", as: "owner")
            #expect(response.status == 200, "\(response)")
            #expect(response.ids == one.ids, "\(response)")
        }
    }

    private struct InvalidQuery: CustomTestStringConvertible {
        var query: String
        var field: String
        var testDescription: String { query }
    }

    private static let wrong = [
        InvalidQuery(query: "limit=0", field: "limit"), InvalidQuery(query: "limit=-1", field: "limit"),
        InvalidQuery(query: "limit=ten", field: "limit"), InvalidQuery(query: "limit=", field: "limit"),
        InvalidQuery(query: "limit=1&limit=2", field: "limit"), InvalidQuery(query: "limitt=1", field: "limitt"),
        InvalidQuery(query: "bbox=1,2,3", field: "bbox"), InvalidQuery(query: "bbox=9,51,10,49", field: "bbox"),
        InvalidQuery(query: "bbox=9,49,10,999", field: "bbox"), InvalidQuery(query: "bbox=a,b,c,d", field: "bbox"),
        InvalidQuery(query: "datetime=/", field: "datetime"), InvalidQuery(query: "datetime=%2F", field: "datetime"),
        InvalidQuery(query: "bbox=nan,49,10,51", field: "bbox"),
        InvalidQuery(query: "datetime=yesterday", field: "datetime"),
        InvalidQuery(query: "datetime=..", field: "datetime"),
        InvalidQuery(query: "datetime=2026-11-19/2026-11-18", field: "datetime"),
        InvalidQuery(query: "datetime=2026-02-30", field: "datetime"),
        InvalidQuery(query: "datetime=a/b/c", field: "datetime"),
        InvalidQuery(query: "near=50", field: "near"), InvalidQuery(query: "near=10,95", field: "near"),
        InvalidQuery(query: "near=lost", field: "near"), InvalidQuery(query: "within=5km", field: "within"),
        InvalidQuery(query: "near=10,50&within=5", field: "within"),
        InvalidQuery(query: "near=10,50&within=-5km", field: "within"),
        InvalidQuery(query: "near=10,50&within=1e99m", field: "within"),
        InvalidQuery(query: "sortby=name", field: "sortby"), InvalidQuery(query: "sortby=%2Bdistance", field: "sortby"),
        InvalidQuery(query: "properties=nothing", field: "properties"),
        InvalidQuery(query: "properties=id,id", field: "properties"),
        InvalidQuery(query: "precision=99", field: "precision"),
        InvalidQuery(query: "comment=", field: "comment"),
        InvalidQuery(query: "comment-contains=", field: "comment-contains"),
        InvalidQuery(query: "comment-contains=%20+", field: "comment-contains"),
        InvalidQuery(query: "scope=others", field: "scope"),
        InvalidQuery(query: "f=xml", field: "f"), InvalidQuery(query: "after=xyz", field: "after"),
        InvalidQuery(query: "comment=%ff", field: "comment"), InvalidQuery(query: "state=available", field: "state"),
    ]

    @Test(arguments: wrong) private func invalidParameterIsRefusedWithItsName(_ one: InvalidQuery) async throws {
        try await ServerFixture.shared.run { client in
            let response = try await client.send(path: "/collections/events/items?\(one.query)", as: "owner")
            #expect(response.status == 400, "\(response)")
            #expect(response.type == "application/problem+json", "\(response)")
            #expect(response.field == one.field, "\(response)")
        }
    }

    /// A title is not an ID.
    ///
    /// The ID of a habit that the user cannot see is not found.
    @Test func unknownHabitsAndUsersAreNotFound() async throws {
        try await ServerFixture.shared.run { client in
            for path in [
                "?habit=nothing", "?habit=Run", "?habit=other", "?habit=run,other", "?habit=", "?habit=,",
                "?habit-title=other", "?user=nobody", "/nothing",
            ] {
                let response = try await client.send(path: "/collections/events/items\(path)", as: "owner")
                #expect(response.status == 404, "\(response)")
                #expect(response.slug == "not-found", "\(response)")
            }
        }
    }

    /// Rule R-10: the default scope is `mine`.
    ///
    /// The operator always sees every event.
    @Test(arguments: ["events", "located-events"]) func defaultScopeIsMine(collection: String) async throws {
        let path = "/collections/\(collection)/items"
        try await ServerFixture(Scene.friends) { $0.publicCollections = [collection] }.run { client in
            for (user, all) in [("owner", 4), ("all", 4), ("latest", 2), ("stranger", 1)] {
                let mine = try await client.send(path: path + "?scope=mine", as: user)
                let standard = try await client.send(path: path, as: user)
                #expect(standard.ids == mine.ids, "\(user): \(standard)")
                let everything = try await client.send(path: path + "?scope=all", as: user)
                #expect(everything.ids.count == all - (collection == "events" || all == 1 ? 0 : 1), "\(everything)")
            }
            for user in ["operator", nil] {
                for query in ["", "?scope=all"] {
                    let response = try await client.send(path: path + query, as: user)
                    #expect(response.ids.count == (collection == "events" ? 5 : 4), "\(response)")
                }
            }
        }
    }

    /// A title filter selects every visible habit with the title, and an ID selects one habit.
    @Test func habitTitleSelectsEveryVisibleHabit() async throws {
        try await ServerFixture.shared.run { client in
            let path = "/collections/events/items"
            #expect(try await client.send(path: path + "?habit-title=RUN", as: "operator").ids.count == 4)
            #expect(try await client.send(path: path + "?habit=run", as: "operator").ids.count == 3)
            let shared = try await client.send(path: path + "?habit-title=run&scope=all", as: "latest")
            #expect(shared.ids == ["r19"], "\(shared)")
        }
    }

    @Test func propertiesAndPrecisionCanBeSelected() async throws {
        try await ServerFixture.shared.run { client in
            let path = "/collections/located-events/items?properties=title,comment&precision=1&limit=1&habit=run"
            let feature = try #require(try await client.send(path: path, as: "owner").features.first)
            #expect((feature["properties"] as? [String: Any]).map { Set($0.keys) } == ["title", "comment"])
            #expect((feature["geometry"] as? [String: Any])?["coordinates"] as? [Double] == [10, 50])
            #expect(feature["id"] as? String == "r18")
            let csv = try await client.send(
                path: "/collections/events/items?f=csv&properties=id,longitude&limit=2", as: "owner")
            #expect(csv.type == "text/csv; charset=utf-8", "\(csv)")
            #expect(csv.text == "id,longitude\nr19,\nb/18 ü,-179.99\n", "\(csv)")
        }
    }

    @Test func featureIsFoundByEncodedID() async throws {
        try await ServerFixture.shared.run { client in
            let response = try await client.send(path: "/collections/events/items/b%2F18%20%C3%BC", as: "owner")
            #expect(response.status == 200, "\(response)")
            #expect(response.json["type"] as? String == "Feature", "\(response)")
            #expect(response.properties["comment"] as? String == "<b>&")
            #expect(response.link("self")?.hasSuffix("/collections/events/items/b%2F18%20%C3%BC") == true)
            #expect(response.link("collection")?.hasSuffix("/collections/events") == true)
            let follow = try await client.send(path: "/collections/follows/items/all%2Fowner", as: "all")
            #expect(follow.status == 200, "\(follow)")
            #expect(follow.properties["status"] as? String == "accepted", "\(follow)")
            #expect(try await client.send(path: "/collections/located-events/items/r19", as: "owner").status == 404)
        }
    }

    /// A feature without a geometry matches every box (OGC API - Features, Part 1, /req/core/fc-bbox-response).
    @Test(arguments: ["habits", "follows", "users"]) func bboxMatchesFeaturesWithoutGeometry(collection: String)
        async throws
    {
        try await ServerFixture.shared.run { client in
            let all = try await client.send(path: "/collections/\(collection)/items", as: "owner")
            let boxed = try await client.send(path: "/collections/\(collection)/items?bbox=0,0,1,1", as: "owner")
            #expect(boxed.status == 200, "\(boxed)")
            #expect(boxed.ids == all.ids, "\(boxed)")
            #expect(!all.ids.isEmpty, "\(boxed)")
        }
    }

    @Test func linkHeaderHasLinksOfBody() async throws {
        try await ServerFixture.shared.run { client in
            let page = try await client.send(path: "/collections/events/items?limit=1", as: "owner")
            let header = page.headers[.link] ?? ""
            for rel in ["self", "alternate", "collection", "next"] {
                let href = try #require(page.link(rel))
                #expect(header.contains("<\(href)>; rel=\"\(rel)\""), "\(rel): \(header)")
            }
            let table = try await client.send(path: "/collections/events/items?limit=1&f=csv", as: "owner")
            let links = table.headers[.link] ?? ""
            #expect(links.contains("rel=\"next\""))
            #expect(links.contains("rel=\"alternate\"; type=\"application/geo+json\""))
        }
    }

    @Test(arguments: [
        ("text/csv", "text/csv"), ("text/csv;q=0.9, application/geo+json;q=0.1", "text/csv"),
        ("application/geo+json, text/csv;q=0.5", "application/geo+json"), ("*/*", "application/geo+json"),
        ("text/html, */*;q=0.8", "text/html"), ("text/html;q=0.5, */*;q=0.8", "application/geo+json"),
        ("text/html, text/csv", "text/html"), ("text/html;q=0.4, text/csv;q=0.5", "text/csv"),
        ("text/csv;q=0", "application/geo+json"),
    ])
    func acceptHeaderSelectsForm(accept: String, type: String) async throws {
        try await ServerFixture.shared.run { client in
            let path = "/collections/events/items"
            let page = try await client.send(path: path, as: "owner", headers: [.accept: accept])
            #expect(page.status == 200, "\(page.type ?? "")")
            #expect(page.type?.hasPrefix(type) == true, "\(page.type ?? "")")
            #expect(page.headers[.vary]?.contains("Accept") == true)
            let named = try await client.send(path: path + "?f=geojson", as: "owner", headers: [.accept: accept])
            #expect(named.type == "application/geo+json", "the parameter f precedes the header")
        }
    }
}
