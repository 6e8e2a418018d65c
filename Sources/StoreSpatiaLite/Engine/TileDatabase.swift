import Base

/// The tiles of a map in an SQLite database, opened only for reading (MBTiles 1.3).
///
/// The tables of the format may be views of other tables. A statement with too many steps fails, so that no file needs
/// much time.
package final class TileDatabase {
    private let file: SQLiteFile
    private let name: String

    /// Maximum number of steps of a statement, a fraction of a second.
    ///
    /// A lookup in an index needs some hundred steps.
    private static let stepLimit: Int32 = 2_000_000
    /// Maximum number of rows of the table with the description of the tiles.
    private static let entryLimit = 1000
    /// Maximum size of a value of the description, in bytes.
    private static let entrySize = 1 << 20
    /// Maximum size of a tile, in bytes.
    package static let tileSize = 4 << 20

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - name: The name of the file in messages.
    /// - Throws: `archive-unreadable` if the file is truncated or is not a readable database.
    package init(path: String, name: String) throws {
        self.name = name
        file = try SQLiteFile(path: path, name: name)
        file.limitSteps(to: Self.stepLimit)
    }

    /// Reads the description of the tiles.
    ///
    /// - Returns: The values by their names, without values that are too long.
    /// - Throws: `archive-unreadable` if the database has no such table.
    package func metadata() throws -> [String: String] {
        var values: [String: String] = [:]
        try file.query("SELECT name, value FROM metadata LIMIT \(Self.entryLimit)") { row in
            guard let name = row.text("name"), let value = row.text("value") else { return }
            guard value.utf8.count <= Self.entrySize else { return }
            values[name] = value
        }
        return values
    }

    /// Reads the lowest and the highest zoom of the tiles.
    ///
    /// - Returns: The zooms, or `nil` if there are no tiles.
    /// - Throws: `archive-unreadable` if the database has no such table.
    package func zooms() throws -> ClosedRange<Int>? {
        guard let lowest = try zoom("min"), let highest = try zoom("max") else { return nil }
        return lowest <= highest ? lowest...highest : nil
    }

    private func zoom(_ function: String) throws -> Int? {
        var zoom: Int?
        // Each of the two functions reads one entry of the index if it is the only one.
        try file.query("SELECT \(function)(zoom_level) AS zoom FROM tiles") { row in
            zoom = row.integer("zoom").map { number in Int(number) }
        }
        return zoom
    }

    /// Reads a tile of the lowest zoom from a limit on.
    ///
    /// - Parameter zoom: The limit.
    /// - Returns: The bytes of the tile, or `nil` without such a tile.
    /// - Throws: `archive-unreadable` if the tile cannot be read or is too large.
    package func anyTile(from zoom: Int) throws -> [UInt8]? {
        try bytes("SELECT tile_data FROM tiles WHERE zoom_level >= ? LIMIT 1", with: [zoom])
    }

    /// Reads a tile.
    ///
    /// - Parameters:
    ///   - zoom: The zoom.
    ///   - column: The column, counted from the west.
    ///   - row: The row, counted from the south.
    /// - Returns: The bytes of the tile, or `nil` if there is no such tile.
    /// - Throws: `archive-unreadable` if the tile cannot be read or is too large.
    package func tile(
        zoom: Int,
        column: Int,
        row: Int
    ) throws -> [UInt8]? {
        try bytes(
            "SELECT tile_data FROM tiles WHERE zoom_level = ? AND tile_column = ? AND tile_row = ? LIMIT 1",
            with: [zoom, column, row])
    }

    private func bytes(_ sql: String, with values: [Int]) throws -> [UInt8]? {
        var tile: [UInt8]?
        try file.query(sql, with: values) { row in
            guard let bytes = row.bytes("tile_data", limit: Self.tileSize) else {
                throw HabitError(
                    .archiveUnreadable,
                    "a tile in '\(name)' is not a blob, or is larger than \(Self.tileSize >> 20) MiB: make the file again",
                    file: name)
            }
            tile = bytes
        }
        return tile
    }
}
