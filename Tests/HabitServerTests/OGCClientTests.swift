import Foundation
import HabitTestSupport
import Testing

/// Tests that OWSLib and two versions of GDAL read every feature of each collection with their default settings.
@Suite(.engineIndependent, .serialized) struct OGCClientTests {
    private static let collections = [
        "events", "located-events", "items", "posts", "habits", "following", "follows", "claims", "messages", "users",
    ]

    /// A server with the sample data and the IDs of the features that the user alice can see in each collection.
    private struct Fixture {
        let server: LiveTests.RunningServer
        let header: String
        let stored: [String: [String]]

        init() async throws {
            let folder = try TemporaryFolder()
            let load = try await Program.habitat("ingest", Program.repository + "/sample-data", "--quiet", in: folder)
            #expect(load.status == 0, "\(load)")
            let token = try await Program.habitat(
                "token", "create", "--user", "alice", "--format", "csv", "--columns", "token", in: folder)
            header = try folder.write("Authorization: Bearer \(try #require(token.lines.last))\n", to: "headers")
            server = try await LiveTests.RunningServer(keeping: folder, ["--rate", "0"])
            // The command line reads the store itself.
            let list = ["list", "--as", "alice", "--format", "csv", "--columns", "id", "--today", "2026-11-20"]
            func query(_ condition: String) -> [String] {
                ["query", "SELECT id FROM habits WHERE \(condition)", "--as", "alice", "--format", "csv"]
            }
            let commands: [String: [String]] = [
                "events": ["history"] + list.dropFirst(), "items": ["item"] + list, "posts": ["post"] + list,
                "located-events": ["history", "--bbox", "-180,-90,180,90"] + list.dropFirst(),
                "messages": ["message"] + list, "users": ["user"] + list, "habits": query("TRUE"),
                "following": query("user <> 'alice'"),
            ]
            var stored: [String: [String]] = [:]
            for (collection, command) in commands {
                let result = try await Program.habitat(command, in: folder)
                #expect(result.status == 0, "\(command): \(result)")
                stored[collection] = result.lines.dropFirst().sorted()
            }
            self.stored = stored
        }
    }

    private func compare(_ read: [String: [String]], with fixture: Fixture) throws {
        for (collection, ids) in fixture.stored {
            let found = try #require(read[collection], "\(collection)")
            #expect(found.sorted() == ids, "\(collection): \(found.count) instead of \(ids.count)")
        }
    }

    /// Parses lines with a collection and an ID.
    private func ids(_ result: ProgramResult) -> [String: [String]] {
        #expect(result.status == 0, "\(result.errors)")
        var ids: [String: [String]] = [:]
        for line in result.lines {
            guard let space = line.firstIndex(of: " ") else { continue }
            let collection = String(line[..<space])
            let id = String(line[space...].dropFirst())
            ids[collection, default: []].append(id)
        }
        return ids
    }

    @Test(.enabled(if: TestPython.isInstalled, "the Python packages of the tests are not installed"))
    func owslibReadsEveryFeature() async throws {
        let fixture = try await Fixture()
        let script = """
            import sys, urllib.parse
            from owslib.ogcapi.features import Features
            name, _, value = open(sys.argv[2]).read().strip().partition(": ")
            client = Features(sys.argv[1], headers={name: value})
            assert "events" in client.feature_collections(), client.feature_collections()
            for collection in sys.argv[3:]:
                client.collection(collection)
                arguments = {}
                while arguments is not None:
                    page = client.collection_items(collection, **arguments)
                    for feature in page["features"]: print(collection, feature["id"])
                    following = [link["href"] for link in page["links"] if link["rel"] == "next"]
                    arguments = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(following[0]).query)) if following else None
            """
        let result = try await TestPython.run(script, [fixture.server.base, fixture.header] + Self.collections)
        try compare(ids(result), with: fixture)
    }

    private static let script = """
        for collection in sys.argv[3:]:
            for id in read(collection): print(collection, id)
        """

    @Test(.enabled(if: TestPython.isInstalled, "the Python packages of the tests are not installed"))
    func pyogrioReadsEveryFeature() async throws {
        let fixture = try await Fixture()
        let script = """
            import os, sys
            os.environ["GDAL_HTTP_HEADER_FILE"] = sys.argv[2]
            import pyogrio
            def read(layer):
                _, _, _, fields = pyogrio.raw.read("OAPIF:" + sys.argv[1], layer=layer, columns=["id"])
                return fields[0]

            """
        let collections = Self.collections.filter { !["follows", "claims"].contains($0) }
        let result = try await TestPython.run(
            script + Self.script, [fixture.server.base, fixture.header] + collections)
        try compare(ids(result), with: fixture)
    }

    @Test func ogr2ogrReadsEveryFeature() async throws {
        let fixture = try await Fixture()
        var read: [String: [String]] = [:]
        for collection in fixture.stored.keys {
            let result = try await Program.run(
                "/usr/bin/ogr2ogr",
                ["-f", "CSV", "/vsistdout/", "OAPIF:" + fixture.server.base, collection, "-select", "id"],
                in: fixture.server.scratch.path, environment: ["GDAL_HTTP_HEADER_FILE": fixture.header])
            #expect(result.status == 0, "\(result.errors)")
            read[collection] = result.lines.dropFirst().map { $0.replacing("\"", with: "") }
        }
        try compare(read, with: fixture)
    }
}
