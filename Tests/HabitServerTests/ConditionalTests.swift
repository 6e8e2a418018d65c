import Foundation
import HTTPTypes
import HabitModel
import HabitStore
import HabitTestSupport
import Testing

@testable import HabitAPI
@testable import HabitServer

/// Tests of ETags: an unchanged response is not sent again, and a changed one always is.
@Suite(.serialized, .server(Scene.friends)) struct ConditionalTests {
    private static let paths = [
        "/collections/events/items", "/collections/events/items?near=10,50", "/collections/events/items/r17",
        "/collections/habits/items", "/collections/events/items?f=parquet", "/reports/habits",
        "/reports/history?from=2026-11-01&to=2026-11-20&f=geojson",
    ]

    @Test func conditionalRequestReturns304UntilStoreChanges() async throws {
        let fixture = try await ServerFixture(Scene.friends)
        try await fixture.run { client in
            var tags: [String: String] = [:]
            for path in Self.paths {
                let first = try await client.send(path: path, as: "owner")
                #expect(first.status == 200, "\(path): \(first)")
                #expect(first.tag.hasPrefix("\""), "\(path): \(first)")
                tags[path] = first.tag
                for header in [first.tag, "W/\(first.tag)", "\"x\", \(first.tag)", "*"] {
                    let again = try await client.send(path: path, as: "owner", headers: [.ifNoneMatch: header])
                    #expect(again.status == 304, "\(path) \(header): \(again)")
                    #expect(again.body.isEmpty, "\(path) \(header): \(again)")
                    #expect(again.tag == first.tag, "\(path) \(header): \(again)")
                }
                let changed = try await client.send(path: path, as: "owner", headers: [.ifNoneMatch: "\"other\""])
                #expect(changed.status == 200, "\(path)")
                // Another viewer gets another response.
                let other = try await client.send(path: path, as: "all", headers: [.ifNoneMatch: first.tag])
                #expect(other.status == 200 || path.hasSuffix("r17"), "\(path): \(other)")
            }
            // Another program writes to the store, without this server.
            try fixture.store.write([
                .event("run", "2026-11-17", id: "r17", comment: "changed"),
                .event("run", "2026-11-10", id: "r10"),
            ])
            for (path, tag) in tags {
                let later = try await client.send(path: path, as: "owner", headers: [.ifNoneMatch: tag])
                #expect(later.status == 200, "\(path): \(later)")
                #expect(later.tag != tag, "\(path): \(later)")
            }
        }
    }

    /// Clients behind a load balancer send the tag of one server to another.
    @Test func allServersOfStoreHaveSameTags() async throws {
        let fixture = try ServerFixture.shared
        let location = fixture.store.location
        var options = fixture.server.options
        options.readers = 1
        let other = try HabitatServer(options) { writes in
            try location.open(writes ? .write : .read, wait: .seconds(5))
        }
        try await fixture.run { client in
            for path in Self.paths where !path.hasSuffix("r17") {
                let first = try await client.send(path: path, as: "owner")
                try await fixture.run(other.router()) { client in
                    let again = try await client.send(path: path, as: "owner", headers: [.ifNoneMatch: first.tag])
                    #expect(again.status == 304, "\(path): \(again)")
                }
            }
        }
    }

    /// Another program that writes to the tables does not count its changes.
    @Test(.enabled(if: !TestServer.isUsed, "triggers count all changes")) func uncountedChangeIsNoticed() throws {
        let store = try TestStore()
        try store.write([.user("u")])
        let watcher = StoreWatcher(try store.location.open(.read, wait: .seconds(5)))
        let first = try watcher.version()
        #expect(try watcher.version() == first)
        try store.engine.write { session in
            try session.run("INSERT INTO setting (name, value) VALUES ('a', 'b')")
            try session.run("UPDATE store SET change = change - 1")
        }
        let second = try watcher.version()
        #expect(second != first)
        try store.write([.user("v")])
        let third = try watcher.version()
        #expect(third != second)
        #expect(third != first)
    }

    /// Equal strong tags mean equal bytes.
    @Test func equalTagsMeanEqualBytes() async throws {
        try await ServerFixture.shared.run { client in
            for path in Self.paths {
                let first = try await client.send(path: path, as: "owner")
                let second = try await client.send(path: path, as: "owner")
                #expect(first.tag == second.tag, "\(path)")
                #expect(first.body == second.body, "\(path)")
                // The content of a Parquet file is compressed.
                guard !path.contains("f=parquet") else { continue }
                let packed = try await client.send(
                    path: path, as: "owner", headers: [.acceptEncoding: "br, gzip;q=0.5"])
                #expect(packed.headers[.contentEncoding] == "gzip")
                #expect(packed.tag != first.tag)
                #expect(packed.headers[.vary]?.contains("Accept-Encoding") == true)
                #expect(try await Gzip.unpack(packed.body) == first.body, "\(path)")
                let refused = try await client.send(path: path, as: "owner", headers: [.acceptEncoding: "gzip;q=0"])
                #expect(refused.headers[.contentEncoding] == nil)
            }
        }
    }

    /// HEAD returns the headers of GET without the body, also for streamed lists (RFC 9110, section 9.3.2).
    @Test(arguments: paths + ["/collections/events/items?limit=10000", "/healthz", "/map", "/favicon.ico", "/api"])
    func headReturnsHeadersOfGet(path: String) async throws {
        try await ServerFixture.shared.run { client in
            let get = try await client.send(path: path, as: "owner")
            let head = try await client.send(.head, path: path, as: "owner")
            #expect(head.status == 200, "\(head)")
            #expect(head.body.isEmpty, "\(head)")
            #expect(get.status == 200, "\(head)")
            #expect(head.headers[.contentLength] == "\(get.body.count)")
            for name in [HTTPField.Name.eTag, .contentType, .link] {
                #expect(head.headers[name] == get.headers[name], "\(name)")
            }
        }
    }

    @Test func tagOfFeatureIsUnaffectedByOtherChanges() async throws {
        try await ServerFixture(Scene.friends).run { client in
            let path = "/collections/events/items/r17"
            let tag = try await client.send(path: path, as: "owner").tag
            // This event can change the habit's completion rate and with it the event's color.
            try await client.send(.post, path: "/collections/events/items", as: "owner", #"{"habit":"run"}"#)
            let changed = try await client.send(
                .patch, path: path, as: "owner", #"{"comment":"x"}"#, headers: [.ifMatch: tag])
            #expect(changed.status == 200, "\(changed)")
            let any = try await client.send(
                .patch, path: path, as: "owner", #"{"comment":"y"}"#, headers: [.ifMatch: "*"])
            #expect(any.status == 200)
        }
    }
}

enum Gzip {
    /// Decompresses bytes with another program.
    static func unpack(_ bytes: [UInt8]) async throws -> [UInt8] {
        let folder = try TemporaryFolder()
        try folder.write(Data(bytes), to: "body.gz")
        let result = try await Program.run("/bin/gzip", ["-dc", folder.file("body.gz")], in: folder.path)
        return Array(result.output.utf8)
    }
}
