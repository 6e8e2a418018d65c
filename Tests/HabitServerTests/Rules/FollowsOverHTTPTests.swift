import Foundation
import HTTPTypes
import HabitTestSupport
import Testing

@testable import HabitServer

/// Tests of rules C-18 to C-20 over HTTP: follows, and what followers see.
///
/// They have the names of the tests on the command line.
@Suite(.serialized, .server(.rules)) struct FollowsOverHTTPTests {
    private static let follows = "/collections/follows/items"
    private static let list = "follows/items"

    private static let refused: [RefusedRequest] = [
        // C-18
        .init(.post, list, as: "owner", body: #"{"followee":"owner"}"#, is: 422, slug: "self-follow"),
        .init(.post, list, as: "all", body: #"{"followee":"owner"}"#, is: 409, slug: "already-following"),
        .init(.post, list, as: "latest", body: #"{"followee":"owner"}"#, is: 409, slug: "already-following"),
        .init(.post, list, as: "pending", body: #"{"followee":"owner"}"#, is: 409, slug: "already-requested"),
        .init(.post, list, as: "owner", body: #"{"followee":"none"}"#, is: 404, slug: "not-found"),
        .init(
            .post, list, as: "owner",
            body: #"{"followee":"all","status":"accepted"}"#,
            is: 422, slug: "field-invalid"),
        .init(.post, list, as: "nobody", body: #"{"followee":"owner"}"#, is: 401, slug: "not-signed-in"),
        .init(.post, list, as: "operator", body: #"{"followee":"owner"}"#, is: 403, slug: "not-signed-in"),
        // C-19
        .init(
            .patch, list + "/stranger%2Fowner", as: "owner",
            body: #"{"status":"accepted"}"#,
            is: 404, slug: "not-found"),
        .init(
            .patch, list + "/rejected%2Fowner", as: "owner",
            body: #"{"status":"accepted"}"#,
            is: 404, slug: "not-found"),
        .init(.patch, list + "/none%2Fowner", as: "owner", body: #"{"status":"accepted"}"#, is: 404, slug: "not-found"),
        .init(
            .patch, list + "/pending%2Fowner", as: "pending",
            body: #"{"status":"accepted"}"#,
            is: 403, slug: "not-yours"),
        .init(
            .patch, list + "/pending%2Fowner", as: "stranger",
            body: #"{"status":"accepted"}"#,
            is: 404, slug: "not-found"),
        .init(
            .patch, list + "/pending%2Fowner", as: "owner",
            body: #"{"status":"accepted","share":"some"}"#,
            is: 422, slug: "field-invalid"),
        .init(
            .patch, list + "/pending%2Fowner", as: "operator",
            body: #"{"status":"accepted"}"#,
            is: 403, slug: "not-signed-in"),
        // C-20
        .init(
            .patch, list + "/stranger%2Fowner", as: "owner",
            body: #"{"status":"rejected"}"#,
            is: 404, slug: "not-found"),
        .init(.patch, list + "/all%2Fowner", as: "owner", body: #"{"status":"rejected"}"#, is: 404, slug: "not-found"),
        .init(
            .patch, list + "/pending%2Fowner", as: "pending",
            body: #"{"status":"rejected"}"#,
            is: 403, slug: "not-yours"),
        .init(.delete, list + "/stranger%2Fowner", as: "stranger", is: 404, slug: "not-found"),
        .init(.delete, list + "/rejected%2Fowner", as: "rejected", is: 404, slug: "not-found"),
        .init(.delete, list + "/owner%2Fall", as: "owner", is: 404, slug: "not-found"),
        .init(.delete, list + "/stranger%2Fowner", as: "owner", is: 404, slug: "not-found"),
        .init(.delete, list + "/pending%2Fowner", as: "owner", is: 404, slug: "not-found"),
        .init(.delete, list + "/rejected%2Fowner", as: "owner", is: 404, slug: "not-found"),
        .init(.delete, list + "/all%2Fowner", as: "stranger", is: 404, slug: "not-found"),
        .init(.delete, list + "/all%2Fowner", as: "nobody", is: 401, slug: "not-signed-in"),
        .init(.delete, list + "/all%2Fowner", as: "operator", is: 403, slug: "not-signed-in"),
        // Other lists of users.
        .init(.get, "following/items", as: "operator", is: 403, slug: "not-signed-in"),
        .init(.get, "following/items", as: "nobody", is: 401, slug: "not-signed-in"),
        .init(.get, "users/items", as: "nobody", is: 401, slug: "not-signed-in"),
        .init(.get, list + "?status=lost", as: "owner", is: 400, slug: "parameter-invalid"),
    ]

    @Test func invalidFollowRequestIsRefused() async throws {
        try await ServerFixture.shared.expectRefusals(Self.refused)
    }

    /// Rules C-18 and C-19: the events that a follower sees after request and acceptance.
    @Test(
        arguments: [
            ("", "all", ["r19", "b18", "r18", "r17"]),
            (#","share":"all""#, "all", ["r19", "b18", "r18", "r17"]),
            (#","share":"latest""#, "latest", ["r19", "b18"]),
        ])
    func acceptedRequestShowsGrantedEvents(member: String, share: String, ids: [String]) async throws {
        try await ServerFixture(.rules).run { client in
            let request = #"{"followee":"owner"}"#
            let asked = try await client.call(.post, Self.list, as: "stranger", body: request)
            #expect(asked.status == 201, "\(asked)")
            #expect(asked.properties["status"] as? String == "pending", "\(asked)")
            #expect(asked.properties["requested_at"] as? String == "2026-11-20T12:00:00+00:00", "\(asked)")
            #expect(try await client.call(.post, Self.list, as: "stranger", body: request).slug == "already-requested")
            #expect(try await client.call("events/items/r19", as: "stranger").status == 404)
            #expect(try await client.call("following/items", as: "stranger").ids.isEmpty)
            #expect(try await client.call(Self.list + "?status=pending", as: "owner").ids.contains("stranger/owner"))
            let body = #"{"status":"accepted"\#(member)}"#
            let accepted = try await client.call(.patch, Self.list + "/stranger%2Fowner", as: "owner", body: body)
            #expect(accepted.properties["status"] as? String == "accepted", "\(accepted)")
            #expect(accepted.properties["share"] as? String == share, "\(accepted)")
            let events = "events/items?scope=all"
            #expect(try await client.call(events + "&user=owner", as: "stranger").ids == ids)
            #expect(try await client.call(events, as: "owner").ids.count == 4, "a follow has one direction")
            #expect(try await client.call(.post, Self.list, as: "stranger", body: request).slug == "already-following")
        }
    }

    /// Rules C-18 and C-20.
    @Test func rejectedUserSeesNothingAndCanRequestAgain() async throws {
        try await ServerFixture(Scene.friends).run { client in
            let request = #"{"followee":"owner"}"#
            let twice = try await client.send(.post, path: Self.follows, as: "pending", request)
            #expect(twice.status == 409, "\(twice)")
            #expect(twice.slug == "already-requested", "\(twice)")
            let path = Self.follows + "/pending%2Fowner"
            let rejected = try await client.send(.patch, path: path, as: "owner", #"{"status":"rejected"}"#)
            #expect(rejected.status == 200, "\(rejected)")
            #expect(rejected.properties["status"] as? String == "rejected", "\(rejected)")
            #expect(try await client.send(path: "/collections/habits/items/run", as: "pending").status == 404)
            let again = try await client.send(.post, path: Self.follows, as: "pending", request)
            #expect(again.status == 201, "\(again)")
            #expect(again.properties["status"] as? String == "pending", "\(again)")
            #expect(try await client.send(path: "/collections/events/items?scope=all", as: "pending").ids.isEmpty)
        }
    }

    /// Rule C-20.
    @Test(arguments: ["owner", "all"]) func endedFollowHidesRecordsImmediately(user: String) async throws {
        try await ServerFixture(Scene.friends).run { client in
            let before = try await client.send(path: "/collections/habits/items/run", as: "all")
            #expect(before.status == 200, "\(before)")
            let ended = try await client.send(.delete, path: Self.follows + "/all%2Fowner", as: user)
            #expect(ended.status == 204, "\(ended)")
            for path in ["habits/items/run", "events/items/r17", "posts/items/p1"] {
                let hidden = try await client.send(path: "/collections/" + path, as: "all")
                #expect(hidden.status == 404, "\(path): \(hidden)")
            }
        }
    }

    /// Rule C-19.
    @Test func changedShareTakesEffectImmediately() async throws {
        try await ServerFixture(Scene.friends).run { client in
            let events = "/collections/events/items?scope=all&user=owner"
            let all = try await client.send(path: events, as: "all")
            #expect(all.ids.count == 4, "\(all)")
            let path = Self.follows + "/all%2Fowner"
            let changed = try await client.send(.patch, path: path, as: "owner", #"{"share":"latest"}"#)
            #expect(changed.status == 200, "\(changed)")
            #expect(changed.properties["share"] as? String == "latest", "\(changed)")
            let latest = try await client.send(path: events, as: "all")
            #expect(Set(latest.ids) == ["r19", "b/18 ü"], "\(latest)")
            let hidden = try await client.send(path: "/collections/events/items/r17", as: "all")
            #expect(hidden.status == 404, "\(hidden)")
            let other = try await client.send(.patch, path: path, as: "all", #"{"share":"all"}"#)
            #expect(other.status == 403, "only the followed user decides: \(other)")
        }
    }

    /// Rule C-20: the follower withdraws a request.
    @Test func withdrawnRequestCanBeSentAgain() async throws {
        try await ServerFixture(.rules).run { client in
            let path = Self.list + "/pending%2Fowner"
            let withdrawn = try await client.call(.delete, path, as: "pending")
            #expect(withdrawn.status == 204, "\(withdrawn)")
            #expect(try await client.call(path, as: "owner").status == 404)
            #expect(
                try await client.call(.post, Self.list, as: "pending", body: #"{"followee":"owner"}"#).status == 201)
        }
    }

    // MARK: The share `latest`

    /// The older events of `owner` are r17 and r18.
    ///
    /// One has the comment "rain 100%", and one is at longitude 10.01.
    @Test func olderEventsAreHiddenInEveryOutput() async throws {
        let list = "/collections/events/items?scope=all"
        let filters = [
            "", "&f=csv", "&f=html", "&properties=id,comment", "&habit-title=RUN", "&not-habit=read", "&user=owner",
            "&comment-contains=rain", "&comment-word=rain", "&comment=rain+100%25", "&near=10,50",
            "&bbox=9,49,10.015,51&f=csv", "&datetime=2026-11-17/2026-11-18", "&filter=day%20%3C%20DATE('2026-11-19')",
            "&cluster=20&bbox=9,49,11,51",
        ]
        let paths =
            filters.map { list + $0 } + [
                "/collections/located-events/items?scope=all", "/near?near=10,50", "/near?near=10,50&nearest=3",
                "/near?near=10,50&kind=events,items,posts", "/collections/events/items/r17",
                "/collections/events/items/r18", "/reports/history?from=2026-11-01&to=2026-11-20",
                "/reports/near?near=10,50&f=geojson",
            ]
        try await ServerFixture.shared.run { client in
            for path in paths {
                let all = try await client.send(path: path, as: "all")
                #expect(all.status == 200, "\(path): \(all)")
                #expect((all.text.contains("r17") || all.text.contains("r18")), "\(path): \(all)")
                let latest = try await client.send(path: path, as: "latest")
                #expect(latest.status == (path.contains("/items/r1") ? 404 : 200), "\(path): \(latest)")
                guard latest.status == 200 else { continue }
                for old in ["r17", "r18", "rain 100%", "10.01,"] {
                    #expect(!latest.text.contains(old), "\(path) has \(old): \(latest)")
                }
            }
        }
    }

    /// Counts and photos reveal nothing about older events.
    @Test func countsAndPhotosOmitOlderEvents() async throws {
        let photo = FileManager.default.contents(atPath: Program.repository + "/sample-data/photos/hills.png")
        try await ServerFixture.shared.run { client in
            for (user, count) in [("latest", 2), ("all", 4)] {
                let list = try await client.call("events/items?scope=all", as: user)
                #expect(list.json["numberMatched"] as? Int == count, "\(user): \(list)")
            }
            #expect(try await client.call("events/items/r19/photo", as: "latest").status == 200)
            let old = try await client.call("events/items/r17/photo", as: "latest")
            #expect(old.status == 404, "\(old)")
            #expect(old.slug == "not-found", "\(old)")
            let seen = try await client.call("events/items/r17/photo", as: "all")
            #expect(seen.status == 200)
            #expect(Data(seen.body) == photo)
        }
    }

    @Test func habitsAreVisibleToEveryFollower() async throws {
        try await ServerFixture.shared.run { client in
            for resource in ["following/items", "habits/items?user=owner", "habits/items/run"] {
                let all = try await client.call(resource, as: "all")
                let latest = try await client.call(resource, as: "latest")
                #expect(all.status == 200, "\(resource): \(latest)")
                #expect(all.body == latest.body, "\(resource): \(latest)")
            }
            #expect(try await client.call("following/items", as: "latest").ids.count == 6)
        }
    }

    /// The newest event, and with it the visible one, changes with the events.
    @Test func newestEventChangesWithEvents() async throws {
        try await ServerFixture(.rules).run { client in
            func seen() async throws -> [String?] {
                try await client.call("events/items?scope=all&habit=run", as: "latest").values("day")
            }
            #expect(try await seen() == ["2026-11-19"])
            let added = try await client.call(.post, "events/items", as: "owner", body: #"{"habit":"run"}"#)
            #expect(try await seen() == ["2026-11-20"])
            #expect(try await client.call("events/items/r19", as: "latest").status == 404)
            let id = try #require(added.json["id"] as? String)
            #expect(try await client.call(.delete, "events/items/\(id.urlEncoded)", as: "owner").status == 204)
            let moved = try await client.call(.patch, "events/items/r19", as: "owner", body: #"{"day":"2026-11-16"}"#)
            #expect(moved.status == 200, "\(moved)")
            #expect(try await seen() == ["2026-11-18"])
        }
    }
}
