import Foundation
import HTTPTypes
import HabitTestSupport
import Testing

@testable import HabitServer

/// Tests of rule C-35 over HTTP: a block hides two users from each other.
@Suite(.serialized) struct BlocksOverHTTPTests {
    private static let collections = ["users", "items", "habits", "events", "posts", "claims", "messages"]

    /// The paths of the owner and of records that `all` sees before the block, or that both share.
    private static let hidden = [
        "/collections/users/items/owner", "/collections/items/items/lamp", "/collections/habits/items/run",
        "/collections/events/items/r17", "/collections/posts/items/p1", "/collections/messages/items/m1",
        "/collections/claims/items/lamp%2Fall", "/collections/follows/items/all%2Fowner",
        "/collections/items/items/lamp/photo",
    ]

    @Test(arguments: [("owner", "all"), ("all", "owner")])
    func blockHidesBothUsers(blocker: String, blocked: String) async throws {
        try await ServerFixture(Scene.friends + Scene.exchange).run { client in
            let made = try await client.send(.put, path: "/user/blocks/\(blocked)", as: blocker)
            #expect(made.status == 204, "\(made)")
            for path in Self.hidden {
                let response = try await client.send(path: path, as: "all")
                #expect(response.status == 404, "\(path): \(response)")
            }
            #expect(try await client.send(path: "/collections/users/items/all", as: "owner").status == 404)
            for collection in Self.collections {
                let path = "/collections/\(collection)/items?f=json" + (collection == "events" ? "&scope=all" : "")
                for (viewer, other) in [("all", "owner"), ("owner", "all")] {
                    let list = try await client.send(path: path, as: viewer)
                    #expect(list.status == 200, "\(path): \(list)")
                    #expect(!list.text.contains("\"\(other)\""), "\(viewer) \(path): \(list)")
                }
            }
            for viewer in ["all", "owner"] {
                let follows = try await client.send(path: "/collections/follows/items", as: viewer)
                #expect(!follows.ids.contains("all/owner"), "\(follows)")
            }
            let inbox = try await client.send(path: "/inbox", as: "owner")
            #expect(!inbox.text.contains("\"all\""), "\(inbox)")
            // Other users see both.
            let other = try await client.send(path: "/collections/users/items", as: "latest")
            #expect(Set(["owner", "all"]).isSubset(of: Set(other.ids)), "\(other)")
        }
    }

    /// Requests of the blocked user about the blocker, and the same requests about a user and an item that do not
    /// exist.
    private static let requests: [(HTTPRequest.Method, String, String?)] = [
        (.get, "/collections/users/items/USER", nil), (.get, "/collections/items/items/ITEM", nil),
        (.get, "/collections/events/items?scope=all&user=USER", nil), (.get, "/collections/items/items?user=USER", nil),
        (.post, "/collections/follows/items", #"{"followee":"USER"}"#),
        (.post, "/collections/claims/items", #"{"item":"ITEM"}"#),
        (.post, "/collections/messages/items", #"{"item":"ITEM","text":"Hello"}"#),
        (.post, "/collections/messages/items", #"{"item":"ITEM","recipient":"USER","text":"Hello"}"#),
        (.put, "/user/blocks/USER", nil), (.delete, "/user/blocks/USER", nil),
        (.delete, "/collections/follows/items/all%2FUSER", nil),
    ]

    @Test func errorsAreThoseOfUnknownUser() async throws {
        try await ServerFixture(Scene.friends + Scene.exchange).run { client in
            #expect(try await client.send(.put, path: "/user/blocks/all", as: "owner").status == 204)
            for (method, path, body) in Self.requests {
                func problem(_ user: String, _ item: String) async throws -> String {
                    func named(_ text: String) -> String {
                        text.replacing("USER", with: user).replacing("ITEM", with: item)
                    }
                    let response = try await client.send(method, path: named(path), as: "all", body.map(named))
                    #expect(response.status >= 400, "\(method) \(path): \(response)")
                    #expect(response.slug == "not-found", "\(method) \(path): \(response)")
                    return response.text.replacing(user, with: "USER").replacing(item, with: "ITEM")
                }
                let hidden = try await problem("owner", "lamp")
                #expect(hidden == (try await problem("nowhere", "nothing")), "\(method) \(path)")
            }
        }
    }

    /// The copy of a client of either user loses the records of the other, and the third user's copy nothing.
    @Test(arguments: ["owner", "all"]) func copiesLoseHiddenRecords(viewer: String) async throws {
        let hidden = viewer == "owner" ? "all" : "owner"
        try await ServerFixture(Scene.friends + Scene.exchange).run { client in
            let token = try await Self.token(client, viewer)
            let third = try await Self.token(client, "stranger")
            #expect(try await client.send(.put, path: "/user/blocks/all", as: "owner").status == 204)
            let changes = try await client.send(path: "/changes?since=\(token)", as: viewer)
            #expect(changes.status == 200, "\(changes)")
            #expect(Self.deleted(changes).isSuperset(of: ["users \(hidden)", "messages m1", "claims lamp/all"]))
            let nothing = try await client.send(path: "/changes?since=\(third)", as: "stranger")
            #expect((nothing.json["changes"] as? [Any])?.isEmpty == true, "\(nothing)")
            let later = try await Self.token(client, viewer)
            let change = try await client.send(
                .patch, path: "/user", as: hidden, #"{"name":"New name"}"#)
            #expect(change.status == 200, "\(change)")
            #expect(try await Self.token(client, viewer) == later)
        }
    }

    /// Reads all changes and returns the last token.
    private static func token(_ client: ServerClient, _ user: String) async throws -> String {
        var page = try await client.send(path: "/changes", as: user)
        while page.json["more"] as? Bool == true {
            let token = try #require(page.json["token"] as? String)
            page = try await client.send(path: "/changes?since=\(token)", as: user)
        }
        return try #require(page.json["token"] as? String, "\(page)")
    }

    /// Returns the deleted records of a list of changes.
    private static func deleted(_ response: ServerResponse) -> Set<String> {
        let changes = response.json["changes"] as? [[String: Any]] ?? []
        let deletions = changes.filter { change in change["action"] as? String == "delete" }
        return Set(deletions.map { change in "\(change["collection"] ?? "") \(change["id"] ?? "")" })
    }

    @Test func blocksAreListedAndEnded() async throws {
        try await ServerFixture(Scene.friends).run { client in
            #expect(try await client.send(.put, path: "/user/blocks/all", as: "owner").status == 204)
            #expect(try await client.send(.put, path: "/user/blocks/all", as: "owner").status == 204)
            let list = try await client.send(path: "/user/blocks", as: "owner")
            let blocks = try #require(list.json["blocks"] as? [[String: Any]], "\(list)")
            #expect(blocks.count == 1)
            #expect(blocks.first?["user"] as? String == "all")
            #expect((blocks.first?["blocked_at"] as? String)?.hasPrefix("2026-11-20T") == true, "\(list)")
            let other = try await client.send(path: "/user/blocks", as: "all")
            #expect((other.json["blocks"] as? [Any])?.isEmpty == true, "\(other)")
            #expect(try await client.send(.delete, path: "/user/blocks/all", as: "owner").status == 204)
            #expect(try await client.send(.delete, path: "/user/blocks/all", as: "owner").status == 404)
            #expect(try await client.send(path: "/collections/users/items/owner", as: "all").status == 200)
            #expect(try await client.send(path: "/collections/habits/items/run", as: "all").status == 404)
        }
    }

    @Test(arguments: [
        ("owner", "owner", 422), ("owner", "nowhere", 404), ("operator", "all", 403),
    ])
    func invalidBlockIsRefused(user: String, blocked: String, status: Int) async throws {
        try await ServerFixture(Scene.friends).run { client in
            let refused = try await client.send(.put, path: "/user/blocks/\(blocked)", as: user)
            #expect(refused.status == status, "\(refused)")
        }
    }
}
