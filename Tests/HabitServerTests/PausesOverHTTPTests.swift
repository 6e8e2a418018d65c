import Foundation
import HTTPTypes
import HabitTestSupport
import Testing

@testable import HabitServer

/// Tests of rule C-32 over HTTP: pauses are features of the collection `pauses`.
@Suite(.serialized) struct PausesOverHTTPTests {
    private static let list = "/collections/pauses/items"

    private static func path(_ location: String?) -> String {
        location.flatMap { URLComponents(string: $0)?.percentEncodedPath } ?? "/nothing"
    }

    /// Returns whether each event of the habit `run` is unplanned, by ID.
    private static func unplanned(_ client: ServerClient, as user: String = "owner") async throws -> Set<String> {
        let events = try await client.send(path: "/collections/events/items?scope=all&habit=run", as: user)
        let marked = events.features.filter { feature in
            (feature["properties"] as? [String: Any])?["unplanned"] as? Bool == true
        }
        return Set(marked.compactMap { feature in feature["id"] as? String })
    }

    @Test func pauseIsCreatedChangedAndDeleted() async throws {
        try await ServerFixture(Scene.friends).run { client in
            let body = #"{"habit":"run","from":"2026-11-17","to":"2026-11-18"}"#
            let made = try await client.send(.post, path: Self.list, as: "owner", body)
            #expect(made.status == 201, "\(made)")
            #expect(made.properties["user"] as? String == "owner", "\(made)")
            #expect(made.properties["to"] as? String == "2026-11-18", "\(made)")
            #expect(try await Self.unplanned(client) == ["r17", "r18"])
            let path = Self.path(made.headers[.location])
            let changed = try await client.send(.patch, path: path, as: "owner", #"{"from":"2026-11-18"}"#)
            #expect(changed.status == 200, "\(changed)")
            #expect(changed.properties["to"] as? String == "2026-11-18", "PATCH keeps omitted members")
            #expect(try await Self.unplanned(client) == ["r18"])
            let replaced = try await client.send(.put, path: path, as: "owner", #"{"habit":"run"}"#)
            #expect(replaced.status == 200, "\(replaced)")
            #expect(replaced.properties["from"] as? String == "2026-11-18", "\(replaced)")
            #expect(replaced.properties["to"] is NSNull, "PUT clears omitted members")
            #expect(try await Self.unplanned(client) == ["r18", "r19"])
            let late = try await client.send(
                .patch, path: path, as: "owner", #"{"to":null}"#, headers: [.ifMatch: made.tag])
            #expect(late.status == 412, "\(late)")
            #expect(try await client.send(.delete, path: path, as: "owner").status == 204)
            #expect(try await Self.unplanned(client).isEmpty)
            #expect(try await client.send(path: path, as: "owner").status == 404)
        }
    }

    @Test func pauseOfAllHabitsHasNoHabit() async throws {
        try await ServerFixture(Scene.friends).run { client in
            let made = try await client.send(.post, path: Self.list, as: "owner", #"{"from":"2026-11-18"}"#)
            #expect(made.status == 201, "\(made)")
            #expect(made.properties["habit"] is NSNull, "\(made)")
            #expect(try await Self.unplanned(client) == ["r18", "r19"])
        }
    }

    @Test(arguments: [
        (#"{"habit":"run","from":"2026-11-18","to":"2026-11-17"}"#, 422, "day-invalid"),
        (#"{"habit":"run","from":"soon"}"#, 422, "day-invalid"),
        (#"{"habit":"none"}"#, 404, "not-found"),
        (#"{"habit":"other"}"#, 404, "not-found"),
        (#"{"habit":"run","day":"2026-11-18"}"#, 422, "field-invalid"),
        (#"{"id":"mine","habit":"run"}"#, 422, "id-invalid"),
        (#"{"user":"all","habit":"run"}"#, 403, "not-yours"),
    ])
    func invalidPauseRequestIsRefused(body: String, status: Int, slug: String) async throws {
        try await ServerFixture(Scene.friends).run { client in
            let refused = try await client.send(.post, path: Self.list, as: "owner", body)
            #expect(refused.status == status, "\(refused)")
            #expect(refused.slug == slug, "\(refused)")
            #expect(try await client.send(path: Self.list, as: "owner").ids.isEmpty)
        }
    }

    @Test(arguments: [
        ("owner", 1),
        ("all", 1),
        ("latest", 1),
        ("pending", 0),
        ("stranger", 0),
    ])
    func followersSeeAndCannotChangePauses(user: String, count: Int) async throws {
        try await ServerFixture(Scene.friends).run { client in
            let body = #"{"id":"owner:p","habit":"run","from":"2026-11-17"}"#
            let made = try await client.send(.post, path: Self.list, as: "owner", body)
            #expect(made.status == 201, "\(made)")
            let seen = try await client.send(path: Self.list, as: user)
            #expect(seen.ids.count == count, "\(seen)")
            guard user != "owner" else { return }
            let path = Self.list + "/owner:p"
            let changed = try await client.send(.patch, path: path, as: user, #"{"to":"2026-11-18"}"#)
            #expect(changed.status == (count == 0 ? 404 : 403), "\(changed)")
            let deleted = try await client.send(.delete, path: path, as: user)
            #expect(deleted.status == (count == 0 ? 404 : 403), "\(deleted)")
        }
    }

    /// The statuses of a public collection depend on pauses, so its tag changes with them.
    @Test func tagOfPublicHabitsChangesWithPause() async throws {
        let fixture = try await ServerFixture(Scene.friends) { options in options.publicCollections = ["habits"] }
        try await fixture.run { client in
            let before = try await client.send(path: "/collections/habits/items")
            let pause = #"{"habit":"run","from":"2030-01-01"}"#
            _ = try await client.send(.post, path: Self.list, as: "owner", pause)
            let after = try await client.send(path: "/collections/habits/items")
            #expect(before.status == 200)
            #expect(before.tag != after.tag)
        }
    }

    @Test func pausesCannotBePublic() async throws {
        await #expect(throws: (any Error).self) {
            _ = try await ServerFixture(Scene.friends) { options in options.publicCollections = ["pauses"] }
        }
    }
}
