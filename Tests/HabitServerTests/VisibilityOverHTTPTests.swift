import Base
import Foundation
import HabitModel
import HabitStore
import HabitTestSupport
import Testing

@testable import HTTPServing
@testable import HabitAPI
@testable import HabitServer

/// Tests that each user sees the same records over HTTP as on the command line, in lists and as single features.
@Suite(.serialized, .server(Scene.friends + Scene.exchange)) struct VisibilityOverHTTPTests {
    private static let kinds: [(collection: String, ids: [String])] = [
        ("events", ["r17", "r18", "r19", "b/18 ü", "x18"]),
        ("habits", ["run", "read", "other", "mine"]),
        ("items", ["lamp", "sofa"]),
        ("posts", ["p1", "p2"]),
        ("follows", ["all/owner", "latest/owner", "pending/owner"]),
        ("claims", ["lamp/all", "sofa/latest"]),
        ("messages", ["m1", "m2"]),
        ("pauses", ["rest", "leave"]),
    ]

    /// Collections whose features are in another collection of ``kinds``, or that `UserListTests` tests.
    private static let others: Set<String> = ["located-events", "following", "users", "reads"]

    @Test func allCollectionsAreTested() {
        #expect(Set(Self.kinds.map { $0.collection }).union(Self.others) == Set(FeatureCollection.all.map(\.id)))
    }

    /// The records that each user sees by the rules, listed independently of the code.
    private static let visible: [String: [String: Set<String>]] = [
        "owner": [
            "events": ["r17", "r18", "r19", "b/18 ü"], "habits": ["run", "read"], "posts": ["p1"],
            "follows": ["all/owner", "latest/owner", "pending/owner"], "claims": ["lamp/all"],
            "messages": ["m1", "m2"], "pauses": ["rest"],
        ],
        "all": [
            "events": ["r17", "r18", "r19", "b/18 ü"], "habits": ["run", "read", "mine"], "posts": ["p1"],
            "follows": ["all/owner"], "claims": ["lamp/all"], "messages": ["m1", "m2"], "pauses": ["rest"],
        ],
        "latest": [
            "events": ["r19", "b/18 ü"], "habits": ["run", "read"], "posts": ["p1"], "follows": ["latest/owner"],
            "claims": ["sofa/latest"], "pauses": ["rest"],
        ],
        "pending": ["follows": ["pending/owner"]],
        "stranger": [
            "events": ["x18"], "habits": ["other"], "posts": ["p2"], "claims": ["sofa/latest"],
            "pauses": ["leave"],
        ],
    ]

    @Test(arguments: Scene.users) func listsAndFeaturesContainOnlyVisibleRecords(user: String) async throws {
        let fixture = try ServerFixture.shared
        try await fixture.run { client in
            for (collection, ids) in Self.kinds {
                let expected = collection == "items" ? Set(ids) : Self.visible[user]?[collection] ?? []
                let scope = collection == "events" ? "?scope=all" : ""
                let list = try await client.send(path: "/collections/\(collection)/items\(scope)", as: user)
                #expect(Set(list.ids) == expected, "\(user) \(collection): \(list.ids)")
                for id in ids {
                    let one = try await client.send(path: "/collections/\(collection)/items/\(id.urlEncoded)", as: user)
                    #expect(one.status == (expected.contains(id) ? 200 : 404), "\(user) \(collection) \(id): \(one)")
                }
            }
        }
    }

    @Test func requestWithoutTokenReturns401UnlessPublic() async throws {
        try await ServerFixture.shared.run { client in
            for (collection, ids) in Self.kinds {
                let one = "/collections/\(collection)/items/\(ids[0].urlEncoded)"
                for path in ["/collections/\(collection)/items", one, "/reports/habits"] {
                    let response = try await client.send(path: path)
                    #expect(response.status == 401, "\(path): \(response)")
                }
                let deleted = try await client.send(.delete, path: one)
                #expect(deleted.status == 401, "\(deleted)")
            }
        }
    }

    @Test func changesNeedTokenOfUser() async throws {
        let requests = Self.kinds.flatMap { collection, ids -> [RefusedRequest] in
            let list = "\(collection)/items"
            let feature = "\(list)/\(ids[0].urlEncoded)"
            return [(nil, 401), ("operator", 403)].flatMap { user, status -> [RefusedRequest] in
                [
                    .init(.post, list, as: user, body: "{}", is: status, slug: "not-signed-in"),
                    .init(.delete, feature, as: user, is: status, slug: "not-signed-in"),
                ]
            }
        }
        try await ServerFixture(Scene.friends) { $0.publicCollections = ["events", "items"] }.expectRefusals(requests)
    }

    @Test func publicCollectionContainsNothingPrivate() async throws {
        let open = try await ServerFixture(Scene.friends) { $0.publicCollections = ["events"] }
        try await open.run { client in
            #expect(try await client.send(path: "/collections/events/items").ids.count == 5)
            for scope in ["mine", "friends"] {
                let response = try await client.send(path: "/collections/events/items?scope=\(scope)")
                #expect(response.status == 401, "the scope requires a user: \(response)")
            }
        }
        let fixture = try await ServerFixture(Scene.friends) { $0.publicCollections = ["items", "habits"] }
        try await fixture.run { client in
            try await client.send(.post, path: "/collections/claims/items", as: "all", #"{"item":"lamp"}"#)
            let items = try await client.send(path: "/collections/items/items?state=claimed")
            #expect(items.ids == ["lamp"], "\(items)")
            #expect(!items.text.contains("claimed_by"), "\(items)")
            let habits = try await client.send(path: "/collections/habits/items")
            #expect(habits.ids.count == 4)
            #expect(!habits.text.contains("reason"))
            #expect(!habits.text.contains("streak"))
            #expect(try await client.send(path: "/collections/habits/items/run").properties["reason"] == nil)
            #expect(try await client.send(path: "/collections/events/items").status == 401)
            #expect(try await client.send(.delete, path: "/collections/items/items/lamp").status == 401)
            #expect(try await client.send(path: "/collections/items/items?f=json").type == "application/geo+json")
            // A signed-in user gets their own view and not the public one.
            #expect(try await client.send(path: "/collections/habits/items", as: "stranger").ids == ["other"])
        }
        await #expect(throws: HabitError.self) {
            _ = try await ServerFixture(Scene.friends) { options in options.publicCollections = ["messages"] }
        }
    }

    @Test func reportsContainOnlyVisibleRows() async throws {
        try await ServerFixture.shared.run { client in
            let reports = try await client.send(path: "/reports", as: "owner")
            #expect((reports.json["reports"] as? [Any])?.count ?? 0 >= 19, "\(reports)")
            let own = try await client.send(path: "/reports/history?from=2026-11-01&to=2026-11-20&f=csv", as: "latest")
            #expect(own.status == 200, "\(own)")
            #expect(own.type == "text/csv; charset=utf-8", "\(own)")
            #expect(own.text.contains("r19"))
            #expect(!own.text.contains("r17"))
            #expect(!own.text.contains("x18"))
            let near = try await client.send(path: "/reports/near?near=10,50&f=geojson", as: "operator")
            #expect(near.status == 200, "longitude first: \(near)")
            #expect(near.text.contains("r17"), "longitude first: \(near)")
            let html = try await client.send(path: "/reports/habits?f=html", as: "owner")
            #expect(html.status == 200)
            #expect(html.headers[.contentSecurityPolicy] != nil)
            #expect(html.text.contains("<table"))
            let wrong = try await client.send(path: "/reports/habits?nothing=1", as: "owner")
            #expect(wrong.status == 400, "\(wrong)")
            #expect(wrong.field == "nothing", "\(wrong)")
            let missing = try await client.send(path: "/reports/near", as: "owner")
            #expect(missing.slug == "parameter-missing", "\(missing)")
            #expect(missing.text.contains("LONGITUDE,LATITUDE"), "\(missing)")
            #expect(!missing.text.contains("--"), "\(missing)")
            #expect(!missing.text.contains("habitat report"), "\(missing)")
            #expect(try await client.send(path: "/reports/habits?f=xml", as: "owner").slug == "format-not-available")
            for path in ["/reports/nothing", "/reports/..%2F..%2Fetc%2Fpasswd", "/reports/x.sql"] {
                #expect(try await client.send(path: path, as: "owner").status == 404, "\(path)")
            }
        }
    }

    /// A response has a limited number of rows, independently of the report.
    @Test func reportResponseIsLimitedInRows() async throws {
        let folder = try TemporaryFolder()
        try folder.write(
            """
            -- title: Many
            -- description: More rows than an answer holds.
            -- column: n integer - The row.
            -- key: n
            -- formats: csv
            WITH RECURSIVE many (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM many WHERE n < 100005)
            SELECT n
            FROM many
            ORDER BY n
            """, to: "many.sql")
        try await ServerFixture(Scene.friends) { $0.reportFolders = [folder.path] }.run { client in
            for (query, rows) in [("", 100_000), ("&limit=200000", 100_000), ("&limit=7", 7)] {
                let response = try await client.send(path: "/reports/many?f=csv" + query, as: "operator")
                #expect(response.status == 200, "\(response)")
                #expect(response.body.count { $0 == 0x0a } == rows + 1, "\(query)")
            }
        }
    }
}
