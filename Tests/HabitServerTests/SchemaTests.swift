import Base
import Foundation
import Geo
import HabitModel
import HabitStore
import HabitTestSupport
import Testing

@testable import HTTPServing
@testable import HabitAPI
@testable import HabitServer

/// Tests of the schemas and the extents of collections (OGC 23-058r2; OGC 19-079, clause 6).
@Suite(.engineIndependent, .serialized, .server(Scene.friends + Scene.exchange)) struct SchemaTests {
    private static let relations = "http://www.opengis.net/def/rel/ogc/1.0/"

    @Test(arguments: FeatureCollection.all.map(\.id), ["schema", "queryables"])
    func schemaDescribesProperties(collection: String, name: String) async throws {
        try await ServerFixture.shared.run { client in
            let document = try await client.send(path: "/collections/\(collection)")
            let links = document.json["links"] as? [[String: Any]] ?? []
            let link = try #require(links.first { $0["rel"] as? String == Self.relations + name })
            #expect(link["type"] as? String == "application/schema+json")
            let href = try #require(link["href"] as? String)
            let schema = try await client.send(path: try #require(URL(string: href)).path)
            #expect(schema.status == 200, "\(schema)")
            #expect(schema.type == "application/schema+json", "\(schema)")
            #expect(schema.json["$schema"] as? String == "https://json-schema.org/draft/2020-12/schema")
            #expect(schema.json["$id"] as? String == href)
            #expect(schema.json["type"] as? String == "object")
            #expect(schema.json["additionalProperties"] as? Bool == false)
            let properties = try #require(schema.properties as? [String: [String: Any]])
            for (name, property) in properties {
                let isSpatial = (property["format"] as? String)?.hasPrefix("geometry-") == true
                #expect((property["type"] == nil) == isSpatial, "\(name): \(property)")
                #expect(property["title"] is String, "\(name): \(property)")
            }
            let roles = properties.values.compactMap { $0["x-ogc-role"] as? String }
            #expect(Set(roles).count == roles.count, "\(roles)")
            #expect((name == "queryables" || roles.contains("id")), "\(roles)")
            let isSpatial = FeatureCollection.named(collection)?.isSpatial == true
            #expect((properties["geometry"]?["x-ogc-role"] as? String == "primary-geometry") == isSpatial)
            #expect(try await client.send(path: "/collections/\(collection)/\(name)?f=xml").field == "f")
        }
    }

    /// A feature has no property that its schema does not describe, and each value has the type of the schema.
    @Test(arguments: FeatureCollection.all.map(\.id)) func featuresMatchSchema(collection: String) async throws {
        try await ServerFixture.shared.run { client in
            let schema = try await client.send(path: "/collections/\(collection)/schema")
            let properties = try #require(schema.properties as? [String: [String: Any]])
            let required = schema.json["required"] as? [String] ?? []
            let near = properties["geometry"] == nil ? "" : "?near=10,50"
            for path in ["/collections/\(collection)/items", "/collections/\(collection)/items\(near)"] {
                // The operator has no follows.
                let page = try await client.send(path: path, as: collection == "following" ? "all" : "operator")
                #expect(!page.features.isEmpty, "\(page)")
                for feature in page.features.compactMap({ $0["properties"] as? [String: Any] }) {
                    for (name, value) in feature {
                        let property = try #require(properties[name], "\(name)")
                        guard !(value is NSNull) else { continue }
                        let type = property["type"] as? String
                        #expect((value is String) == (type == "string"), "\(name): \(value)")
                        if let values = property["enum"] as? [String] {
                            #expect(values.contains(value as? String ?? ""), "\(name): \(value)")
                        }
                    }
                    for name in required {
                        let value = try #require(feature[name], "\(name)")
                        #expect(!(value is NSNull), "\(name)")
                    }
                }
            }
        }
    }

    @Test func schemaOfEventsHasRolesAndAccess() async throws {
        try await ServerFixture.shared.run { client in
            let properties = try #require(
                try await client.send(path: "/collections/events/schema").properties as? [String: [String: Any]])
            #expect(properties["at"]?["x-ogc-role"] as? String == "primary-instant")
            #expect(properties["geometry"]?["format"] as? String == "geometry-point")
            #expect(properties["day"]?["format"] as? String == "date")
            #expect(properties["day"]?["readOnly"] == nil)
            #expect(properties["outcome"]?["enum"] as? [String] == ["done", "skipped"])
            #expect(properties["title"]?["readOnly"] as? Bool == true)
            #expect(properties["photo"]?["writeOnly"] as? Bool == true)
            #expect(properties["longitude"] == nil)
            #expect(properties["email"] == nil)
            let users = try await client.send(path: "/collections/users/schema")
            #expect(Set(users.properties.keys) == ["id", "name", "following", "follower"], "\(users)")
        }
    }

    @Test func conformanceListsClassesOfFilters() async throws {
        try await ServerFixture.shared.run { client in
            let classes = try await client.send(path: "/conformance").json["conformsTo"] as? [String] ?? []
            for name in [
                "ogcapi-features-3/1.0/conf/queryables", "ogcapi-features-3/1.0/conf/filter",
                "ogcapi-features-3/1.0/conf/features-filter", "cql2/1.0/conf/basic-cql2", "cql2/1.0/conf/cql2-text",
                "cql2/1.0/conf/cql2-json", "cql2/1.0/conf/temporal-functions",
            ] {
                #expect(classes.contains("http://www.opengis.net/spec/\(name)"), "\(name)")
            }
            for name in ["spatial-functions", "basic-spatial-functions-plus", "property-property", "arithmetic"] {
                #expect(!classes.contains("http://www.opengis.net/spec/cql2/1.0/conf/\(name)"), "\(name)")
            }
        }
    }

    // MARK: Extent

    private struct Bounds: Equatable {
        var box: [Double]?
        var from: String?
        var to: String?

        init(_ extent: Any?) {
            let members = extent as? [String: Any] ?? [:]
            box = ((members["spatial"] as? [String: Any])?["bbox"] as? [[Double]])?.first
            let interval = ((members["temporal"] as? [String: Any])?["interval"] as? [[Any]])?.first
            from = interval?.first as? String
            to = interval?.last as? String
        }

        init(box: [Double]?, from: String?, to: String?) {
            self.box = box
            self.from = from
            self.to = to
        }
    }

    /// Returns the extents of the list and checks that the single documents have the same.
    private static func extents(_ client: ServerClient, as user: String?) async throws -> [String: Bounds] {
        let list = try await client.send(path: "/collections", as: user)
        #expect(list.status == 200, "\(list)")
        #expect(list.headers[.cacheControl]?.contains("private") == true, "\(list)")
        var bounds: [String: Bounds] = [:]
        for collection in list.json["collections"] as? [[String: Any]] ?? [] {
            let id = try #require(collection["id"] as? String)
            if collection["extent"] != nil { bounds[id] = Bounds(collection["extent"]) }
            let one = try await client.send(path: "/collections/\(id)", as: user)
            #expect(Bounds(one.json["extent"]) == Bounds(collection["extent"]), "\(id)")
        }
        return bounds
    }

    @Test func extentContainsWhatViewerCanSee() async throws {
        try await ServerFixture(Scene.friends).run { client in
            let owner = try await Self.extents(client, as: "owner")
            let own = Bounds(box: [-179.99, -16, 10.01, 50], from: "2026-11-16T10:00:00Z", to: "2026-11-20T12:00:00Z")
            // The newest event has no position.
            var located = own
            located.to = "2026-11-19T12:00:00Z"
            #expect(owner["events"] == own, "\(owner)")
            #expect(owner["located-events"] == located, "\(owner)")
            // The item of another user is at the center of its cell.
            let items = Bounds(
                box: [-179.9906373, -16.0002, 10, 50], from: "2026-11-10T10:00:00Z", to: "2026-11-10T10:00:00Z")
            #expect(owner["items"] == items, "\(owner)")
            #expect(
                owner["posts"]
                    == Bounds(box: [10.01, 50, 10.01, 50], from: "2026-11-11T10:00:00Z", to: "2026-11-11T10:00:00Z"))
            #expect(owner["habits"] == nil)
            #expect(owner["users"] == nil)
            #expect(owner["messages"] == nil)
            // The newest events of both habits: one of them has no position.
            let latest = try await Self.extents(client, as: "latest")["events"]
            #expect(
                latest
                    == Bounds(
                        box: [-179.99, -16, -179.99, -16], from: "2026-11-17T10:00:00Z", to: "2026-11-20T12:00:00Z"))
            let stranger = try await Self.extents(client, as: "stranger")["events"]
            #expect(
                stranger == Bounds(box: [10, 50, 10, 50], from: "2026-11-17T10:00:00Z", to: "2026-11-19T12:00:00Z"))
            #expect(try await Self.extents(client, as: "pending")["events"] == nil)
            #expect(try await Self.extents(client, as: "all")["events"] == own)
        }
    }

    @Test func extentWithoutTokenIsOnlyOfPublicCollections() async throws {
        try await ServerFixture.shared.run { client in
            let extents = try await Self.extents(client, as: nil)
            #expect(extents.isEmpty, "\(extents)")
            let refused = try await client.send(path: "/collections", as: "no such token")
            #expect(refused.status == 401, "\(refused)")
        }
        var records = Scene.friends
        records.append(.event("run", "2025-01-01", id: "hidden", comment: "without a position"))
        try await ServerFixture(records) { $0.publicCollections = ["located-events"] }.run { client in
            let extents = try await Self.extents(client, as: nil)
            #expect(
                extents == [
                    "located-events": Bounds(
                        box: [-179.99, -16, 10.01, 50], from: "2026-11-16T10:00:00Z", to: "2026-11-19T12:00:00Z")
                ], "\(extents)")
        }
    }
}
