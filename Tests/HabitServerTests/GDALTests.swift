import Foundation
import Geo
import HabitTestSupport
import Testing

/// Tests of clients that read the server page by page through GDAL's OAPIF driver.
@Suite(.engineIndependent, .serialized) struct GDALTests {
    /// Python of an environment with pyogrio, whose GDAL is newer than Debian's.
    ///
    /// `.ci/install for-tests` creates it.
    private static let python = Program.repository + "/.build/python/bin/python"

    private struct Fixture {
        let folder: TemporaryFolder
        let server: LiveTests.RunningServer
        let environment: [String: String]

        /// A box that Debian's GDAL reads in 103 pages of 10, with a burst of 80 requests.
        static let box = ["-0.005", "-0.005", "0.315", "0.315"]

        init() async throws {
            let store = try await LiveTests.large.value
            folder = store.folder
            server = try await LiveTests.RunningServer(in: folder, "--rate", "40")
            // Newer versions of the driver ignore GDAL_HTTP_HEADERS.
            let headers = try server.scratch.write("Authorization: Bearer \(store.token)\n", to: "headers")
            environment = ["GDAL_HTTP_HEADER_FILE": headers]
        }

        /// Returns the IDs of the stored events, sorted.
        func stored(_ filters: String...) async throws -> [String] {
            let table = try await Program.habitat(
                ["history", "--format", "csv", "--columns", "id"] + filters, in: folder)
            #expect(table.status == 0, "\(table)")
            return table.lines.dropFirst().sorted()
        }

        /// Returns the IDs that `ogr2ogr` reads, sorted.
        func read(_ layer: String, _ options: String...) async throws -> [String] {
            let result = try await Program.run(
                "/usr/bin/ogr2ogr",
                ["-f", "CSV", "/vsistdout/", "OAPIF:" + server.base, layer, "-select", "id"] + options,
                in: server.scratch.path, environment: environment)
            #expect(result.status == 0, "\(result.errors)")
            #expect(result.errors.isEmpty, "\(result.errors)")
            return result.lines.dropFirst().map { $0.replacing("\"", with: "") }.sorted()
        }
    }

    @Test func ogr2ogrReadsEveryEventOfBox() async throws {
        let fixture = try await Fixture()
        let stored = try await fixture.stored("--bbox", Fixture.box.joined(separator: ","))
        #expect(stored.count == 1024)
        #expect(
            try await fixture.read(
                "located-events", "-spat", Fixture.box[0], Fixture.box[1], Fixture.box[2], Fixture.box[3])
                == stored)
    }

    /// ogr2ogr without the name of a layer copies all collections, and fails if it cannot read one of them.
    @Test(arguments: [["--user", "u"], ["--for-operator"]]) func ogr2ogrCopiesWholeServer(owner: [String]) async throws
    {
        let folder = try await LiveTests.small().folder
        let token = try await LiveTests.token(owner, in: folder)
        let server = try await LiveTests.RunningServer(in: folder)
        let headers = try server.scratch.write("Authorization: Bearer \(token)\n", to: "headers")
        let result = try await Program.run(
            "/usr/bin/ogr2ogr", ["-f", "GPKG", "all.gpkg", "OAPIF:" + server.base], in: server.scratch.path,
            environment: ["GDAL_HTTP_HEADER_FILE": headers])
        #expect(result.status == 0, "\(result.errors)")
        #expect(!result.errors.contains("ERROR"), "\(result.errors)")
        let layers = try await Program.run("/usr/bin/ogrinfo", ["-q", "all.gpkg"], in: server.scratch.path)
        #expect(layers.output.contains("habits"), "\(layers)")
        #expect(layers.output.contains("following") == (owner[0] == "--user"), "\(layers)")
    }

    /// A filter that GDAL sends to the server selects the same rows as in the store.
    @Test func filtersOfOGR2OGRSelectSameRowsAsStore() async throws {
        let fixture = try await Fixture()
        #expect(try await fixture.read("events", "-where", "habit = 'h7'") == fixture.stored("--habit", "h7"))
        let round = try await fixture.stored("--habit", "h7", "--comment", "round 3")
        #expect(try await fixture.read("events", "-where", "habit = 'h7' AND comment = 'round 3'") == round)
        #expect(try await fixture.read("events", "-where", "habit = 'h7' AND comment = 'round'").isEmpty)
        let days = try await fixture.stored("--habit", "h7", "--from", "2026-03-01", "--to", "2026-03-31")
        let march = "habit = 'h7' AND day >= '2026/03/01' AND day <= '2026/03/31'"
        #expect(days.count == 31)
        #expect(try await fixture.read("events", "-where", march) == days)
    }

    /// Returns the values of a property that `ogr2ogr` reads from a tile of the server.
    private static func values(of property: String, _ tile: MapTile, _ fixture: Fixture) async throws -> [String] {
        let folder = fixture.server.scratch.file("\(tile.zoom)/\(tile.column)")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let file = "\(folder)/\(tile.row).pbf"
        let headers = try #require(fixture.environment["GDAL_HTTP_HEADER_FILE"])
        let address = "located-events/tiles/WebMercatorQuad/\(tile.zoom)/\(tile.row)/\(tile.column)"
        let response = try await fixture.server.curl(
            "-f", "--compressed", "-H", "@\(headers)", "-o", file, "\(fixture.server.base)/collections/\(address)")
        #expect(response.status == 0, "\(response)")
        let result = try await Program.run(
            "/usr/bin/ogr2ogr", ["-f", "CSV", "/vsistdout/", file, "located-events", "-select", property],
            in: folder)
        #expect(result.status == 0, "\(result.errors)")
        return result.lines.dropFirst().map { $0.replacing("\"", with: "") }
    }

    @Test func ogr2ogrReadsPointsOfTile() async throws {
        let fixture = try await Fixture()
        let tile = try #require(MapTile(zoom: 10, row: 510, column: 513))
        let box = tile.box
        let stored = try await fixture.stored("--bbox", "\(box.west),\(box.south),\(box.east),\(box.north)")
        #expect(stored.count == 1225)
        #expect(try await Self.values(of: "id", tile, fixture).sorted() == stored)
    }

    /// The events of the first day are on the equator, which is in the tile south of this tile.
    @Test func ogr2ogrReadsClustersOfTile() async throws {
        let fixture = try await Fixture()
        let tile = try #require(MapTile(zoom: 6, row: 31, column: 32))
        let counts = try await Self.values(of: "count", tile, fixture).compactMap { Int($0) }
        #expect(counts.count > 1)
        #expect(counts.reduce(0, +) == 200 * 199)
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: python), "pyogrio is not installed"))
    func pyogrioReadsEveryEventOfBox() async throws {
        let fixture = try await Fixture()
        let script = """
            import pyogrio
            box = (\(Fixture.box.joined(separator: ",")))
            _, _, _, fields = pyogrio.raw.read("OAPIF:\(fixture.server.base)", layer="located-events", columns=["id"], bbox=box)
            print("\\n".join(sorted(fields[0])))
            _, _, _, fields = pyogrio.raw.read("OAPIF:\(fixture.server.base)", layer="events", columns=["id"], where="habit = 'h7'")
            print(len(fields[0]))
            """
        let result = try await Program.run(
            Self.python, ["-c", script], in: fixture.server.scratch.path, environment: fixture.environment)
        #expect(result.status == 0, "\(result.errors)")
        #expect(try await result.lines.dropLast() == fixture.stored("--bbox", Fixture.box.joined(separator: ","))[...])
        #expect(result.lines.last == "\(try await fixture.stored("--habit", "h7").count)")
    }
}
