import Base
import Foundation
import HTTPTypes
import HabitModel
import HabitStore
import HabitTestSupport
import Testing

@testable import HabitServer

/// Tests that a client cannot notice a change that its user cannot see: neither by tags nor by change tokens.
@Suite(.serialized) struct HiddenChangeTests {
    /// A change, sent by a user over HTTP.
    struct Change: Sendable, CustomTestStringConvertible {
        var name: String
        var user: String
        var method: HTTPRequest.Method
        var path: String
        var body: String?
        /// Whether followers with a grant of the newest events see the change.
        var isSeenByFollowers = true

        var testDescription: String { name }
    }

    static let changes = [
        Change(
            name: "comment of the newest event", user: "owner", method: .patch, path: "events/items/r19",
            body: #"{"comment":"x"}"#),
        Change(
            name: "comment of an older event", user: "owner", method: .patch, path: "events/items/r17",
            body: #"{"comment":"x"}"#, isSeenByFollowers: false),
        Change(
            name: "position of an older event", user: "owner", method: .patch, path: "events/items/r18",
            body: #"{"longitude":11,"latitude":51}"#, isSeenByFollowers: false),
        Change(
            name: "deletion of an older event", user: "owner", method: .delete, path: "events/items/r17",
            isSeenByFollowers: false),
        Change(name: "deletion of the newest event", user: "owner", method: .delete, path: "events/items/r19"),
        Change(
            name: "new event of the day", user: "owner", method: .post, path: "events/items",
            body: #"{"habit":"run","day":"2026-11-20"}"#),
        Change(
            name: "new older event", user: "owner", method: .post, path: "events/items",
            body: #"{"habit":"run","day":"2026-11-16"}"#, isSeenByFollowers: false),
        Change(
            name: "skipped day", user: "owner", method: .post, path: "events/items",
            body: #"{"habit":"read","day":"2026-11-20","outcome":"skipped"}"#),
        Change(
            name: "title of a habit", user: "owner", method: .patch, path: "habits/items/run",
            body: #"{"title":"Walk"}"#),
        Change(
            name: "reason of a habit", user: "owner", method: .patch, path: "habits/items/run",
            body: #"{"reason":"x"}"#,
            isSeenByFollowers: false),
        Change(
            name: "rank of a habit", user: "owner", method: .patch, path: "habits/items/run", body: #"{"rank":1}"#,
            isSeenByFollowers: false),
        Change(
            name: "reminder of a habit", user: "owner", method: .patch, path: "habits/items/run",
            body: #"{"remind_at":"07:30"}"#, isSeenByFollowers: false),
        Change(
            name: "look of a habit", user: "owner", method: .patch, path: "habits/items/run",
            body: #"{"tint":2,"symbol":"🏃"}"#),
        Change(
            name: "schedule of a habit", user: "owner", method: .patch, path: "habits/items/run",
            body: #"{"days":"mon,tue"}"#),
        Change(
            name: "new habit", user: "owner", method: .post, path: "habits/items",
            body: #"{"title":"Swim","days":"mon"}"#),
        Change(name: "deletion of a habit", user: "owner", method: .delete, path: "habits/items/read"),
        Change(
            name: "caption of a post", user: "owner", method: .patch, path: "posts/items/p1", body: #"{"caption":"x"}"#),
        Change(name: "deletion of a post", user: "owner", method: .delete, path: "posts/items/p1"),
        Change(
            name: "accepted request", user: "owner", method: .patch, path: "follows/items/pending%2Fowner",
            body: #"{"status":"accepted","share":"all"}"#, isSeenByFollowers: false),
        Change(
            name: "removed follower", user: "owner", method: .delete, path: "follows/items/all%2Fowner",
            isSeenByFollowers: false),
        Change(
            name: "message about a claimed item", user: "all", method: .post, path: "messages/items",
            body: #"{"item":"lamp","text":"Hello"}"#, isSeenByFollowers: false),
        Change(
            name: "new request", user: "pending", method: .post, path: "follows/items", body: #"{"followee":"all"}"#,
            isSeenByFollowers: false),
        Change(
            name: "withdrawn request", user: "pending", method: .delete, path: "follows/items/pending%2Fowner",
            isSeenByFollowers: false),
        Change(
            name: "permission of an account", user: "owner", method: .patch, path: "/user",
            body: #"{"share_location":false}"#, isSeenByFollowers: false),
        Change(
            name: "private place without records", user: "owner", method: .patch, path: "/user",
            body: #"{"private_places":"-60.0,-150.0 300m cabin"}"#, isSeenByFollowers: false),
        Change(
            name: "time zone of an account", user: "owner", method: .patch, path: "/user",
            body: #"{"time_zone":"Asia/Tokyo"}"#),
    ]

    /// The requests of a client, each of which has a tag.
    private static let paths = [
        "/collections/events/items", "/collections/events/items?near=10,50", "/collections/located-events/items",
        "/collections/habits/items", "/collections/items/items", "/collections/items/items/lamp",
        "/collections/posts/items", "/collections/users/items", "/collections/users/items/owner",
        "/collections/follows/items", "/collections/messages/items", "/collections/claims/items",
        "/near?near=10,50", "/inbox", "/days?from=-7d", "/user", "/reports/history?f=json", "/reports/habits",
        "/collections/events/tiles/WebMercatorQuad/2/1/2",
        "/tiles/WebMercatorQuad/2/1/2?collections=events,items,posts",
    ]

    /// Documents whose tag depends only on their text, so that some visible changes do not change it.
    private static let documents = [
        "/collections/events/tiles/WebMercatorQuad?f=tilejson",
        "/tiles/WebMercatorQuad?collections=events,items,posts",
        "/style.json",
    ]

    /// The observations of a client: the tag of each response, and the list of changes with its token and its versions.
    static func observations(_ client: ServerClient, as user: String) async throws -> [String: String] {
        var all: [String: String] = [:]
        for path in paths {
            let response = try await client.send(path: path, as: user)
            try #require(response.status == 200 || response.status == 204, "\(path): \(response)")
            all[path] = response.tag
        }
        for path in ["/changes", "/changes?from=2026-11-17&near=10,50&within=5km"] + documents {
            all[path] = try await client.send(path: path, as: user).text
        }
        return all
    }

    @Test(arguments: changes) func hiddenChangeIsNotNoticed(change: Change) async throws {
        let fixture = try await ServerFixture(Scene.friends + [.claim(ClaimRecord(item: "lamp", user: "all"))])
        try await fixture.run { client in
            let hidden = change.isSeenByFollowers ? ["stranger"] : ["stranger", "latest"]
            var before: [String: [String: String]] = [:]
            for user in hidden {
                before[user] = try await Self.observations(client, as: user)
            }
            let own = try await Self.observations(client, as: change.user)
            let path = change.path.hasPrefix("/") ? change.path : "/collections/" + change.path
            let response = try await client.send(change.method, path: path, as: change.user, change.body)
            try #require(response.status < 300, "\(response)")
            for user in hidden {
                let after = try await Self.observations(client, as: user)
                for (path, seen) in before[user] ?? [:] {
                    #expect(after[path] == seen, "\(user) \(path)")
                }
            }
            let ownAfter = try await Self.observations(client, as: change.user)
            for path in Self.paths {
                #expect(ownAfter[path] != own[path], "\(path)")
            }
        }
    }

    /// Two servers of one store make the same tags, also after a restart and a checkpoint.
    @Test func serversOfOneStoreMakeSameTags() async throws {
        let fixture = try await ServerFixture(Scene.friends)
        try await fixture.run { client in
            var random = SeededGenerator(seed: 42)
            for _ in 0..<10 {
                for _ in 0..<20 {
                    try fixture.store.write([Self.randomRecord(&random)])
                }
                try fixture.store.engine.writeAheadLog?.checkpoint(wait: .seconds(1))
                let other = try fixture.copy { _ in }
                for user in ["owner", "latest", "stranger"] {
                    let first = try await Self.observations(client, as: user)
                    try await fixture.run(other.router()) { client in
                        let second = try await Self.observations(client, as: user)
                        #expect(first == second)
                        for path in Self.paths {
                            let known: HTTPFields = [.ifNoneMatch: first[path] ?? ""]
                            let again = try await client.send(path: path, as: user, headers: known)
                            #expect(again.status == 304, "\(path): \(again)")
                        }
                    }
                }
            }
        }
    }

    /// Returns an event, a follow or a habit of one of the users of the scene.
    private static func randomRecord(_ random: inout SeededGenerator) -> Record {
        let number = Int.random(in: 1...19, using: &random)
        let day = "2026-11-" + (number < 10 ? "0\(number)" : "\(number)")
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            return .event("other", day, comment: "\(number)")
        case 1:
            let share: Share = Bool.random(using: &random) ? .all : .latest
            return .follow("latest", "owner", share: share)
        case 2:
            return .habit("mine", of: "all", title: "Walk \(number)")
        default:
            return .event("mine", day, comment: "\(number)")
        }
    }
}
