import Base
import Foundation
import HTTPTypes
import HabitTestSupport
import Rendering
import Testing

@testable import HabitAPI
@testable import HabitServer

/// Tests of the tiles of the base map over HTTP.
@Suite(.engineIndependent, .server(Scene.friends)) struct BaseMapRouteTests {
    private static let lisbon = "/basemap/12/\(TestTileFile.lisbon.column)/\(TestTileFile.lisbon.row)"
    private static let gzip: HTTPFields = [.acceptEncoding: "gzip"]

    // MARK: The map of the program

    @Test func descriptionNeedsNoToken() async throws {
        try await ServerFixture.shared.run { client in
            let document = try await client.send(path: "/basemap")
            #expect(document.status == 200, "\(document)")
            #expect(document.json["tilejson"] as? String == "3.0.0")
            #expect(document.json["minzoom"] as? Int == 0)
            #expect(document.json["maxzoom"] as? Int == 8)
            #expect(document.json["bounds"] as? [Int] == [-180, -90, 180, 90])
            let layers = document.json["vector_layers"] as? [[String: Any]] ?? []
            #expect(
                layers.compactMap { layer in layer["id"] as? String } == [
                    "world-land", "world-borders", "world-cities",
                ])
            #expect((document.json["attribution"] as? String)?.contains("Natural Earth") == true)
            let template = try #require((document.json["tiles"] as? [String])?.first)
            #expect(template.hasSuffix("/basemap/{z}/{x}/{y}"))
        }
    }

    @Test func tileShowsLandAndCities() async throws {
        try await ServerFixture.shared.run { client in
            // The column of Europe and Africa is the second one of the zoom 1, and its row is the first one.
            let tile = try await client.send(path: "/basemap/1/1/0")
            #expect(tile.status == 200, "\(tile)")
            #expect(tile.type == "application/vnd.mapbox-vector-tile")
            let layers = try VectorTile(tile.body).layers
            #expect(layers.map(\.name) == ["world-land", "world-borders", "world-cities"])
            let names = layers[2].points.compactMap { point in point.properties["name"] }
            #expect(names.contains("Paris"))
            #expect(!names.contains("Sydney"))
        }
    }

    @Test func tileIsCompressedForClientsThatAcceptIt() async throws {
        try await ServerFixture.shared.run { client in
            let plain = try await client.send(path: "/basemap/2/2/1")
            let compressed = try await client.send(path: "/basemap/2/2/1", headers: Self.gzip)
            #expect(plain.headers[.contentEncoding] == nil)
            #expect(compressed.headers[.contentEncoding] == "gzip")
            #expect(try compressed.body.gunzipped() == plain.body)
            #expect(compressed.tag != plain.tag)
            #expect(plain.headers[.vary] == "Accept-Encoding")
        }
    }

    @Test func tileIsStoredByCachesAndRevalidated() async throws {
        try await ServerFixture.shared.run { client in
            let first = try await client.send(path: "/basemap/3/4/2", headers: Self.gzip)
            #expect(first.headers[.cacheControl] == "public, max-age=86400")
            let known = Self.gzip.merging([.ifNoneMatch: first.tag])
            let second = try await client.send(path: "/basemap/3/4/2", headers: known)
            #expect(second.status == 304)
            #expect(second.tag == first.tag)
            #expect(second.body.isEmpty)
            let other = try await client.send(path: "/basemap/3/4/3", headers: known)
            #expect(other.status == 200)
        }
    }

    @Test func tileInTheSeaIsEmpty() async throws {
        try await ServerFixture.shared.run { client in
            let tile = try await client.send(path: "/basemap/8/105/128", headers: Self.gzip)
            #expect(tile.status == 200)
            #expect(tile.body.isEmpty)
            #expect(tile.headers[.contentEncoding] == nil)
        }
    }

    @Test(arguments: ["/basemap", "/basemap/0/0/0", "/basemap/9/0/0"])
    func pagesOfEveryOriginMayReadBaseMap(path: String) async throws {
        try await ServerFixture.shared.run { client in
            let page: HTTPFields = [.origin: "https://other.example.org"]
            let response = try await client.send(path: path, headers: page)
            #expect(response.headers[.accessControlAllowOrigin] == "*")
            let preflight = page.merging([.accessControlRequestMethod: "GET"])
            let permission = try await client.send(.options, path: path, headers: preflight)
            #expect(permission.headers[.accessControlAllowOrigin] == "*")
            let other = try await client.send(path: "/collections", headers: page)
            #expect(other.headers[.accessControlAllowOrigin] == nil)
        }
    }

    @Test(arguments: [
        "9/0/0", "24/0/0", "25/0/0", "0/0/1", "0/1/0", "00/0/0", "1/-1/0", "1/x/0", "1/0/99999999999999999999",
    ])
    func unknownTileIsNotFound(tile: String) async throws {
        try await ServerFixture.shared.run { client in
            let response = try await client.send(path: "/basemap/\(tile)")
            #expect(response.status == 404, "\(response)")
            #expect(response.slug == "not-found", "\(response)")
        }
    }

    // MARK: The map of a file

    @Test func storedTileIsSentUnchanged() async throws {
        var file = TestTileFile()
        let content = file.tiles[0].bytes
        let stored = try content.gzipped()
        file.tiles[0].bytes = stored
        try await file.server().run { client in
            let compressed = try await client.send(path: Self.lisbon, headers: Self.gzip)
            #expect(compressed.status == 200, "\(compressed)")
            #expect(compressed.body == stored)
            #expect(compressed.headers[.contentEncoding] == "gzip")
            let plain = try await client.send(path: Self.lisbon)
            #expect(plain.body == content)
            #expect(plain.headers[.contentEncoding] == nil)
            #expect(plain.tag != compressed.tag)
            let known = Self.gzip.merging([.ifNoneMatch: compressed.tag])
            #expect(try await client.send(path: Self.lisbon, headers: known).status == 304)
        }
    }

    @Test func tileWithoutCompressionIsSentUnchanged() async throws {
        let file = TestTileFile()
        try await file.server().run { client in
            let tile = try await client.send(path: Self.lisbon, headers: Self.gzip)
            #expect(tile.body == file.tiles[0].bytes)
            #expect(tile.headers[.contentEncoding] == nil)
        }
    }

    /// The tables of many files are views of other tables.
    @Test func tilesMayBeViewOfOtherTables() async throws {
        var file = TestTileFile()
        file.end = """
            ALTER TABLE tiles RENAME TO map; CREATE VIEW tiles AS SELECT * FROM map;
            ALTER TABLE metadata RENAME TO entries; CREATE VIEW metadata AS SELECT * FROM entries
            """
        try await file.server().run { client in
            let tile = try await client.send(path: Self.lisbon)
            #expect(tile.status == 200, "\(tile)")
        }
    }

    /// The tile of the program covers the world up to zoom 8, although the file has such tiles.
    @Test func fileHasNoEffectOnLowZooms() async throws {
        var file = TestTileFile()
        file.tiles.append(TestTileFile.Tile(zoom: 0, column: 0, row: 0, bytes: TestTileFile.layer(named: "water")))
        try await file.server().run { client in
            let tile = try await client.send(path: "/basemap/0/0/0")
            #expect(try VectorTile(tile.body).layers.first?.name == "world-land")
        }
    }

    @Test func missingTileInAreaOfFileIsEmpty() async throws {
        try await TestTileFile().server().run { client in
            let tile = try await client.send(path: "/basemap/9/243/195")
            #expect(tile.status == 200, "\(tile)")
            #expect(tile.body.isEmpty)
        }
    }

    @Test(arguments: ["9/0/0", "12/1944/1567000", "12/2100/1566", "15/15555/12530"])
    func tileOutsideOfFileIsNotFound(tile: String) async throws {
        try await TestTileFile().server().run { client in
            let response = try await client.send(path: "/basemap/\(tile)")
            #expect(response.status == 404, "\(response)")
        }
    }

    @Test func descriptionHasLayersOfFile() async throws {
        try await TestTileFile().server().run { client in
            let document = try await client.send(path: "/basemap")
            #expect(document.json["maxzoom"] as? Int == 14)
            let layers = document.json["vector_layers"] as? [[String: Any]] ?? []
            let streets = try #require(layers.first { layer in layer["id"] as? String == "transportation" })
            #expect(streets["minzoom"] as? Int == 9)
            #expect(streets["maxzoom"] as? Int == 14)
            #expect(streets["fields"] as? [String: String] == ["name": "String"])
            let attribution = document.json["attribution"] as? String ?? ""
            let link =
                #"<a href="https://www.openstreetmap.org/copyright" rel="noopener noreferrer">© OpenStreetMap</a>"#
            #expect(attribution.hasSuffix(" | \(link)"))
        }
    }

    // MARK: Damaged files

    /// The error names neither the file nor its content.
    @Test func damagedTileIsServerError() async throws {
        for bytes in [[0x1F, 0x8B, 1, 2, 3], Array("<html>".utf8)] as [[UInt8]] {
            var file = TestTileFile()
            file.tiles.append(TestTileFile.Tile(zoom: 9, column: 243, row: 511 - 195, bytes: bytes))
            // The first tile is the sample that the server checks at the start.
            file.tiles.append(TestTileFile.Tile(zoom: 9, column: 0, row: 0, bytes: TestTileFile.layer(named: "water")))
            try await file.server().run { client in
                let response = try await client.send(path: "/basemap/9/243/195")
                #expect(response.status == 500, "\(response)")
                #expect(!response.text.contains("mbtiles"), "\(response)")
            }
        }
    }

    @Test func compressedTileHasLimit() async throws {
        var file = TestTileFile()
        file.tiles[0].bytes = try [UInt8](repeating: 0x1A, count: 17 << 20).gzipped()
        try await file.server().run { client in
            let compressed = try await client.send(path: Self.lisbon, headers: Self.gzip)
            #expect(compressed.status == 200)
            let plain = try await client.send(path: Self.lisbon)
            #expect(plain.status == 500, "\(plain)")
        }
    }

    @Test func storedTileHasLimit() async throws {
        var file = TestTileFile()
        file.tiles.append(TestTileFile.Tile(zoom: 9, column: 0, row: 0, bytes: TestTileFile.layer(named: "water")))
        file.end = "UPDATE tiles SET tile_data = zeroblob(5000000) WHERE zoom_level = 12"
        try await file.server().run { client in
            let tile = try await client.send(path: Self.lisbon, headers: Self.gzip)
            #expect(tile.status == 500, "\(tile)")
        }
    }
}
