import Base
import Foundation
import Geo
import HTTPTypes
import HabitModel
import HabitStore
import HabitTestSupport
import StoreEngine
import Testing

@testable import HabitAPI
@testable import HabitServer

/// Tests of the list of changes: a client that applies it has what the viewer can see.
@Suite(.serialized, .server(Scene.friends + Scene.exchange)) struct ChangeFeedTests {
    /// The copy of a client, by collection and ID, and its token.
    struct Copy: Equatable {
        var features: [String: [String: String]] = [:]
        var token: String?
        /// The parameters of the first request, such as `collections=events`.
        var selection = ""

        static func == (a: Copy, b: Copy) -> Bool { a.features == b.features }

        /// Reads all changes and applies them.
        mutating func synchronize(
            _ client: ServerClient, as user: String, limit: Int = 1000, between: () async throws -> Void = {}
        ) async throws {
            var more = true
            while more {
                let since = token.map { "&since=\($0)" } ?? (selection.isEmpty ? "" : "&\(selection)")
                let response = try await client.send(path: "/changes?limit=\(limit)\(since)", as: user)
                try #require(response.status == 200, "\(response)")
                for change in try #require(response.json["changes"] as? [[String: Any]]) { try apply(change) }
                token = response.json["token"] as? String
                more = response.json["more"] as? Bool ?? false
                if more { try await between() }
            }
        }

        mutating func apply(_ change: [String: Any]) throws {
            let collection = try #require(change["collection"] as? String)
            switch change["action"] as? String {
            case "put":
                let feature = try #require(change["feature"] as? [String: Any])
                let id = try #require(feature["id"] as? String)
                features[collection, default: [:]][id] = try Self.text(of: feature)
            case "delete": features[collection]?[try #require(change["id"] as? String)] = nil
            default:
                let user = change["user"] as? String
                features[collection] = features[collection]?.filter { _, text in
                    user.map { !text.contains(#""user":"\#($0)""#) } ?? false
                }
            }
            if features[collection]?.isEmpty == true { features[collection] = nil }
        }

        static func text(of feature: [String: Any]) throws -> String {
            String(decoding: try JSONSerialization.data(withJSONObject: feature, options: .sortedKeys), as: UTF8.self)
        }
    }

    /// Returns the IDs of all features that a user can see, by collection, without those of the list of changes.
    private static func visible(_ client: ServerClient, to user: String) async throws -> [String: Set<String>] {
        var ids: [String: Set<String>] = [:]
        if user != "operator" { ids["user"] = [user] }
        let collections = [
            "users", "habits", "pauses", "follows", "events", "items", "claims", "messages", "reads", "posts",
        ]
        for collection in collections {
            let states = collection == "items" ? ["available", "claimed", "given", "withdrawn", "expired"] : [""]
            for state in states {
                var path = "/collections/\(collection)/items?limit=10000"
                if collection == "events" { path += "&scope=all" }
                if !state.isEmpty { path += "&state=\(state)" }
                let response = try await client.send(path: path, as: user)
                try #require(response.status == 200, "\(response)")
                if !response.ids.isEmpty { ids[collection, default: []].formUnion(response.ids) }
            }
        }
        return ids
    }

    private static func requireCopy(_ copy: Copy, of client: ServerClient, for user: String) async throws {
        let visible = try await visible(client, to: user)
        #expect(copy.features.mapValues { Set($0.keys) } == visible, "\(user)")
    }

    @Test(arguments: Scene.users + ["operator"]) func firstPagesContainAllVisibleRecords(user: String)
        async throws
    {
        try await ServerFixture.shared.run { client in
            for limit in [1, 2, 7, 1000] {
                var copy = Copy()
                try await copy.synchronize(client, as: user, limit: limit)
                try await Self.requireCopy(copy, of: client, for: user)
            }
        }
    }

    @Test func changedAndDeletedRecordsAreListed() async throws {
        try await ServerFixture(Scene.friends).run { client in
            var copy = Copy()
            try await copy.synchronize(client, as: "all")
            let token = copy.token ?? ""
            try await client.send(.patch, path: "/collections/events/items/r17", as: "owner", #"{"comment":"x"}"#)
            try await client.send(.delete, path: "/collections/events/items/r18", as: "owner")
            let response = try await client.send(path: "/changes?since=\(token)", as: "all")
            let changes = try #require(response.json["changes"] as? [[String: Any]])
            #expect(changes.map { $0["action"] as? String } == ["put", "delete"], "\(response)")
            let feature = try #require(changes[0]["feature"] as? [String: Any])
            #expect((feature["properties"] as? [String: Any])?["comment"] as? String == "x")
            #expect(changes[1]["id"] as? String == "r18")
            // Nothing has changed since.
            let next = response.json["token"] as? String ?? ""
            let later = try await client.send(path: "/changes?since=\(next)", as: "all")
            #expect((later.json["changes"] as? [Any])?.isEmpty == true, "\(later)")
        }
    }

    /// A user without access gets neither the records nor the IDs of deleted records.
    @Test func changesOfOthersAreHidden() async throws {
        try await ServerFixture(Scene.friends).run { client in
            var copies: [String: String] = [:]
            for user in ["pending", "stranger"] {
                var copy = Copy()
                try await copy.synchronize(client, as: user)
                copies[user] = copy.token
            }
            try await client.send(.patch, path: "/collections/events/items/r17", as: "owner", #"{"comment":"secret"}"#)
            try await client.send(.delete, path: "/collections/events/items/r18", as: "owner")
            try await client.send(
                .patch, path: "/collections/follows/items/all%2Fowner", as: "owner", #"{"share":"latest"}"#)
            for (user, token) in copies {
                let response = try await client.send(path: "/changes?since=\(token)", as: user)
                #expect((response.json["changes"] as? [Any])?.isEmpty == true, "\(user): \(response)")
            }
        }
    }

    /// A follower who may see only the newest event of each habit gets the next one, and not the ID of another.
    @Test func newestEventReplacesTheFormerOne() async throws {
        try await ServerFixture(Scene.friends).run { client in
            var copy = Copy()
            try await copy.synchronize(client, as: "latest")
            let events = copy.features["events"].map { Set($0.keys) }
            #expect(events == ["r19", "b/18 ü"])
            try await client.send(.delete, path: "/collections/events/items/r17", as: "owner")
            try await client.send(.delete, path: "/collections/events/items/r19", as: "owner")
            let response = try await client.send(path: "/changes?since=\(copy.token ?? "")", as: "latest")
            #expect(!response.text.contains("r17"), "\(response)")
            try await copy.synchronize(client, as: "latest")
            #expect(copy.features["events"].map { Set($0.keys) } == ["r18", "b/18 ü"])
        }
    }

    @Test func endedFollowRemovesRecordsAndNewFollowAddsThem() async throws {
        try await ServerFixture(Scene.friends).run { client in
            var follower = Copy()
            var waiting = Copy()
            try await follower.synchronize(client, as: "all")
            try await waiting.synchronize(client, as: "pending")
            #expect(waiting.features["events"] == nil)
            #expect(follower.features["events"]?.count == 4)
            try await client.send(.delete, path: "/collections/follows/items/all%2Fowner", as: "owner")
            try await client.send(
                .patch, path: "/collections/follows/items/pending%2Fowner", as: "owner", #"{"status":"accepted"}"#)
            for user in ["all", "pending"] {
                var copy = user == "all" ? follower : waiting
                try await copy.synchronize(client, as: user, limit: 2)
                try await Self.requireCopy(copy, of: client, for: user)
            }
        }
    }

    @Test func deletedAccountRemovesItsRecords() async throws {
        try await ServerFixture(Scene.friends + Scene.exchange).run { client in
            var copies: [String: Copy] = [:]
            for user in ["all", "latest", "stranger", "operator"] {
                var copy = Copy()
                try await copy.synchronize(client, as: user)
                copies[user] = copy
            }
            #expect(try await client.send(.delete, path: "/user", as: "owner").status == 204)
            for (user, copy) in copies {
                var copy = copy
                try await copy.synchronize(client, as: user)
                try await Self.requireCopy(copy, of: client, for: user)
            }
        }
    }

    /// A load of many records is logged for each user.
    @Test func largeLoadIsListed() async throws {
        let fixture = try await ServerFixture(Scene.friends)
        let first = try #require(Day("1990-01-01"))
        let events = (0...10_000).map { number in
            Record.event("run", first.advanced(by: number).description, id: "many-\(number)")
        }
        try await fixture.run { client in
            var own = Copy()
            var other = Copy()
            try await own.synchronize(client, as: "all")
            try await other.synchronize(client, as: "stranger")
            try fixture.store.write(events)
            try await own.synchronize(client, as: "all")
            #expect(own.features["events"]?.count == events.count + 4)
            let response = try await client.send(path: "/changes?since=\(other.token ?? "")", as: "stranger")
            #expect((response.json["changes"] as? [Any])?.isEmpty == true, "\(response)")
        }
    }

    /// A new account may get the key of a deleted account.
    @Test func deletedAccountRemovesRecordsAlsoIfItsKeyIsReused() async throws {
        let fixture = try await ServerFixture(Scene.friends)
        try fixture.store.write([
            .user("zed"), .habit("zed:h", of: "zed", title: "Zed"), .event("zed:h", "2026-11-02", id: "z1"),
        ])
        try await fixture.run { client in
            var copy = Copy()
            try await copy.synchronize(client, as: "operator")
            try fixture.store.engine.write { session in
                _ = try AccountActions(.operator, in: session).delete("zed")
                try AccountActions(.operator, in: session).add("new", UserDraft())
            }
            try await copy.synchronize(client, as: "operator")
            try await Self.requireCopy(copy, of: client, for: "operator")
        }
    }

    /// The ID of a user may contain a slash, as does the ID of a follow.
    @Test func followOfUserWithSlashIsListed() async throws {
        let fixture = try await ServerFixture(Scene.friends)
        try fixture.store.write([.user("x/y"), .habit("x/y:h", of: "x/y", title: "Slash")])
        try await fixture.run { client in
            var copy = Copy()
            try await copy.synchronize(client, as: "owner")
            try fixture.store.write([.follow("owner", "x/y")])
            try await copy.synchronize(client, as: "owner")
            #expect(copy.features["follows"]?["owner/x/y"] != nil)
            #expect(copy.features["habits"]?["x/y:h"] != nil)
            let path = "/collections/follows/items/owner%2Fx%2Fy"
            let follow = try await client.send(path: path, as: "owner")
            #expect(follow.properties["followee"] as? String == "x/y", "\(follow)")
            let ended = try await client.send(.delete, path: path, as: "owner")
            #expect(ended.status == 204, "\(ended)")
        }
    }

    /// A load of many follows can show and hide the records of any user.
    @Test func largeLoadOfFollowsShowsRecordsOfNewFollowees() async throws {
        let fixture = try await ServerFixture(Scene.friends)
        let users = (0..<110).map { "many-\($0)" }
        try fixture.store.write(users.map { .user($0) } + [.habit("theirs", of: "many-1", title: "Theirs")])
        try await fixture.run { client in
            var copy = Copy()
            try await copy.synchronize(client, as: "owner")
            let follows = users.flatMap { user in users.filter { $0 != user }.map { Record.follow(user, $0) } }
            try fixture.store.write(follows + [.follow("owner", "many-1")])
            try await copy.synchronize(client, as: "owner")
            try await Self.requireCopy(copy, of: client, for: "owner")
        }
    }

    /// A store that was restored from a backup has other changes with the same numbers.
    @Test func tokenOfLostChangeIsRefusedAfterRestore() async throws {
        let fixture = try await ServerFixture(Scene.friends)
        try await fixture.run { client in
            var copy = Copy()
            try await copy.synchronize(client, as: "owner")
            let token = try #require(copy.token)
            #expect(try await client.send(path: "/changes?since=\(token)", as: "owner").status == 200)
            _ = try fixture.store.engine.write { session in
                try session.run("UPDATE change SET at = at - 1")
            }
            try fixture.store.write([.event("run", "2026-11-11", id: "later")])
            let response = try await client.send(path: "/changes?since=\(token)", as: "owner")
            #expect(response.status == 410, "\(response)")
            #expect(response.slug == "token-expired", "\(response)")
        }
    }

    /// A new follow between two pages can add more changes than a client reads one by one.
    @Test func manyChangesBetweenPagesBeginAgain() async throws {
        let fixture = try await ServerFixture(Scene.friends)
        try await fixture.run { client in
            var copy = Copy()
            try await copy.synchronize(client, as: "pending")
            // The log of the owner, whom the client does not follow yet, is long.
            _ = try fixture.store.engine.write { session in
                try session.run(
                    """
                    INSERT INTO change (at, kind, user_id, record_id, audience)
                    SELECT
                      1,
                      'events',
                      (SELECT id FROM account WHERE external_id = 'owner'),
                      'gone-' || a.number || '-' || b.number || '-' || c.number,
                      2
                    FROM change AS a CROSS JOIN change AS b CROSS JOIN change AS c LIMIT 50001
                    """)
            }
            try fixture.store.write([
                .habit("h1", of: "pending", title: "1"), .habit("h2", of: "pending", title: "2"),
            ])
            try await copy.synchronize(client, as: "pending", limit: 1) {
                try fixture.store.write([.follow("pending", "owner")])
            }
            try await copy.synchronize(client, as: "pending")
            try await Self.requireCopy(copy, of: client, for: "pending")
        }
    }

    @Test(arguments: ["x", "e30", "", String(repeating: "A", count: 5000)])
    func invalidTokenIsRefused(token: String) async throws {
        try await ServerFixture.shared.run { client in
            let response = try await client.send(path: "/changes?since=\(token)", as: "owner")
            #expect(response.status == 400, "\(response)")
            #expect(response.field == "since", "\(response)")
        }
    }

    @Test func tokenIsRefusedAfter90DaysAndForAnotherStoreOrUser() async throws {
        let today = ChangeToken.day(of: ServerFixture.clock)
        let fixture = try await ServerFixture(Scene.friends)
        let owner = try fixture.store.engine.read { session in try Viewer.user(named: "owner", in: session) }
        let state = try fixture.store.engine.read { session in try LogState(of: .viewer(owner), in: session) }
        let key = TokenKey(state, owner)
        let recent = Self.token(after: state.newest, on: today)
        var otherStore = state
        otherStore.log = "other"
        var otherKey = state
        otherKey.key = [UInt8](repeating: 1, count: 32)
        var forged = key.text(of: recent)
        forged.replaceSubrange(forged.startIndex...forged.startIndex, with: forged.hasPrefix("A") ? "B" : "A")
        let lost = LogPosition(number: 1 << 40, time: state.newest.time)
        let earlier = #"{"after":0,"created":1795155300,"store":"\(state.log)","viewer":"0123456789ab"}"#
        let tokens = [
            (key.text(of: recent), 200),
            (key.text(of: Self.token(after: state.newest, on: today - 89)), 200),
            (key.text(of: Self.token(after: state.newest, on: today - 90)), 410),
            (key.text(of: Self.token(after: state.newest, on: today + 2)), 410),
            // The file of the store was replaced by an older copy.
            (key.text(of: Self.token(after: lost, on: today)), 410),
            (TokenKey(otherStore, owner).text(of: recent), 410),
            (TokenKey(otherKey, owner).text(of: recent), 410),
            (TokenKey(state, .operator).text(of: recent), 410),
            (TokenKey(state, try Self.namesake(of: owner)).text(of: recent), 410),
            (forged, 410),
            // An earlier version of the server sent such tokens.
            (Data(earlier.utf8).base64URLEncoded, 410),
            (String(key.text(of: recent).dropLast(4)), 400),
        ]
        try await fixture.run { client in
            for (token, status) in tokens {
                let response = try await client.send(path: "/changes?since=\(token)", as: "owner")
                #expect(response.status == status, "\(response)")
                #expect((status == 200) == (response.slug == nil), "\(response)")
            }
            #expect(try await client.send(path: "/changes").status == 401)
        }
    }

    /// The copy of such a client lacks the account of its user.
    @Test func tokenWithoutSelectionIsRefused() async throws {
        let fixture = try await ServerFixture(Scene.friends)
        let text = try fixture.store.engine.read { session in
            let owner = try Viewer.user(named: "owner", in: session)
            let state = try LogState(of: .viewer(owner), in: session)
            let token = Self.token(after: state.newest, on: ChangeToken.day(of: ServerFixture.clock))
            return TokenKey(state, owner, use: "change tokens 1").text(of: token)
        }
        try await fixture.run { client in
            let response = try await client.send(path: "/changes?since=\(text)", as: "owner")
            #expect(response.status == 410, "\(response)")
        }
    }

    /// After 91 days, the change of another user can remove the newest change that a client can see.
    @Test func tokenOutlivesChangeThatLogForgets() async throws {
        let fixture = try await ServerFixture(Scene.friends)
        try await fixture.run { client in
            let first = try await client.send(path: "/changes", as: "stranger")
            let token = try #require(first.json["token"] as? String)
            _ = try fixture.store.engine.write { session in try session.run("DELETE FROM change") }
            let path = "/collections/events/items/r17"
            #expect(try await client.send(.patch, path: path, as: "owner", #"{"comment":"x"}"#).status == 200)
            let next = try await client.send(path: "/changes?since=\(token)", as: "stranger")
            try #require(next.status == 200, "\(next)")
            #expect((next.json["changes"] as? [Any])?.isEmpty == true, "\(next)")
            try fixture.store.write([.item("ladder", of: "owner", name: "Ladder", at: nil)])
            let later = try #require(next.json["token"] as? String)
            let last = try await client.send(path: "/changes?since=\(later)", as: "stranger")
            #expect(last.text.contains(#""id":"ladder""#), "\(last)")
        }
    }

    /// Returns the viewer of a later account with the same ID.
    private static func namesake(of viewer: Viewer) throws -> Viewer {
        guard case .user(let key, let id) = viewer else { throw CancellationError() }
        return .user(key: key + 1, id: id)
    }

    private static func token(after position: LogPosition, on day: Int) -> ChangeToken {
        var token = ChangeToken(day: day)
        token.position.finish(at: position)
        return token
    }

    /// Filters of a client, whose encoded forms have different lengths.
    private static let filters: [SyncFilter] = [
        .everything,
        SyncFilter([.events]),
        SyncFilter([.events, .items], from: Day("2026-11-18")),
        SyncFilter(near: Position(longitude: 10.0123456789, latitude: -50).map { Near(center: $0) }),
    ]

    /// The length of a token does not reveal the numbers in it.
    @Test(arguments: filters) func tokensOfAllPositionsHaveSameLength(filter: SyncFilter) throws {
        let store = try TestStore()
        let state = try store.engine.read { session in try LogState(of: .everyone, in: session) }
        let key = TokenKey(state, .operator)
        let positions = [
            LogPosition(number: 0, time: 0), LogPosition(number: 1, time: 1),
            LogPosition(number: .max, time: .max),
        ]
        let tokens = positions.map { position in
            var token = Self.token(after: position, on: 20_000)
            token.filter = filter
            return token
        }
        let texts = tokens.map { token in key.text(of: token) }
        #expect(Set(texts).count == positions.count)
        #expect(Set(texts.map(\.count)).count == 1)
        for (text, token) in zip(texts, tokens) {
            let read = try key.token(text, field: "since")
            #expect(read == token)
        }
    }
}
