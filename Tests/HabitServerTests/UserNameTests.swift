import Foundation
import HabitModel
import HabitTestSupport
import Testing

@testable import HabitAPI
@testable import HabitServer

extension Scene {
    /// The records of ``friends``, with a name of the owner.
    fileprivate static func withOwnerName() -> [Record] {
        var owner = UserRecord(id: "owner")
        owner.name = .value("Ondine")
        return [.user(owner)] + friends.filter { record in record != .user("owner") }
    }
}

/// Tests of the property `user_name`, which lists have only on request.
@Suite(.serialized, .server(Scene.withOwnerName())) struct UserNameTests {
    private static let collections = ["events", "located-events", "items", "posts", "habits"]

    private static func properties(_ response: ServerResponse) -> [[String: Any]] {
        response.features.compactMap { feature in feature["properties"] as? [String: Any] }
    }

    @Test(arguments: collections) func listHasNamesOnRequest(collection: String) async throws {
        try await ServerFixture.shared.run { client in
            let path = "/collections/\(collection)/items?user=owner"
            let scope = collection.hasSuffix("events") ? "&scope=all" : ""
            let named = try await client.send(path: "\(path)\(scope)&properties=id,user_name", as: "all")
            #expect(named.status == 200, "\(named)")
            let rows = Self.properties(named)
            #expect(!rows.isEmpty, "\(named)")
            #expect(rows.allSatisfy { row in row["user_name"] as? String == "Ondine" }, "\(named)")
            #expect(rows.allSatisfy { row in row.count == 2 }, "\(named)")
            let plain = try await client.send(path: path + scope, as: "all")
            #expect(Self.properties(plain).allSatisfy { row in row["user_name"] == nil }, "\(plain)")
        }
    }

    @Test(arguments: collections) func csvHasNamesOnRequest(collection: String) async throws {
        try await ServerFixture.shared.run { client in
            let path = "/collections/\(collection)/items?user=owner&properties=user_name&f=csv"
            let table = try await client.send(path: path, as: "owner")
            #expect(table.text.hasPrefix("user_name\nOndine\n"), "\(table)")
        }
    }

    @Test func userWithoutNameHasNull() async throws {
        try await ServerFixture.shared.run { client in
            let path = "/collections/events/items?properties=user,user_name"
            let response = try await client.send(path: path, as: "stranger")
            let row = try #require(Self.properties(response).first)
            #expect(row["user"] as? String == "stranger")
            #expect(row["user_name"] is NSNull)
        }
    }

    /// The next page and the list by distance have the names too.
    @Test func pagesByDistanceHaveNames() async throws {
        try await ServerFixture.shared.run { client in
            let path = "/collections/events/items?near=10,50&limit=1&properties=user_name,distance_m"
            let first = try await client.send(path: path, as: "owner")
            let next = try #require(first.link("next"))
            let address = next.replacing(/^https?:\/\/[^\/]*/, with: "")
            let second = try await client.send(path: address, as: "owner")
            for page in [first, second] {
                let rows = Self.properties(page)
                #expect(rows.count == 1, "\(page)")
                #expect(rows.first?["user_name"] as? String == "Ondine", "\(page)")
            }
        }
    }

    /// Names are not public, although the IDs of users are.
    @Test(arguments: ["events", "items", "posts", "habits"])
    func publicListHasNoNames(collection: String) async throws {
        let fixture = try await ServerFixture(Scene.withOwnerName()) { $0.publicCollections = [collection] }
        try await fixture.run { client in
            let path = "/collections/\(collection)"
            let refused = try await client.send(path: "\(path)/items?properties=user_name")
            #expect(refused.status == 400, "\(refused)")
            #expect(refused.field == "properties", "\(refused)")
            let detail = refused.json["detail"] as? String ?? ""
            let known = detail.split(separator: ": use ").last ?? ""
            #expect(!known.contains("user_name"), "\(refused)")
            let schema = try await client.send(path: "\(path)/schema")
            #expect(schema.properties["user_name"] == nil, "\(schema)")
        }
    }

    @Test func errorAndSchemaNameTheProperty() async throws {
        try await ServerFixture.shared.run { client in
            let refused = try await client.send(path: "/collections/items/items?properties=nothing", as: "owner")
            let detail = refused.json["detail"] as? String ?? ""
            #expect(detail.hasSuffix("user_name"), "\(refused)")
            let schema = try await client.send(path: "/collections/items/schema", as: "owner")
            let property = schema.properties["user_name"] as? [String: Any]
            #expect(property?["readOnly"] as? Bool == true, "\(schema)")
            let claims = try await client.send(path: "/collections/claims/items?properties=user_name", as: "owner")
            #expect(claims.status == 400, "\(claims)")
        }
    }
}
