import Base
import HabitModel
import HabitTestSupport
import Testing

@testable import HabitServer

/// Tests of unread messages and read markers over HTTP.
@Suite(.serialized) struct ThreadRouteTests {
    @Test func threadIsUnreadUntilItIsMarked() async throws {
        try await ServerFixture(Scene.friends + Scene.exchange).run { client in
            let before = try await client.send(path: "/inbox/threads", as: "owner")
            #expect(before.json["unread"] as? Int == 1, "\(before)")
            _ = try await client.send(path: "/collections/messages/items?item=lamp", as: "owner")
            #expect(try await client.send(path: "/inbox/threads", as: "owner").json["unread"] as? Int == 1)
            let others = try await client.send(path: "/changes", as: "all").text
            let marked = try await client.send(.put, path: "/inbox/threads/lamp/read", as: "owner")
            #expect(marked.status == 204, "\(marked)")
            let after = try await client.send(path: "/inbox/threads", as: "owner")
            #expect(after.json["unread"] as? Int == 0, "\(after)")
            let own = try await client.send(path: "/collections/reads/items", as: "owner")
            #expect(own.ids == ["lamp/owner"], "\(own)")
            #expect(try await client.send(path: "/collections/reads/items/lamp%2Fowner", as: "all").status == 404)
            #expect(try await client.send(path: "/changes", as: "all").text == others)
            #expect(try await client.send(path: "/changes", as: "owner").text.contains("lamp/owner"))
        }
    }

    private static func unread(_ client: ServerClient) async throws -> Int? {
        let threads = try await client.send(path: "/inbox/threads", as: "owner")
        return threads.json["unread"] as? Int
    }

    /// A message that is later than the last shown message stays unread.
    @Test func markReachesOnlyToGivenTime() async throws {
        try await ServerFixture(Scene.friends + Scene.exchange).run { client in
            let path = "/inbox/threads/lamp/read"
            let earlier = #"{"read_at": "2026-11-12T09:59:59Z"}"#
            let before = try await client.send(.put, path: path, as: "owner", earlier)
            #expect(before.status == 204, "\(before)")
            #expect(try await Self.unread(client) == 1)
            let sameTime = #"{"read_at": "2026-11-12T11:00:00+01:00"}"#
            let marked = try await client.send(.put, path: path, as: "owner", sameTime)
            #expect(marked.status == 204, "\(marked)")
            #expect(try await Self.unread(client) == 0)
        }
    }

    @Test(arguments: [
        ("{}", "row-invalid"), ("[]", "row-invalid"), ("null", "row-invalid"), ("x", "row-invalid"),
        (#"{"until": "2026-11-12T10:00:00Z"}"#, "row-invalid"),
        (#"{"read_at": "2026-11-12T10:00:00Z", "item": "lamp"}"#, "row-invalid"),
        (#"{"read_at": null}"#, "row-invalid"), (#"{"read_at": 5}"#, "row-invalid"),
        (#"{"read_at": "today"}"#, "instant-invalid"),
    ])
    func otherBodyMarksNothing(body: String, slug: String) async throws {
        try await ServerFixture(Scene.friends + Scene.exchange).run { client in
            let refused = try await client.send(.put, path: "/inbox/threads/lamp/read", as: "owner", body)
            #expect(refused.status == 422, "\(refused)")
            #expect(refused.slug == slug, "\(refused)")
            #expect(refused.field == "read_at", "\(refused)")
            #expect(try await Self.unread(client) == 1)
        }
    }

    @Test func markOfUnknownItemIsRefused() async throws {
        try await ServerFixture(Scene.friends).run { client in
            let unknown = try await client.send(.put, path: "/inbox/threads/none/read", as: "owner")
            #expect(unknown.status == 404, "\(unknown)")
            #expect(try await client.send(.put, path: "/inbox/threads/lamp/read").status == 401)
            #expect(try await client.send(.put, path: "/inbox/threads/lamp/read", as: "operator").status == 403)
        }
    }
}
