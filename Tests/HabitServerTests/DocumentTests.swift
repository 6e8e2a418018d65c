import Base
import Foundation
import Testing

@testable import HTTPServing
@testable import HabitAPI
@testable import HabitServer

/// Tests of the OGC abstract test suite for landing page, conformance, API and collections (OGC 17-069r4, annex A.2.2
/// to A.2.5).
@Suite(.engineIndependent, .serialized, .server(Scene.friends)) struct DocumentTests {
    @Test func landingPageLinksToEveryDocument() async throws {
        try await ServerFixture.shared.run { client in
            let landing = try await client.send(path: "/")
            #expect(landing.status == 200)
            #expect(landing.type == "application/json")
            for rel in ["self", "service-desc", "conformance", "data"] {
                let href = try #require(landing.link(rel), "\(rel)")
                let path = try #require(URL(string: href)).path
                #expect(try await client.send(path: path).status == 200, "\(rel) \(href)")
            }
        }
    }

    @Test func versionMatchesProgram() async throws {
        try await ServerFixture.shared.run { client in
            let information = try await client.send(path: "/api").json["info"] as? [String: Any]
            #expect(information?["version"] as? String == HabitatVersion.current)
        }
    }

    @Test func apiIsPageForPeople() async throws {
        try await ServerFixture.shared.run { client in
            let landing = try await client.send(path: "/")
            let links = landing.json["links"] as? [[String: Any]] ?? []
            let link = try #require(links.first { $0["rel"] as? String == "service-doc" })
            #expect(link["type"] as? String == "text/html; charset=utf-8", "\(link)")
            let page = try await client.send(path: "/api?f=html")
            #expect(page.status == 200, "\(page)")
            #expect(page.type?.hasPrefix("text/html") == true, "\(page)")
            for text in ["/collections/events/items", "/user/export", "DELETE", "Change your account"] {
                #expect(page.text.contains(text), "\(text)")
            }
            #expect(try await client.send(path: "/api?f=pdf").status == 400)
            let paths = try await client.send(path: "/api").json["paths"] as? [String: Any]
            let get = (paths?["/api"] as? [String: Any])?["get"] as? [String: Any]
            let responses = get?["responses"] as? [String: [String: Any]]
            let types = try #require(responses?["200"]?["content"] as? [String: Any]).keys
            let parameters = get?["parameters"] as? [[String: Any]] ?? []
            #expect(Set(types) == [ContentType.openAPI.text, ContentType.html.text])
            #expect(parameters.map { $0["name"] as? String } == ["f"])
        }
    }

    @Test func conformanceListsImplementedClasses() async throws {
        try await ServerFixture.shared.run { client in
            let classes = try await client.send(path: "/conformance").json["conformsTo"] as? [String] ?? []
            for name in ["core", "oas30", "geojson"] {
                #expect(classes.contains("http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/\(name)"))
            }
        }
    }

    @Test func collectionsHaveDescriptionsAndLinks() async throws {
        try await ServerFixture.shared.run { client in
            let list = try await client.send(path: "/collections", as: "owner")
            let collections = list.json["collections"] as? [[String: Any]] ?? []
            let ids = collections.compactMap { $0["id"] as? String }
            #expect(Set(ids).isSuperset(of: ["events", "located-events", "items", "posts", "habits"]))
            for collection in collections {
                let id = try #require(collection["id"] as? String)
                let links = try #require(collection["links"] as? [[String: Any]])
                let items = links.filter { $0["rel"] as? String == "items" }
                #expect(items.contains { $0["type"] as? String == "application/geo+json" }, "\(id)")
                #expect(links.allSatisfy { $0["rel"] is String }, "\(id)")
                #expect(links.allSatisfy { $0["type"] is String }, "\(id)")
                let one = try await client.send(path: "/collections/\(id)")
                #expect(one.status == 200)
                #expect(one.json["id"] as? String == id)
                #expect(one.json["title"] is String)
                #expect(try await client.send(path: "/collections/\(id)/items", as: "owner").status == 200, "\(id)")
            }
            let nothing = try await client.send(path: "/collections/nothing")
            #expect(nothing.status == 404)
            #expect(nothing.slug == "not-found")
            #expect(nothing.type == "application/problem+json")
        }
    }

    /// The list contains exactly the collections whose features the caller can read.
    @Test(
        .server(Scene.friends) { $0.publicCollections = ["items", "events"] }, arguments: [nil, "owner", "operator"])
    func collectionsAreThoseThatCallerCanRead(user: String?) async throws {
        try await ServerFixture.shared.run { client in
            let list = try await client.send(path: "/collections", as: user)
            let listed = (list.json["collections"] as? [[String: Any]] ?? []).compactMap { $0["id"] as? String }
            var readable: [String] = []
            for collection in FeatureCollection.all {
                let items = try await client.send(path: "/collections/\(collection.id)/items", as: user)
                if items.status == 200 { readable.append(collection.id) }
            }
            #expect(listed == readable, "\(list)")
            #expect(!listed.isEmpty, "\(list)")
            let page = try await client.send(path: "/collections?f=html", as: user)
            #expect(page.status == 200, "\(page)")
            #expect(page.text.contains("Give-away items"), "\(page)")
        }
    }

    /// Every reference in the document resolves, operation ids are unique, and every path responds.
    @Test func apiDocumentIsConsistentAndPathsRespond() async throws {
        try await ServerFixture.shared.run { client in
            let response = try await client.send(path: "/api")
            #expect(response.type == "application/vnd.oai.openapi+json;version=3.0")
            let api = response.json
            #expect((api["openapi"] as? String)?.hasPrefix("3.0") == true)
            let paths = try #require(api["paths"] as? [String: [String: Any]])
            var operations: [String] = []
            for (path, item) in paths {
                for (method, operation) in item where method != "parameters" {
                    let operation = try #require(operation as? [String: Any])
                    operations.append(try #require(operation["operationId"] as? String))
                    let shared = item["parameters"] as? [[String: Any]] ?? []
                    let own = operation["parameters"] as? [[String: Any]] ?? []
                    let inPath = (shared + own).filter { $0["in"] as? String == "path" }.compactMap {
                        $0["name"] as? String
                    }
                    for name in inPath { #expect(path.contains("{\(name)}"), "\(path)") }
                    #expect(path.contains("{") == !inPath.isEmpty, "\(path)")
                    #expect((operation["responses"] as? [String: Any])?["default"] != nil, "\(path) \(method)")
                }
                let address = path.replacing("{featureId}", with: "nothing")
                let status = try await client.send(path: address, as: "owner").status
                guard item["get"] != nil else {
                    #expect(status == 405, "\(path)")
                    continue
                }
                #expect(
                    path.contains("{") || path == "/session"
                        ? [200, 404].contains(status) : [200, 400].contains(status), "\(path) \(status)")
            }
            #expect(Set(operations).count == operations.count)
            #expect(paths["/collections/events/items"]?["post"] != nil)
            for reference in response.text.matches(of: /"\$ref":"#\/([^"]+)"/).map({ String($0.1) }) {
                var value: Any? = api
                for part in reference.split(separator: "/") { value = (value as? [String: Any])?[String(part)] }
                #expect(value != nil, "\(reference)")
            }
        }
    }

    /// A client that reads `/api` learns the members of each body and which operations need no token.
    @Test func apiDocumentDescribesBodiesAndSecurity() async throws {
        let fixture = try await ServerFixture(Scene.friends) { $0.publicCollections = ["events"] }
        try await fixture.run { client in
            let api = try await client.send(path: "/api").json
            func member(_ path: String...) -> Any? {
                path.reduce(api as Any?) { value, name in (value as? [String: Any])?[name] }
            }
            func texts(_ list: Any?) -> [String?]? { (list as? [Any])?.map { $0 as? String } }
            let events = "/collections/events/items"
            let body = try #require(
                member("paths", events, "post", "requestBody", "content", "application/json", "schema", "properties")
                    as? [String: [String: Any]])
            #expect(body["longitude"]?["maximum"] as? Int == 180)
            #expect(body["day"]?["format"] as? String == "date")
            #expect(texts(body["outcome"]?["enum"]) == ["done", "skipped", nil])
            #expect(body["user"] == nil)
            // The server accepts each member that the document names.
            var sent = body.mapValues { $0["type"] as? String == "boolean" ? "false" : "null" }
            sent["habit"] = #""read""#
            sent["day"] = #""2026-11-20""#
            sent["outcome"] = #""done""#
            let members = sent.map { name, value in "\"\(name)\":\(value)" }
            let text = "{" + members.joined(separator: ",") + "}"
            let made = try await client.send(.post, path: events, as: "owner", text)
            #expect(made.status == 201, "\(text): \(made)")
            let states = member(
                "paths", "/collections/claims/items/{featureId}", "patch", "requestBody", "content", "application/json",
                "schema", "properties", "state", "enum")
            #expect(texts(states) == ["claimed", "released", "given", nil])
            let open = try #require(member("paths", events, "get", "security") as? [[String: Any]])
            #expect(open.contains { $0.isEmpty })
            #expect(
                member("paths", "/collections/items/items", "get", "security") == nil,
                "the default security requires a token")
            #expect(member("paths", "/map", "get") != nil)
            #expect(member("paths", "/metrics") == nil)
        }
    }
}
