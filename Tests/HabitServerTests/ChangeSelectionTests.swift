import Base
import Foundation
import Geo
import HTTPTypes
import HabitModel
import HabitStore
import HabitTestSupport
import Testing

@testable import HabitAPI
@testable import HabitServer

/// Tests of copies of selected records: the token contains the collections, the first day and the circle of items.
@Suite(.serialized, .server(Scene.friends + Scene.exchange)) struct ChangeSelectionTests {
    private typealias Copy = ChangeFeedTests.Copy

    /// Returns a complete copy of the records of a selection.
    private static func copy(
        of selection: String,
        as user: String,
        limit: Int = 1000,
        _ client: ServerClient
    ) async throws -> Copy {
        var copy = Copy()
        copy.selection = selection
        try await copy.synchronize(client, as: user, limit: limit)
        return copy
    }

    private static func ids(_ copy: Copy, _ collection: String) -> Set<String> {
        let features = copy.features[collection] ?? [:]
        return Set(features.keys)
    }

    /// Returns the changes since the token of a copy: the action and the ID of each.
    private static func changes(
        since copy: Copy,
        as user: String,
        _ client: ServerClient
    ) async throws -> [String] {
        let response = try await client.send(path: "/changes?since=\(copy.token ?? "")", as: user)
        let changes = try #require(response.json["changes"] as? [[String: Any]], "\(response)")
        return changes.map { change in
            let feature = change["feature"] as? [String: Any]
            let id = (change["id"] ?? feature?["id"]) as? String
            return "\(change["action"] ?? "") \(id ?? "")"
        }
    }

    // MARK: Collections

    @Test(arguments: SyncedCollection.allCases)
    func copyContainsOnlySelectedCollection(collection: SyncedCollection) async throws {
        try await ServerFixture.shared.run { client in
            let all = try await Self.copy(of: "", as: "owner", client)
            let selection = "collections=\(collection.rawValue)"
            let part = try await Self.copy(of: selection, as: "owner", limit: 2, client)
            #expect(part.features[collection.rawValue] == all.features[collection.rawValue])
            #expect(Set(part.features.keys).isSubset(of: [collection.rawValue]))
        }
    }

    @Test func collectionsOfAPIAreCopied() {
        let copied = SyncedCollection.allCases.filter { collection in collection != .user }
        for collection in copied {
            let named = FeatureCollection.named(collection.rawValue)
            #expect(named?.kind == collection.kind, "\(collection)")
        }
    }

    @Test func changeOfOtherCollectionIsNotListed() async throws {
        try await ServerFixture(Scene.friends).run { client in
            let copy = try await Self.copy(of: "collections=habits,items", as: "all", client)
            let path = "/collections/events/items/r17"
            try await client.send(.patch, path: path, as: "owner", #"{"comment":"x"}"#)
            #expect(try await Self.changes(since: copy, as: "all", client).isEmpty)
            let habit = "/collections/habits/items/run"
            try await client.send(.patch, path: habit, as: "owner", #"{"title":"Walk"}"#)
            #expect(try await Self.changes(since: copy, as: "all", client) == ["put run"])
        }
    }

    // MARK: Days

    @Test(arguments: [
        ("2026-11-17", ["r17", "r18", "r19", "b/18 ü"]),
        ("2026-11-18", ["r18", "r19", "b/18 ü"]),
        ("2026-11-19", ["r19"]),
        ("2026-11-20", []),
    ])
    func copyContainsEventsOfDayOrLater(day: String, expected: [String]) async throws {
        try await ServerFixture.shared.run { client in
            for limit in [1, 2, 1000] {
                let copy = try await Self.copy(of: "from=\(day)", as: "all", limit: limit, client)
                #expect(Self.ids(copy, "events") == Set(expected))
            }
        }
    }

    @Test(arguments: [("2026-11-11", ["p1"]), ("2026-11-12", [])])
    func copyContainsPostsOfDayOrLater(day: String, expected: [String]) async throws {
        try await ServerFixture.shared.run { client in
            let copy = try await Self.copy(of: "from=\(day)", as: "all", client)
            #expect(Self.ids(copy, "posts") == Set(expected))
        }
    }

    @Test func eventThatMovesAcrossFirstDayIsDeletedAndPut() async throws {
        let fixture = try await ServerFixture(Scene.friends)
        try await fixture.run { client in
            let copy = try await Self.copy(of: "from=2026-11-18", as: "all", client)
            try fixture.store.write([.event("run", "2026-11-10", id: "r19")])
            #expect(try await Self.changes(since: copy, as: "all", client) == ["delete r19"])
            try fixture.store.write([.event("run", "2026-11-20", id: "r19")])
            #expect(try await Self.changes(since: copy, as: "all", client) == ["put r19"])
        }
    }

    /// A post without a UTC offset has its day in the time zone of the owner.
    @Test func changedTimeZoneMovesPostIntoSelection() async throws {
        try await ServerFixture(Scene.friends).run { client in
            let selection = "collections=posts&from=2026-11-12"
            var copy = try await Self.copy(of: selection, as: "all", client)
            #expect(Self.ids(copy, "posts") == [])
            let zone = #"{"time_zone":"Pacific/Kiritimati"}"#
            try await client.send(.patch, path: "/user", as: "owner", zone)
            try await copy.synchronize(client, as: "all")
            #expect(Self.ids(copy, "posts") == ["p1"])
        }
    }

    // MARK: Items

    /// The poster sees the exact position, and others see the center of its cell.
    @Test func copyContainsItemsAtVisibleDistance() async throws {
        let exact = try #require(Position(longitude: 10, latitude: 50))
        let shown = try #require(PositionGrid.items.center(of: exact))
        let distance = Geodesic.distance(from: exact, to: shown).meters
        let cases = [
            ("owner", 0.001, ["lamp"]),
            ("all", distance - 0.001, []),
            ("all", distance + 0.001, ["lamp"]),
        ]
        try await ServerFixture.shared.run { client in
            for (user, meters, expected) in cases {
                let selection = "near=10,50&within=\(meters)m"
                let copy = try await Self.copy(of: selection, as: user, client)
                #expect(Self.ids(copy, "items") == Set(expected), "\(user) \(meters)")
            }
        }
    }

    @Test func itemThatMovesAwayIsDeletedAndPut() async throws {
        let fixture = try await ServerFixture(Scene.friends)
        let near = Position(longitude: 10, latitude: 50)
        let far = Position(longitude: 11, latitude: 50)
        try await fixture.run { client in
            let copy = try await Self.copy(of: "near=10,50", as: "stranger", client)
            #expect(Self.ids(copy, "items") == ["lamp"])
            try fixture.store.write([.item("lamp", of: "owner", name: "Lamp", at: far)])
            #expect(try await Self.changes(since: copy, as: "stranger", client) == ["delete lamp"])
            try fixture.store.write([.item("lamp", of: "owner", name: "Lamp", at: near)])
            #expect(try await Self.changes(since: copy, as: "stranger", client) == ["put lamp"])
        }
    }

    // MARK: The own account

    @Test func accountReachesOtherDevicesOfOwnerOnly() async throws {
        try await ServerFixture(Scene.friends).run { client in
            let own = try await Self.copy(of: "", as: "owner", client)
            let follower = try await Self.copy(of: "collections=user,users", as: "all", client)
            #expect(Self.ids(follower, "user") == ["all"])
            let body = #"{"private_places":"50.0,10.0 2km home","share_location":false}"#
            try await client.send(.patch, path: "/user", as: "owner", body)
            #expect(try await Self.changes(since: own, as: "owner", client).contains("put owner"))
            #expect(try await Self.changes(since: follower, as: "all", client).isEmpty)
        }
    }

    @Test func accountHasMembersOfUserResource() async throws {
        try await ServerFixture.shared.run { client in
            let account = try await client.send(path: "/user", as: "owner")
            let list = try await client.send(path: "/changes?collections=user", as: "owner")
            let changes = try #require(list.json["changes"] as? [[String: Any]])
            let feature = try #require(changes.last?["feature"] as? [String: Any])
            let properties = try #require(feature["properties"] as? [String: Any])
            #expect(NSDictionary(dictionary: properties) == NSDictionary(dictionary: account.json))
            #expect(changes.last?["version"] is String)
        }
    }

    @Test func operatorHasNoAccount() async throws {
        try await ServerFixture.shared.run { client in
            let list = try await client.send(path: "/changes?collections=user", as: "operator")
            #expect((list.json["changes"] as? [Any])?.isEmpty == true, "\(list)")
            #expect(list.json["more"] as? Bool == false)
        }
    }

    // MARK: Pages and tokens

    @Test(arguments: [(5, 5, false), (4, 4, true)])
    func pageThatIsExactlyFullIsLast(limit: Int, count: Int, hasMore: Bool) async throws {
        try await ServerFixture.shared.run { client in
            // A 'clear' precedes the four events.
            let path = "/changes?collections=events&limit=\(limit)"
            let page = try await client.send(path: path, as: "all")
            #expect((page.json["changes"] as? [Any])?.count == count, "\(page)")
            #expect(page.json["more"] as? Bool == hasMore)
        }
    }

    @Test func tokenIsRefusedWithOtherSelectionAndForOtherUser() async throws {
        try await ServerFixture.shared.run { client in
            let selection = "collections=events,items&from=2026-11-18&near=10,50&within=1km"
            let copy = try await Self.copy(of: selection, as: "all", client)
            let token = try #require(copy.token)
            let same = "collections=items,events&from=2026-11-18&near=10.0,50&within=1000m"
            let repeated = try await client.send(path: "/changes?\(same)&since=\(token)", as: "all")
            #expect(repeated.status == 200, "\(repeated)")
            let others = [
                "collections=events", "from=2026-11-18", "near=10,50",
                selection.replacing("from=2026-11-18", with: "from=2026-11-19"),
                selection.replacing("&from=2026-11-18", with: ""), selection.replacing("1km", with: "2km"),
            ]
            for other in others {
                let refused = try await client.send(path: "/changes?\(other)&since=\(token)", as: "all")
                #expect(refused.status == 400, "\(refused)")
                #expect(refused.field == "since", "\(refused)")
            }
            let stranger = try await client.send(path: "/changes?since=\(token)", as: "stranger")
            #expect(stranger.status == 410, "\(stranger)")
        }
    }

    @Test(arguments: [
        ("collections=", "collections"), ("collections=event", "collections"), ("collections=settings", "collections"),
        ("from=2026-02-30", "from"), ("from=yesterday", "from"), ("collections=items&from=2026-11-18", "from"),
        ("near=50", "near"), ("near=last", "near"), ("near=200,50", "near"), ("collections=events&near=10,50", "near"),
        ("within=5km", "within"), ("near=10,50&within=5", "within"),
    ])
    func invalidSelectionIsRefused(selection: String, field: String) async throws {
        try await ServerFixture.shared.run { client in
            for path in ["/changes", "/changes/stream"] {
                let refused = try await client.send(path: "\(path)?\(selection)", as: "owner")
                #expect(refused.status == 400, "\(refused)")
                #expect(refused.field == field, "\(refused)")
            }
        }
    }

    // MARK: Size

    /// A history of 100,000 events in ten years has 10,000 events a year.
    ///
    /// The store of the test and its pages have a part of them.
    @Test func copyOfYearHasFewAndSmallPages() async throws {
        let part = 25
        let first = try #require(Day("2016-11-21"))
        var random = SeededGenerator(seed: 7)
        let events = (0..<100_000 / part).map { number in
            let position = Position(
                longitude: 9 + Double.random(in: 0..<1, using: &random),
                latitude: 50 + Double.random(in: 0..<1, using: &random))
            let day = first.advanced(by: number * 3652 * part / 100_000)
            return Record.event(
                "h\(number % 2)",
                day.description,
                id: "e\(number)",
                comment: "Run \(number % 9)",
                at: position)
        }
        let habits = ["h0", "h1"].map { id in Record.habit(id, of: "stranger") }
        let fixture = try await ServerFixture(Scene.friends + habits + events)
        try await fixture.run { client in
            var pages = 0
            var bytes = 0
            var count = 0
            var parameters = "from=2025-11-20"
            var hasMore = true
            while hasMore {
                let path = "/changes?limit=\(ChangePage.limit / part)&\(parameters)"
                let packed = try await client.send(path: path, as: "stranger", headers: [.acceptEncoding: "gzip"])
                try #require(packed.status == 200, "\(packed)")
                let text = try await Gzip.unpack(packed.body)
                let page = try #require(try JSONSerialization.jsonObject(with: Data(text)) as? [String: Any])
                pages += 1
                bytes += packed.body.count
                count += (page["changes"] as? [Any])?.count ?? 0
                parameters = "since=\(page["token"] as? String ?? "")"
                hasMore = page["more"] as? Bool ?? false
            }
            #expect(count > 10_000 / part)
            #expect(pages <= 10)
            #expect(bytes * part <= 1_000_000)
        }
    }
}
