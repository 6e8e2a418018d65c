import Foundation
import Testing

@testable import HabitServer

/// Tests of rules C-17, C-30 and C-07 over HTTP: the other users, and the habits of followed users.
@Suite(.serialized, .server(Scene.friends)) struct UserListTests {
    @Test func userListShowsFollowStatusInBothDirections() async throws {
        try await ServerFixture.shared.run { client in
            let list = try await client.send(path: "/collections/users/items", as: "owner")
            #expect(list.ids == ["all", "latest", "pending", "stranger"], "\(list)")
            for feature in list.features {
                let properties = feature["properties"] as? [String: Any] ?? [:]
                #expect(Set(properties.keys) == ["id", "name", "following", "follower"], "\(properties)")
            }
            let pending = try await client.send(path: "/collections/users/items/pending", as: "owner")
            #expect(pending.properties["follower"] as? String == "pending", "\(pending)")
            #expect(pending.properties["following"] as? String == "none")
            let back = try await client.send(path: "/collections/users/items/owner", as: "all")
            #expect(back.properties["following"] as? String == "accepted", "\(back)")
            #expect(back.properties["email"] == nil)
            #expect(back.properties["time_zone"] == nil)
            let own = try await client.send(path: "/collections/users/items/owner", as: "owner")
            #expect(own.properties["email"] == nil, "the account has its own URL")
            #expect(try await client.send(path: "/collections/users/items/nobody", as: "owner").status == 404)
        }
    }

    private static let searches = [
        ("olga", ["owner"]),
        ("OWN", ["owner"]),
        ("lga%20o", ["owner"]),
        ("A", ["latest", "owner", "stranger"]),
        ("e", ["latest", "owner", "pending", "stranger"]),
        ("%25", []),
        ("_", []),
        ("*", []),
        ("nobody", []),
    ]

    @Test func usersAreSearchedByNameAndID() async throws {
        try await ServerFixture(Scene.friends).run { client in
            let named = try await client.send(.patch, path: "/user", as: "owner", #"{"name":"Olga Owner"}"#)
            #expect(named.status == 200, "\(named)")
            for (text, ids) in Self.searches {
                let list = try await client.send(path: "/collections/users/items?search=\(text)", as: "all")
                #expect(list.status == 200, "\(text): \(list)")
                #expect(list.ids == ids, "\(text): \(list)")
            }
        }
    }

    @Test(arguments: ["", "%20", "%E3%80%80"]) func blankSearchIsRefused(text: String) async throws {
        try await ServerFixture.shared.run { client in
            let refused = try await client.send(path: "/collections/users/items?search=\(text)", as: "all")
            #expect(refused.status == 400, "\(refused)")
            #expect(refused.slug == "search-text-empty", "\(refused)")
            #expect(refused.field == "search", "\(refused)")
            let other = try await client.send(path: "/collections/habits/items?search=a", as: "all")
            #expect(other.status == 400, "only users are searched: \(other)")
            #expect(other.field == "search", "only users are searched: \(other)")
        }
    }

    @Test func usersAreFoundAndRequestedToFollow() async throws {
        try await ServerFixture(Scene.friends).run { client in
            let request = try await client.send(
                .post, path: "/collections/follows/items", as: "stranger", #"{"followee":"owner"}"#)
            #expect(request.status == 201, "\(request)")
            let asked = try await client.send(path: "/collections/users/items/owner", as: "stranger")
            #expect(asked.properties["following"] as? String == "pending", "\(asked)")
        }
    }

    @Test func usersAreReadOnlyAndNeedToken() async throws {
        try await ServerFixture.shared.run { client in
            #expect(try await client.send(path: "/collections/users/items").status == 401)
            let made = try await client.send(.post, path: "/collections/users/items", as: "owner", #"{"id":"x"}"#)
            #expect(made.status == 405, "\(made)")
            #expect(made.headers[.allow] == "GET, HEAD", "\(made)")
            let every = try await client.send(path: "/collections/users/items", as: "operator")
            #expect(every.ids == Scene.users.sorted(), "the operator sees every user: \(every)")
        }
    }

    @Test func followingListsHabitsOfFollowedUsers() async throws {
        try await ServerFixture.shared.run { client in
            let list = try await client.send(path: "/collections/following/items", as: "latest")
            #expect(list.ids == ["run", "read"], "\(list)")
            let first = list.features.first?["properties"] as? [String: Any] ?? [:]
            #expect(Set(first.keys) == ["user", "user_name", "habit", "title", "status", "color"], "\(first)")
            #expect(first["user"] as? String == "owner")
            #expect((first["color"] as? String)?.hasPrefix("#") == true)
            #expect(try await client.send(path: "/collections/following/items/run", as: "latest").status == 200)
            #expect(try await client.send(path: "/collections/following/items/run", as: "owner").status == 404)
            #expect(try await client.send(path: "/collections/following/items/run", as: "stranger").status == 404)
            #expect(try await client.send(path: "/collections/following/items", as: "pending").ids == [])
            let service = try await client.send(path: "/collections/following/items", as: "operator")
            #expect(service.status == 403, "\(service)")
            #expect(service.slug == "not-signed-in", "\(service)")
        }
    }
}
