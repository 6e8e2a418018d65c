import Base
import HabitModel
import HabitTestSupport
import Testing

@testable import HabitServer

extension Scene {
    /// Two claims whose item and user have the same characters together.
    fileprivate static let slashes: [Record] =
        friends + [
            .user("all/b"), .item(ItemRecord(id: "a", user: "owner", name: "A")),
            .item(ItemRecord(id: "a/all", user: "owner", name: "B")), .claim(ClaimRecord(item: "a", user: "all/b")),
            .user("b"), .claim(ClaimRecord(item: "a/all", user: "b")),
        ]
}

/// Tests that the collections of claims and follows address records whose IDs contain slashes exactly.
@Suite(.server(Scene.slashes)) struct AmbiguousIDsOverHTTPTests {
    @Test func claimsHaveDifferentIDs() async throws {
        try await ServerFixture.shared.run { client in
            let list = try await client.send(path: "/collections/claims/items", as: "owner")
            let ids = (list.json["features"] as? [[String: Any]] ?? []).compactMap { $0["id"] as? String }
            #expect(ids.sorted() == ["a%2Fall/b", "a/all/b"])
        }
    }

    @Test(arguments: [("a%252Fall%2Fb", "a/all", "b"), ("a%2Fall%2Fb", "a", "all/b")])
    func claimIsFoundByItsID(path: String, item: String, user: String) async throws {
        try await ServerFixture.shared.run { client in
            let claim = try await client.send(path: "/collections/claims/items/\(path)", as: "owner")
            #expect(claim.properties["item"] as? String == item, "\(claim)")
            #expect(claim.properties["user"] as? String == user, "\(claim)")
            #expect(claim.link("self")?.hasSuffix("/collections/claims/items/\(path)") == true, "\(claim)")
            let query = item == "a" ? "item=a" : "item=a%2Fall"
            #expect(claim.text.contains("/collections/messages/items?\(query)\""), "\(claim)")
        }
    }

    @Test func deletionEndsOnlyNamedClaim() async throws {
        try await ServerFixture(Scene.slashes).run { client in
            let path = "/collections/claims/items/"
            let deleted = try await client.send(.delete, path: path + "a%252Fall%2Fb", as: "owner")
            #expect(deleted.status == 204, "\(deleted)")
            let other = try await client.send(path: path + "a%2Fall%2Fb", as: "owner")
            #expect(other.properties["state"] as? String == "claimed", "\(other)")
            let ended = try await client.send(path: path + "a%252Fall%2Fb", as: "owner")
            #expect(ended.properties["state"] as? String == "released", "\(ended)")
        }
    }

    @Test func createdClaimIsAtItsLocation() async throws {
        let item = Record.item(ItemRecord(id: "new/one", user: "owner", name: "C"))
        try await ServerFixture(Scene.slashes + [item]).run { client in
            let created = try await client.send(
                .post, path: "/collections/claims/items", as: "all", #"{"item":"new/one"}"#)
            #expect(created.status == 201, "\(created)")
            let location = created.headers[.location] ?? ""
            #expect(location.hasSuffix("/collections/claims/items/new%252Fone%2Fall"), "\(location)")
            let claim = try await client.send(path: "/collections/claims/items/new%252Fone%2Fall", as: "all")
            #expect(claim.properties["item"] as? String == "new/one", "\(claim)")
        }
    }
}
