import CSQLite
import Foundation
import HabitTestSupport
import Rendering
import Testing

/// A file of vector tiles (MBTiles) that a test makes.
struct TestTileFile {
    /// A tile, whose row is counted from the south.
    struct Tile {
        var zoom: Int
        var column: Int
        var row: Int
        var bytes: [UInt8]
    }

    /// The tile of the center of Lisbon.
    static let lisbon = (zoom: 12, column: 1944, row: 1569)
    /// The area of the usual file.
    static let bounds = "-9.3,38.6,-9.0,38.9"

    /// The description of the tiles.
    var metadata = [
        "name": "Lisbon", "format": "pbf", "bounds": TestTileFile.bounds, "minzoom": "0", "maxzoom": "14",
        "attribution": "<a href=\"https://www.openstreetmap.org/copyright\" target=_blank>&copy; OpenStreetMap</a>",
    ]
    /// The IDs of the layers.
    var layers = ["water", "transportation", "place"]
    var tiles: [Tile] = [
        Tile(
            zoom: Self.lisbon.zoom,
            column: Self.lisbon.column,
            row: 4095 - Self.lisbon.row,
            bytes: Self.layer(named: "transportation"))
    ]
    /// Statements that create the tables of tiles and of the description.
    var schema = """
        CREATE TABLE metadata (name TEXT, value TEXT);
        CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);
        CREATE UNIQUE INDEX tile_index ON tiles (zoom_level, tile_column, tile_row);
        """
    /// Statements after all rows.
    var end = ""

    /// Returns the bytes of a tile with a point in a layer.
    static func layer(named name: String) -> [UInt8] {
        var layer = VectorTileLayer(name: name, keys: ["name"])
        layer.append(x: 10, y: 20, values: [.text("Rua")])
        return layer.tile
    }

    /// Writes the file.
    func write(to path: String) throws {
        var database: OpaquePointer?
        defer { sqlite3_close(database) }
        try #require(sqlite3_open(path, &database) == SQLITE_OK)
        let lists = layers.map { id in "{\"id\":\"\(id)\",\"fields\":{\"name\":\"String\"}}" }
        var values = metadata
        if values["json"] == nil { values["json"] = "{\"vector_layers\":[\(lists.joined(separator: ","))]}" }
        var statements = [schema]
        for (name, value) in values {
            statements.append("INSERT INTO metadata VALUES ('\(name)', '\(value.replacing("'", with: "''"))')")
        }
        for tile in tiles {
            let position = "\(tile.zoom), \(tile.column), \(tile.row)"
            statements.append("INSERT INTO tiles VALUES (\(position), x'\(Self.hexadecimal(tile.bytes))')")
        }
        let script = (statements + [end]).joined(separator: ";\n")
        try #require(sqlite3_exec(database, script, nil, nil, nil) == SQLITE_OK)
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { byte in String(format: "%02x", byte) }.joined()
    }

    /// Returns a server with the file.
    func server() async throws -> ServerFixture {
        let folder = try TemporaryFolder()
        let path = folder.file("streets.mbtiles")
        try write(to: path)
        // The server keeps the file open.
        return try await ServerFixture(Scene.friends) { options in options.baseMap = path }
    }
}
