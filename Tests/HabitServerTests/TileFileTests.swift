import Base
import Foundation
import Geo
import HabitTestSupport
import Testing

@testable import HabitAPI

/// Tests of the checks of a file of vector tiles at the start of the server.
@Suite(.engineIndependent) struct TileFileTests {
    /// Opens a file with a change, and returns its tiles.
    private static func open(_ change: (inout TestTileFile) -> Void = { _ in }) throws -> BaseMapTiles {
        var file = TestTileFile()
        change(&file)
        let folder = try TemporaryFolder()
        let path = folder.file("streets.mbtiles")
        try file.write(to: path)
        return try BaseMapTiles(path: path)
    }

    /// Returns the code of the error for a file with a change.
    private static func code(_ change: (inout TestTileFile) -> Void) -> ErrorCode? {
        do {
            _ = try open(change)
            return nil
        } catch {
            return (error as? HabitError)?.code
        }
    }

    @Test func usualFileIsAccepted() throws {
        let description = try #require(Self.open().file).description
        #expect(description.schema == .openMapTiles)
        #expect(description.zooms == 0...14)
        #expect(description.bounds == BoundingBox(TestTileFile.bounds))
        #expect(description.layers.map(\.id) == ["water", "transportation", "place"])
    }

    @Test func schemaOfShortbreadIsRecognized() throws {
        let tiles = try Self.open { file in file.layers = ["ocean", "streets"] }
        #expect(tiles.file?.description.schema == .shortbread)
    }

    @Test(arguments: ["png", "jpg", "webp", "mvt", "PBF"]) func otherFormatIsRefused(format: String) {
        #expect(Self.code { file in file.metadata["format"] = format } == .formatNotRecognised)
    }

    @Test func missingFormatIsRefused() {
        #expect(Self.code { file in file.metadata["format"] = nil } == .formatNotRecognised)
    }

    @Test(arguments: [
        "{}", "[]", "", "{\"vector_layers\":[]}", "{\"vector_layers\":{}}", "{\"vector_layers\":[", "null",
    ])
    func missingLayersAreRefused(json: String) {
        #expect(Self.code { file in file.metadata["json"] = json } == .formatNotRecognised)
    }

    @Test(arguments: [["a", "a", "streets"], [""], [String(repeating: "x", count: 101), "streets"]])
    func malformedLayersAreRefused(layers: [String]) {
        #expect(Self.code { file in file.layers = layers } == .fieldInvalid)
    }

    @Test func tooManyLayersAreRefused() {
        let layers = (0..<101).map { number in "layer\(number)" }
        #expect(Self.code { file in file.layers = layers } == .fieldInvalid)
    }

    @Test func layersOfOtherSchemaAreRefused() {
        #expect(Self.code { file in file.layers = ["roads", "water"] } == .formatNotRecognised)
    }

    @Test(arguments: ["0,8", "9,3", "-1,14", "9,25"]) func unusableZoomsAreRefused(zooms: String) {
        let parts = zooms.split(separator: ",").map { part in String(part) }
        let code = Self.code { file in
            file.metadata["minzoom"] = parts[0]
            file.metadata["maxzoom"] = parts[1]
            file.tiles[0].zoom = 8
        }
        #expect(code == .formatNotRecognised)
    }

    @Test func missingZoomsAreThoseOfTiles() throws {
        let tiles = try Self.open { file in
            file.metadata["minzoom"] = nil
            file.metadata["maxzoom"] = nil
        }
        #expect(tiles.fileZooms == 12...12)
    }

    @Test(arguments: ["", "1,2,3", "1,2,3,4,5", "a,b,c,d", "nan,0,1,1", "0,10,1,5", "-500,0,500,1"])
    func malformedBoundsAreRefused(bounds: String) {
        #expect(Self.code { file in file.metadata["bounds"] = bounds } == .fieldInvalid)
    }

    @Test func missingBoundsAreTheWorld() throws {
        let tiles = try Self.open { file in file.metadata["bounds"] = nil }
        #expect(tiles.file?.description.bounds == .world)
    }

    @Test func longAttributionIsRefused() {
        let text = String(repeating: "x", count: 1001)
        #expect(Self.code { file in file.metadata["attribution"] = text } == .fieldInvalid)
    }

    @Test func tilesInOtherFormatAreRefused() {
        #expect(Self.code { file in file.tiles[0].bytes = [0x89, 0x50, 0x4E, 0x47] } == .formatNotRecognised)
    }

    @Test(arguments: ["DROP TABLE metadata", "DROP TABLE tiles", "ALTER TABLE tiles RENAME COLUMN tile_data TO data"])
    func databaseWithOtherTablesIsRefused(end: String) {
        #expect(Self.code { file in file.end = end } == .archiveUnreadable)
    }

    /// A view that never ends is refused in a limited time.
    @Test(arguments: [
        """
        DROP TABLE metadata; CREATE VIEW metadata AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)
        SELECT 'name' AS name, 'value' AS value FROM n WHERE x < 0
        """,
        """
        DROP TABLE tiles; CREATE VIEW tiles AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)
        SELECT 12 AS zoom_level, x AS tile_column, 1 AS tile_row, NULL AS tile_data FROM n WHERE x < 0
        """,
    ])
    func endlessViewIsRefused(end: String) {
        #expect(Self.code { file in file.end = end } == .archiveUnreadable)
    }

    @Test func missingFileIsReported() {
        #expect {
            _ = try BaseMapTiles(path: "/nonexistent/streets.mbtiles")
        } throws: { error in
            (error as? HabitError)?.code == .inputNotFound
        }
    }

    @Test(arguments: ["", "SQLite format 3", "SQLite format 3\0 and no more", "<html></html>"])
    func otherFileIsRefused(content: String) throws {
        let folder = try TemporaryFolder()
        try folder.write(content, to: "streets.mbtiles")
        #expect {
            _ = try BaseMapTiles(path: folder.file("streets.mbtiles"))
        } throws: { error in
            (error as? HabitError)?.code == .archiveUnreadable
        }
    }

    @Test func folderIsRefused() throws {
        let folder = try TemporaryFolder()
        #expect {
            _ = try BaseMapTiles(path: folder.path)
        } throws: { error in
            (error as? HabitError)?.code == .inputUnreadable
        }
    }

    /// Changed bytes cause an error or other tiles, and never end the program.
    @Test func damagedFilesAreRefusedOrRead() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("streets.mbtiles")
        try TestTileFile().write(to: path)
        let intact = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        let tile = try #require(MapTile(zoom: 12, row: TestTileFile.lisbon.row, column: TestTileFile.lisbon.column))
        var random = SeededGenerator(seed: 3)
        for number in 0..<60 {
            var bytes = intact
            for _ in 0..<8 {
                bytes[Int.random(in: 16..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            let damaged = folder.file("\(number).mbtiles")
            try Data(bytes).write(to: URL(fileURLWithPath: damaged))
            guard let tiles = try? BaseMapTiles(path: damaged) else { continue }
            _ = try? await tiles.tile(tile)
        }
    }

    // MARK: Attribution

    @Test(arguments: [
        ("© Me", "© Me"),
        ("<script>alert(1)</script>", "alert(1)"),
        ("<img src=x onerror=alert(1)>A & B", "A &amp; B"),
        ("<a href=\"javascript:alert(1)\">x</a>", "x"),
        (
            "<a href='http://a.example/?a=1&amp;b=2'>A</a>, B",
            "<a href=\"http://a.example/?a=1&amp;b=2\" rel=\"noopener noreferrer\">A</a>, B"
        ),
        ("&lt;b&gt;&copy;", "&lt;b&gt;©"),
        (
            "<a href=\"https://a.example\" onclick=\"x()\"><b>A</b></a>",
            "<a href=\"https://a.example\" rel=\"noopener noreferrer\">A</a>"
        ),
        ("line\n\u{1}two", "line two"),
        ("a < b", "a &lt; b"),
        ("<a href=\"https://a.example\">open", "open"),
    ])
    func attributionHasOnlyTextAndLinks(markup: String, expected: String) {
        #expect(Attribution(untrusted: markup).html.text == expected)
    }
}
