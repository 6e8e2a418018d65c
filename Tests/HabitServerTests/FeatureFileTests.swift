import Foundation
import HTTPTypes
import HabitModel
import HabitTestSupport
import Testing

@testable import HabitAPI
@testable import HabitServer

/// Tests of lists as Parquet files: their headers, their rows, and the requests that have no file.
@Suite(.serialized, .server(Scene.friends + Scene.exchange)) struct FeatureFileTests {
    private static let type = "application/vnd.apache.parquet"

    @Test func fileHasNameAndTagAndNoContentEncoding() async throws {
        try await ServerFixture.shared.run { client in
            let path = "/collections/located-events/items?f=parquet"
            let file = try await client.send(path: path, as: "owner", headers: [.acceptEncoding: "gzip"])
            #expect(file.status == 200, "\(file)")
            #expect(file.type == Self.type)
            #expect(file.headers[.contentDisposition] == "attachment; filename=\"located-events.parquet\"")
            #expect(file.headers[.contentEncoding] == nil)
            #expect(file.headers[.cacheControl] == "private, no-cache")
            #expect(file.headers[.vary]?.contains("Accept") == true)
            #expect(file.body.starts(with: Array("PAR1".utf8)))
            #expect(file.body.suffix(4).elementsEqual("PAR1".utf8))
            let again = try await client.send(path: path, as: "owner", headers: [.ifNoneMatch: file.tag])
            #expect(again.status == 304, "\(again)")
            let other = try await client.send(path: path, as: "all", headers: [.ifNoneMatch: file.tag])
            #expect(other.status == 200)
            let head = try await client.send(.head, path: path, as: "owner")
            #expect(head.status == 200)
            #expect(head.body.isEmpty)
            #expect(head.tag == file.tag)
        }
    }

    @Test(arguments: [
        ("application/vnd.apache.parquet", Self.type), ("application/vnd.apache.parquet, */*;q=0.5", Self.type),
        ("text/csv;q=0.5, application/vnd.apache.parquet;q=0.6", Self.type),
        ("application/vnd.apache.parquet, application/geo+json", "application/geo+json"),
        ("application/vnd.apache.parquet, text/html", "text/html"),
        ("application/vnd.apache.parquet;q=0", "application/geo+json"),
    ])
    func acceptHeaderSelectsFile(accept: String, type: String) async throws {
        try await ServerFixture.shared.run { client in
            let headers: HTTPFields = [.accept: accept]
            let list = try await client.send(path: "/collections/events/items", as: "owner", headers: headers)
            #expect(list.status == 200)
            #expect(list.type?.hasPrefix(type) == true, "\(list.type ?? "")")
        }
    }

    @Test(arguments: [
        ("events/items?f=parquet&after=x", "after"), ("events/items?f=parquet&limit=0", "limit"),
        ("events/items?f=parquet&limit=all", "limit"), ("events/items?f=parquet&properties=mood", "properties"),
        ("events/items?f=parquet&properties=id,id", "properties"), ("events/items?f=parquet&cluster=3", "f"),
        ("events/items?f=parquet&filter=mood%20=%201", "filter"), ("events/items/r17?f=parquet", "f"),
        ("habits/items?f=parquet&near=1,1", "near"), ("events/items?f=orc", "f"),
    ])
    func requestWithoutFileReturns400(path: String, field: String) async throws {
        try await ServerFixture.shared.run { client in
            let refused = try await client.send(path: "/collections/\(path)", as: "owner")
            #expect(refused.status == 400, "\(refused)")
            #expect(refused.field == field, "\(refused)")
        }
    }

    /// The cursor of a page belongs to the list, and the file still refuses it.
    @Test func cursorOfPageIsRefusedWithRemedy() async throws {
        try await ServerFixture.shared.run { client in
            let page = try await client.send(path: "/collections/events/items?limit=1", as: "owner")
            let next = try #require(page.link("next"))
            let cursor = try #require(next.split(separator: "?").last)
            let refused = try await client.send(path: "/collections/events/items?f=parquet&\(cursor)", as: "owner")
            #expect(refused.status == 400, "\(refused)")
            #expect(refused.text.contains("omit it to get all features"), "\(refused)")
        }
    }

    @Test func nearAndClustersHaveNoFile() async throws {
        try await ServerFixture.shared.run { client in
            let near = try await client.send(path: "/near?near=10,50&f=parquet", as: "owner")
            #expect(near.status == 400, "\(near)")
            #expect(near.field == "f", "\(near)")
            #expect(near.text.contains("use one of geojson, json, csv, html"), "\(near)")
            let headers: HTTPFields = [.accept: Self.type]
            for path in ["/near?near=10,50", "/collections/events/items?cluster=3"] {
                let list = try await client.send(path: path, as: "owner", headers: headers)
                #expect(list.status == 200, "\(path): \(list)")
                #expect(list.type == "application/geo+json", "\(path)")
            }
        }
    }

    @Test func fileNeedsPermissionOfList() async throws {
        try await ServerFixture.shared.run { client in
            for collection in FeatureCollection.all {
                let refused = try await client.send(path: "/collections/\(collection.id)/items?f=parquet")
                #expect(refused.status == 401, "\(collection.id): \(refused)")
            }
            let operatorOnly = try await client.send(path: "/collections/following/items?f=parquet", as: "operator")
            #expect(operatorOnly.status == 403, "\(operatorOnly)")
        }
    }

    @Test func documentsNameFile() async throws {
        try await ServerFixture.shared.run { client in
            let collection = try await client.send(path: "/collections/items", as: "owner")
            let links = collection.json["links"] as? [[String: Any]] ?? []
            let files = links.filter { link in link["type"] as? String == Self.type }
            let addresses = files.compactMap { file in file["href"] as? String }
            #expect(addresses.count == 1)
            #expect(addresses.first?.hasSuffix("/collections/items/items?f=parquet") == true)
            let page = try await client.send(
                path: "/collections/items/items?f=html&limit=1&state=all&user=owner", as: "owner")
            let path = "/collections/items/items?f=parquet&amp;state=all&amp;user=owner"
            #expect(page.text.contains("href=\"\(path)\">Parquet</a>"), "\(page.text)")
            let document = try await client.send(path: "/api?f=json")
            let paths = document.json["paths"] as? [String: Any] ?? [:]
            #expect(String(describing: paths["/collections/events/items"]).contains(Self.type))
            #expect(paths["/near"] != nil)
            #expect(!String(describing: paths["/near"]).contains("parquet"))
        }
    }
}
