import Base
import Foundation
import Geo
import HTTPTypes
import HabitModel
import HabitStore
import HabitTestSupport
import Testing

@testable import HTTPServing
@testable import HabitAPI
@testable import HabitServer

/// Tests of the data that a client without a token, or with the link of another user, can read.
@Suite(.serialized) struct PublicDataTests {
    /// The status and the color of a habit are statistics.
    @Test(arguments: ["events", "located-events", "habits"]) func publicCollectionHasNoStatistics(id: String)
        async throws
    {
        let fixture = try await ServerFixture(Scene.friends) { $0.publicCollections = [id] }
        try await fixture.run { client in
            let path = "/collections/\(id)/items"
            let list = try await client.send(path: path)
            #expect(list.status == 200, "\(list)")
            #expect(!list.features.isEmpty, "\(list)")
            let feature = try await client.send(path: "\(path)/\((list.ids.first ?? "").urlEncoded)")
            let table = try await client.send(path: path + "?f=csv")
            let page = try await client.send(path: path + "?f=html")
            for name in ["status", "color", "completion_rate", "streak_current", "score"] {
                for response in [list, feature] { #expect(!response.text.contains("\"\(name)\""), "\(response)") }
                #expect(!table.text.prefix { $0 != "\n" }.split(separator: ",").contains { $0 == name }, "\(table)")
                #expect(!page.text.contains(">\(name)<"), "\(name)")
                let filter = try await client.send(path: "\(path)?filter=\(name)%20IS%20NULL")
                #expect(filter.status == 400, "\(filter)")
                let schema = try await client.send(path: "/collections/\(id)/schema")
                #expect((schema.json["properties"] as? [String: Any])?[name] == nil, "\(schema)")
            }
            let own = try await client.send(path: path + (id == "habits" ? "" : "?scope=mine"), as: "owner")
            #expect(own.text.contains("\"status\""), "\(own)")
        }
    }

    /// The description of a custom report may name what the operator examines.
    @Test func customReportsNeedToken() async throws {
        let folder = try TemporaryFolder()
        try folder.write(
            """
            -- title: Zanzibar
            -- description: Internal figures.
            -- column: n integer - A number.
            -- key: n
            -- formats: csv json ndjson
            SELECT 1 AS n ORDER BY n
            """, to: "zanzibar.sql")
        let path = folder.path
        let fixture = try await ServerFixture(Scene.friends) { $0.reportFolders = [path] }
        try await fixture.run { client in
            let refused = try await client.send(path: "/reports")
            #expect(refused.status == 401, "\(refused)")
            #expect(refused.slug == "not-signed-in", "\(refused)")
            #expect(try await client.send(path: "/reports", as: "owner").text.contains("\"history\""))
            #expect(try await client.send(path: "/api", as: "owner").text.contains("/reports/zanzibar"))
            for address in ["/api", "/api?f=html"] {
                let open = try await client.send(path: address)
                #expect(open.status == 200)
                #expect(!open.text.contains("anzibar"))
                #expect(open.text.contains("/reports/history"))
                #expect(open.headers[.cacheControl]?.contains("private") == true)
            }
        }
    }

    /// A link does not reveal the user that requested it, also not by its length.
    @Test func photoLinkDoesNotRevealUser() throws {
        let key = PhotoLinkKey(Array("0123456789abcdef0123456789abcdef".utf8))
        var lengths: Set<Int> = []
        for (number, id) in ["a", "owner", "alice", String(repeating: "x", count: 40)].enumerated() {
            let caller = Caller.viewer(.user(key: Int64(number), id: id))
            let link = PhotoLink(for: caller, now: ServerFixture.clock.now)
            let signature = key.signature(of: link, collection: "events", feature: "r17")
            let bytes = Array(try #require(Data(base64URLEncoded: signature)))
            let name = Array(id.utf8)
            let containsName = bytes.indices.contains { index in bytes[index...].starts(with: name) }
            #expect(!(containsName && name.count > 3))
            lengths.insert(bytes.count)
            #expect(
                key.signature(of: link, collection: "events", feature: "r17") == signature, "clients cache the photo")
            let opened = try key.link(signature, collection: "events", feature: "r17", now: ServerFixture.clock.now)
            #expect(opened == link)
            for index in bytes.indices {
                var changed = bytes
                changed[index] ^= 1
                let text = Data(changed).base64URLEncoded
                #expect(throws: Problem.self) {
                    try key.link(text, collection: "events", feature: "r17", now: ServerFixture.clock.now)
                }
            }
        }
        #expect(lengths.count == 1, "\(lengths)")
    }

    /// A spreadsheet evaluates a text that begins with an equals sign.
    @Test func csvIsSafeForSpreadsheetsOnRequest() async throws {
        var records = Scene.friends
        records.append(
            .event("run", "2026-11-10", id: "formula", comment: "=1+1", position: Position(longitude: 10, latitude: 50))
        )
        try await ServerFixture(records).run { client in
            for path in [
                "/collections/events/items?habit=run", "/near?near=10,50&within=1m", "/reports/history?from=2026-11-10",
            ] {
                for (value, text) in [
                    ("", ",=1+1"), ("&spreadsheet-safe=false", ",=1+1"), ("&spreadsheet-safe=true", ",'=1+1"),
                ] {
                    let table = try await client.send(path: "\(path)&f=csv\(value)", as: "owner")
                    #expect(table.status == 200, "\(path)\(value): \(table)")
                    #expect(table.text.contains(text), "\(path)\(value): \(table)")
                }
                let other = try await client.send(path: "\(path)&spreadsheet-safe=true", as: "owner")
                #expect(other.text.contains("\"=1+1\""), "\(other)")
                let invalid = try await client.send(path: "\(path)&spreadsheet-safe=1", as: "owner")
                #expect(invalid.status == 400, "\(invalid)")
                #expect(invalid.field == "spreadsheet-safe", "\(invalid)")
            }
            let inbox = try await client.send(path: "/inbox?f=csv&spreadsheet-safe=true", as: "owner")
            #expect(inbox.status == 200, "\(inbox)")
        }
    }
}
