import Foundation
import HTTPTypes
import HabitModel
import HabitStore
import HabitTestSupport
import Testing

@testable import HabitAPI
@testable import HabitServer

/// Tests of changes that clients send, and of clients that synchronize at different times.
@Suite(.serialized, .server(Scene.friends)) struct SynchronizationTests {
    private static func line(_ change: [String: Any]) throws -> String {
        String(decoding: try JSONSerialization.data(withJSONObject: change, options: .sortedKeys), as: UTF8.self)
    }

    private static func put(
        _ collection: String, id: String, _ properties: [String: Any], version: String? = nil
    ) throws -> String {
        var change: [String: Any] = [
            "action": "put", "collection": collection, "feature": ["id": id, "properties": properties],
        ]
        change["version"] = version
        return try line(change)
    }

    /// Sends changes and returns the results.
    private static func send(
        _ lines: [String], as user: String, _ client: ServerClient
    ) async throws -> [[String: Any]] {
        let response = try await client.send(.post, path: "/changes", as: user, lines.joined(separator: "\n"))
        try #require(response.status == 200, "\(response)")
        return try #require(response.json["results"] as? [[String: Any]])
    }

    private static func outcomes(_ results: [[String: Any]]) -> [String] {
        results.map { result -> String in
            let slug = (result["problem"] as? [String: Any])?["slug"] as? String
            let outcome = result["result"] as? String ?? ""
            if let slug { return "\(outcome) \(slug)" }
            return outcome
        }
    }

    @Test func changesAreAppliedInOrderAndRepeatsAreHarmless() async throws {
        try await ServerFixture(Scene.friends).run { client in
            // A client that deletes a record has its version.
            let unknown = try Self.line(["action": "delete", "collection": "events", "id": "r18"])
            let refused = try await Self.send([unknown], as: "owner", client)
            #expect(Self.outcomes(refused) == ["conflict changed-meanwhile"], "\(refused)")
            let version = try #require(refused[0]["version"] as? String)
            let lines = [
                try Self.put("habits", id: "owner:tea", ["title": "Tea", "days": "mon"]),
                try Self.put(
                    "events", id: "owner:tea-1", ["habit": "owner:tea", "day": "2026-11-16", "comment": "green"]),
                // A Tuesday: the habit is not due.
                try Self.put("events", id: "owner:tea-2", ["habit": "owner:tea", "day": "2026-11-17"]),
                try Self.put("follows", id: "owner/stranger", ["followee": "stranger"]),
                try Self.put("claims", id: "sofa/owner", ["item": "sofa"]),
                try Self.put("messages", id: "owner:hi", ["item": "sofa", "recipient": "stranger", "text": "Hello"]),
                try Self.line(["action": "delete", "collection": "events", "id": "r18", "version": version]),
            ]
            let first = try await Self.send(lines, as: "owner", client)
            #expect(Self.outcomes(first) == Array(repeating: "created", count: 6) + ["deleted"], "\(first)")
            let again = try await Self.send(lines, as: "owner", client)
            #expect(Self.outcomes(again) == Array(repeating: "unchanged", count: 7), "\(again)")
            let event = try await client.send(path: "/collections/events/items/owner:tea-2", as: "owner")
            #expect(event.properties["unplanned"] as? Bool == true, "\(event)")
            #expect(try await client.send(path: "/collections/events/items/r18", as: "owner").status == 404)
        }
    }

    @Test func changeBeforeTheOneThatItNeedsIsRefused() async throws {
        try await ServerFixture(Scene.friends).run { client in
            let event = try Self.put("events", id: "owner:tea-1", ["habit": "owner:tea", "day": "2026-11-16"])
            let habit = try Self.put("habits", id: "owner:tea", ["title": "Tea", "days": "mon"])
            let results = try await Self.send([event, habit], as: "owner", client)
            #expect(Self.outcomes(results).first?.hasPrefix("refused") == true, "\(results)")
            #expect(Self.outcomes(results).last == "created", "\(results)")
            let again = try await Self.send([habit, event], as: "owner", client)
            #expect(Self.outcomes(again) == ["unchanged", "created"], "\(again)")
        }
    }

    /// A repeated change of a habit does not write the schedule of the day again.
    @Test func repeatedChangeOfHabitIsUnchanged() async throws {
        // The habit and its owner have different keys.
        let other = Record.habit("read-first", of: "stranger")
        try await ServerFixture(Scene.friends + [other, .habit("stretch", of: "owner")]).run { client in
            let values = ["title": "Stretch", "days": "mon tue", "reason": "health"]
            let base = try await Self.send(
                [try Self.put("habits", id: "stretch", values, version: "old")], as: "owner", client)
            #expect(Self.outcomes(base) == ["conflict changed-meanwhile"], "\(base)")
            let version = try #require(base[0]["version"] as? String)
            let change = try Self.put("habits", id: "stretch", values, version: version)
            let first = try await Self.send([change], as: "owner", client)
            #expect(Self.outcomes(first) == ["updated"], "\(first)")
            let again = try await Self.send([change], as: "owner", client)
            #expect(Self.outcomes(again) == ["unchanged"], "\(again)")
            let path = "/collections/habits/items/stretch"
            let tag = try await client.send(path: path, as: "owner").tag
            let days = #"{"days":"fri"}"#
            let changed = try await client.send(.patch, path: path, as: "owner", days)
            #expect(changed.status == 200, "\(changed)")
            let late = try await client.send(.patch, path: path, as: "owner", days, headers: [.ifMatch: tag])
            #expect(late.status == 412, "\(late)")
        }
    }

    @Test func repeatedCreationKeepsValuesThatServerHasChosen() async throws {
        try await ServerFixture(Scene.friends).run { client in
            let lines = [
                try Self.put("habits", id: "owner:tea", ["title": "Tea", "days": "mon fri"]),
                try Self.put("events", id: "owner:tea-1", ["habit": "owner:tea", "day": "2026-11-20"]),
            ]
            let first = try await Self.send(lines, as: "owner", client)
            #expect(Self.outcomes(first) == ["created", "created"], "\(first)")
            let again = try await Self.send(lines, as: "owner", client)
            #expect(Self.outcomes(again) == ["unchanged", "unchanged"], "\(again)")
            let habit = try await client.send(path: "/collections/habits/items/owner%3Atea", as: "owner")
            #expect(habit.properties["start"] as? String == "2026-11-20", "\(habit)")
            // With its version, the change replaces the record.
            let version = try #require(again[0]["version"] as? String)
            let change = try Self.put("habits", id: "owner:tea", ["title": "Tea", "days": "mon fri"], version: version)
            #expect(Self.outcomes(try await Self.send([change], as: "owner", client)) == ["updated"])
            let cleared = try await client.send(path: "/collections/habits/items/owner%3Atea", as: "owner")
            #expect(cleared.properties["start"] is NSNull, "\(cleared)")
        }
    }

    @Test func oldVersionIsReturnedAsConflict() async throws {
        try await ServerFixture(Scene.friends).run { client in
            let changed = ["habit": "run", "day": "2026-11-17", "comment": "mine"]
            let base = try await Self.send(
                [try Self.put("events", id: "r17", changed, version: "old")], as: "owner", client)
            #expect(Self.outcomes(base) == ["conflict changed-meanwhile"], "\(base)")
            let current = try #require(base[0]["feature"] as? [String: Any])
            let comment = (current["properties"] as? [String: Any])?["comment"] as? String
            #expect(comment == "rain 100%")
            // The stored record has not changed, so its version equals the version of the result.
            let version = try #require(base[0]["version"] as? String)
            let next = try await Self.send(
                [try Self.put("events", id: "r17", changed, version: version)], as: "owner", client)
            #expect(Self.outcomes(next) == ["updated"], "\(next)")
            // The response was lost: the same change with the old version has no effect.
            let repeated = try await Self.send(
                [try Self.put("events", id: "r17", changed, version: version)], as: "owner", client)
            #expect(Self.outcomes(repeated) == ["unchanged"], "\(repeated)")
            let deletion = try Self.line([
                "action": "delete", "collection": "events", "id": "r17", "version": version,
            ])
            let refused = try await Self.send([deletion], as: "owner", client)
            #expect(Self.outcomes(refused) == ["conflict changed-meanwhile"], "\(refused)")
            // A record that another change has deleted.
            let lost = try await Self.send(
                [try Self.put("events", id: "owner:gone", changed, version: version)], as: "owner", client)
            try #require(Self.outcomes(lost) == ["conflict changed-meanwhile"], "\(lost)")
            #expect(lost[0]["feature"] is NSNull, "\(lost)")
        }
    }

    /// A refused change has no effect on the others and stores nothing.
    @Test func refusedChangeDoesNotPreventOthers() async throws {
        try await ServerFixture(Scene.friends).run { client in
            let results = try await Self.send(
                [
                    try Self.put("events", id: "owner:n1", ["habit": "run", "day": "2026-11-10"]),
                    try Self.put("events", id: "owner:n2", ["habit": "run", "day": "2026-11-10"]),
                    try Self.put("events", id: "x18", ["habit": "other", "day": "2026-11-18", "comment": "hacked"]),
                    try Self.put("events", id: "owner:n3", ["habit": "run", "day": "2027-01-01"]),
                    try Self.put("events", id: "owner:n4", ["habit": "run", "dya": "2026-11-09"]),
                    try Self.put("habits", id: "mine", ["title": "Stolen", "days": "mon"]),
                    try Self.put("posts", id: "owner:p9", ["caption": "no photo"]),
                    try Self.put("events", id: "owner:n5", ["habit": "run", "day": "2026-11-11"]),
                ], as: "owner", client)
            #expect(
                Self.outcomes(results) == [
                    "created", "conflict event-exists", "refused id-invalid", "refused day-in-future",
                    "refused field-invalid", "refused id-invalid", "refused photo-invalid", "created",
                ], "\(results)")
            let theirs = try await client.send(path: "/collections/events/items/x18", as: "stranger")
            #expect(theirs.properties["comment"] as? String == "theirs", "\(theirs)")
        }
    }

    /// Two devices record the same habit and day without a network.
    @Test func secondEventOfDayIsConflictWithFirst() async throws {
        try await ServerFixture(Scene.friends).run { client in
            let fields = ["habit": "run", "day": "2026-11-10", "comment": "watch"]
            let first = try await Self.send([try Self.put("events", id: "owner:watch", fields)], as: "owner", client)
            let changed = ["habit": "run", "day": "2026-11-10", "comment": "phone"]
            let second = try await Self.send([try Self.put("events", id: "owner:phone", changed)], as: "owner", client)
            #expect(Self.outcomes(second) == ["conflict event-exists"], "\(second)")
            let stored = try #require(second[0]["feature"] as? [String: Any])
            #expect(stored["id"] as? String == "owner:watch")
            #expect(second[0]["id"] as? String == "owner:phone")
            #expect(second[0]["version"] as? String == first[0]["version"] as? String)
            let problem = second[0]["problem"] as? [String: Any]
            let parameters = problem?["parameters"] as? [String: String]
            #expect(parameters == ["event": "owner:watch"])
            // The client merges both events under the ID of the first.
            let version = try #require(second[0]["version"] as? String)
            let merged = try await Self.send(
                [try Self.put("events", id: "owner:watch", changed, version: version)], as: "owner", client)
            #expect(Self.outcomes(merged) == ["updated"], "\(merged)")
        }
    }

    @Test func featureCollectionIsAccepted() async throws {
        try await ServerFixture(Scene.friends).run { client in
            let body = """
                {"type":"FeatureCollection","features":[
                {"type":"Feature","collection":"events","id":"owner:f1","geometry":{"type":"Point","coordinates":[10,50]},
                "properties":{"habit":"run","day":"2026-11-10"}}]}
                """
            let response = try await client.send(.post, path: "/changes", as: "owner", body)
            let results = response.json["results"] as? [[String: Any]] ?? []
            #expect(Self.outcomes(results) == ["created"], "\(response)")
            let event = try await client.send(path: "/collections/events/items/owner:f1", as: "owner")
            #expect((event.json["geometry"] as? [String: Any])?["coordinates"] as? [Double] == [10, 50])
        }
    }

    private static let malformed: [(line: String, field: String?)] = [
        ("{}", "collection"),
        ("[]", nil),
        ("nonsense", nil),
        (#"{"action":"x","collection":"events"}"#, "action"),
        (#"{"collection":"users","id":"owner","feature":{}}"#, "collection"),
        (#"{"collection":"events","feature":{"properties":{"habit":"run"}}}"#, "id"),
        (#"{"collection":"events","id":"a"}"#, "feature"),
        (#"{"collection":"events","id":7,"feature":{}}"#, "id"),
        (#"{"collection":"events","id":"owner:a","version":"","feature":{}}"#, "version"),
        (#"{"collection":"events","id":"owner:a","verison":"x","feature":{}}"#, "verison"),
        (#"{"collection":"events","id":"owner:a","feature":{"id":"owner:b","properties":{"habit":"run"}}}"#, "id"),
        (
            #"{"collection":"habits","id":"owner:a","feature":{"properties":{"title":"A","title":"B","days":"mon"}}}"#,
            nil
        ),
        (#"{"collection":"habits","id":"owner:a","feature":{"properties":{"title":"\ud800","days":"mon"}}}"#, nil),
        (#"{"collection":"habits","collection":"events","id":"owner:a","feature":{}}"#, nil),
        (String(repeating: "[", count: 100_000), nil),
        (#"{"collection":"events","id":"owner:a""#, nil),
        (
            #"{"collection":"events","id":"owner:a","feature":{"x":[\#(String(repeating: "{},", count: 90_000)){}]}}"#,
            nil
        ),
    ]

    /// A malformed change is refused, and the others are applied.
    @Test func malformedChangeIsRefused() async throws {
        try await ServerFixture(Scene.friends).run { client in
            for (number, (line, field)) in Self.malformed.enumerated() {
                let event = ["habit": "run", "day": "2026-10-\(number + 10)"]
                let valid = try Self.put("events", id: "owner:valid\(number)", event)
                let results = try await Self.send([line, valid], as: "owner", client)
                let problem = results[0]["problem"] as? [String: Any]
                #expect(results[0]["result"] as? String == "refused", "\(line.prefix(100)): \(results)")
                if let field { #expect(problem?["field"] as? String == field, "\(line.prefix(100)): \(results)") }
                try #require(results[1]["result"] as? String == "created", "\(line.prefix(100)): \(results)")
                #expect(results[1]["number"] as? Int == 2, "\(line.prefix(100)): \(results)")
            }
        }
    }

    @Test func invalidBodyIsRefused() async throws {
        try await ServerFixture.shared.run { client in
            let utf16 = Array(#"{"collection":"events"}"#.utf16).flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
            for body in [[], Array(String(repeating: "{}\n", count: 1001).utf8), [0xFF, 0xFE] + utf16] {
                let response = try await client.send(.post, path: "/changes", as: "owner", bytes: body)
                #expect(response.status == 422, "\(response)")
            }
            let features = try await client.send(
                .post, path: "/changes", as: "owner", #"{"type":"FeatureCollection","features":{}}"#)
            #expect(features.status == 422, "\(features)")
            #expect(features.field == "features", "\(features)")
            let list = try await client.send(
                .post, path: "/changes", as: "owner", "[null, null]", headers: [.contentType: "application/geo+json"])
            #expect(list.status == 422, "\(list)")
            #expect(try await client.send(.post, path: "/changes", as: "operator", "{}").status == 403)
            #expect(try await client.send(.post, path: "/changes", as: nil, "{}").status == 401)
        }
    }

    /// Repeats are harmless also if the client sends texts in another Unicode form or values that the server sets.
    @Test func repeatOfMessageInOtherFormIsHarmless() async throws {
        try await ServerFixture(Scene.friends).run { client in
            let lines = [
                try Self.put("claims", id: "sofa/owner", ["item": "sofa"]),
                try Self.put(
                    "messages", id: "owner:m",
                    [
                        "item": "sofa", "recipient": "stranger", "text": "cafe\u{301}",
                        "sent_at": "2026-11-01T10:00:00Z",
                    ]),
            ]
            let first = try await Self.send(lines, as: "owner", client)
            #expect(Self.outcomes(first) == ["created", "created"], "\(first)")
            let again = try await Self.send(lines, as: "owner", client)
            #expect(Self.outcomes(again) == ["unchanged", "unchanged"], "\(again)")
            let other = try await Self.send(
                [try Self.put("messages", id: "owner:m", ["item": "sofa", "recipient": "stranger", "text": "x"])],
                as: "owner", client)
            #expect(Self.outcomes(other) == ["conflict changed-meanwhile"], "\(other)")
        }
    }

    // MARK: Clients that synchronize at different times

    /// After random changes of all users, clients that synchronize often, seldom and in small pages have the same copy,
    /// and it is what a new client reads.
    @Test(arguments: [1, 2, 3, 4] as [UInt64]) func allClientsEndWithTheSameRecords(seed: UInt64) async throws {
        let fixture = try await ServerFixture(Scene.friends + Scene.exchange)
        try await fixture.run { client in
            var generator = SeededGenerator(seed: seed)
            // Errors name the habit, which is not in every request.
            let known: HTTPFields = [.userAgent: "run"]
            var often: [String: ChangeFeedTests.Copy] = [:]
            var seldom: [String: ChangeFeedTests.Copy] = [:]
            let viewers = ["owner", "all", "latest", "pending", "operator"]
            for step in 0..<60 {
                for viewer in viewers where Int.random(in: 0..<4, using: &generator) == 0 {
                    let limit = Int(Self.any(["1", "3", "1000"], &generator)) ?? 1
                    // Changes also happen between the pages of a client.
                    let change = Self.change(step, &generator)
                    var copy = often[viewer] ?? .init()
                    try await copy.synchronize(client, as: viewer, limit: limit) {
                        _ = try await client.send(
                            change.method, path: change.path, as: change.user, change.body, headers: known)
                    }
                    often[viewer] = copy
                    if step == 0 || step == 30 {
                        var copy = seldom[viewer] ?? .init()
                        try await copy.synchronize(client, as: viewer)
                        seldom[viewer] = copy
                    }
                }
                let change = Self.change(step, &generator)
                _ = try await client.send(
                    change.method, path: change.path, as: change.user, change.body, headers: known)
                if step % 20 == 19 {
                    try fixture.store.write([.event("run", "2026-10-\(10 + step / 3)", id: "load-\(step)")])
                }
            }
            for viewer in viewers {
                var new = ChangeFeedTests.Copy()
                try await new.synchronize(client, as: viewer)
                for copies in [often, seldom] {
                    var copy = copies[viewer] ?? .init()
                    try await copy.synchronize(client, as: viewer, limit: 5)
                    #expect(copy == new, "seed \(seed), \(viewer)")
                }
            }
        }
    }

    private static func any(_ choices: [String], _ generator: inout SeededGenerator) -> String {
        choices[Int.random(in: choices.indices, using: &generator)]
    }

    /// Returns a random request that may change something.
    private static func change(
        _ step: Int, _ generator: inout SeededGenerator
    ) -> (path: String, user: String, method: HTTPRequest.Method, body: String?) {
        let day = any(["01", "05", "12", "17", "18", "19", "20"].map { "2026-11-\($0)" }, &generator)
        let known = ["r17", "r18", "r19", "b%2F18%20%C3%BC", "owner:e\(step - 1)", "owner:e\(step - 3)"]
        let event = any(known, &generator)
        let follower = any(["all", "latest", "pending"], &generator)
        let share = any(["all", "latest"], &generator)
        let pause = any(["rest", "owner:p\(step - 1)", "owner:p\(step - 2)"], &generator)
        let events = "/collections/events/items"
        switch Int.random(in: 0..<14, using: &generator) {
        case 0, 1:
            let body = #"{"id":"owner:e\#(step)","habit":"run","day":"\#(day)"}"#
            return (events, "owner", .post, body)
        case 2, 3: return ("\(events)/\(event)", "owner", .delete, nil)
        case 4: return ("\(events)/\(event)", "owner", .patch, #"{"comment":"step \#(step)"}"#)
        case 5: return ("\(events)/\(event)", "owner", .patch, #"{"day":"\#(day)"}"#)
        case 6: return ("/collections/follows/items", follower, .post, #"{"followee":"owner"}"#)
        case 7: return ("/collections/follows/items/\(follower)%2Fowner", "owner", .delete, nil)
        case 8:
            return (
                "/collections/follows/items/\(follower)%2Fowner", "owner", .patch,
                #"{"status":"accepted","share":"\#(share)"}"#
            )
        case 9: return ("/collections/habits/items/run", "owner", .patch, #"{"title":"Run \#(step)","days":"mon,tue"}"#)
        case 10: return ("/collections/claims/items", follower, .post, #"{"item":"lamp"}"#)
        case 11:
            // A pause changes the marks of events.
            return (
                "/collections/pauses/items", "owner", .post,
                #"{"id":"owner:p\#(step)","habit":"run","from":"\#(day)"}"#
            )
        case 12: return ("/collections/pauses/items/\(pause)", "owner", .delete, nil)
        default: return ("/collections/claims/items/lamp%2F\(follower)", follower, .delete, nil)
        }
    }
}
