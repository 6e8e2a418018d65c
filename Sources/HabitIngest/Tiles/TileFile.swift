import Base
import Foundation
import Geo
import HabitModel
import StoreSpatiaLite
import Synchronization

/// A file of vector tiles (MBTiles 1.3), which is checked and read only.
package final class TileFile: Sendable {
    /// The description of the tiles.
    package let description: TileFileDescription
    private let database: Mutex<TileDatabase>
    private let name: String

    /// Maximum size of a decompressed tile, in bytes.
    package static let contentSize = 16 << 20

    /// A tile as the file contains it.
    package struct Tile: Sendable, Equatable {
        /// The bytes in the file.
        package let bytes: [UInt8]

        /// Creates a tile with some bytes.
        package init(bytes: [UInt8]) { self.bytes = bytes }

        /// Whether the bytes are compressed.
        package var isCompressed: Bool { bytes.starts(with: [0x1F, 0x8B]) }

        /// Whether the bytes may be a vector tile, compressed or not.
        ///
        /// A vector tile is a list of layers, which have the tag 3 and are messages.
        fileprivate var isVectorTile: Bool { isCompressed || bytes.isEmpty || bytes[0] == 3 << 3 | 2 }

        /// Returns the bytes without compression.
        ///
        /// - Throws: `archive-unreadable` or `gzip-truncated` if the compressed data is damaged, or if the content is
        ///   larger than ``contentSize``.
        package func content() throws -> [UInt8] {
            guard isCompressed else { return bytes }
            let source = ByteSource(bytes: bytes, name: "tile")
            guard let content = try source.contents(most: TileFile.contentSize) else {
                throw HabitError(
                    .archiveUnreadable,
                    "a tile is larger than \(TileFile.contentSize >> 20) MiB: make the file again")
            }
            return content
        }
    }

    /// Opens and checks a file.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - lowestZoom: The zoom that the file must exceed.
    /// - Throws: `input-not-found` or `input-unreadable` if the file cannot be read, `archive-unreadable` if it is not
    ///   MBTiles, `format-not-recognised` if it contains no vector tiles of a known schema above the zoom, and
    ///   `field-invalid` if its description is malformed.
    package init(path: String, above lowestZoom: Int) throws {
        try Self.requireDatabase(path)
        let database = try Self.reading(path) { try TileDatabase(path: path, name: path) }
        let metadata = try Self.reading(path) { try database.metadata() }
        let declared = TileFileDescription.zooms(in: metadata)
        guard let zooms = try declared ?? Self.reading(path, { try database.zooms() }) else {
            throw HabitError(.formatNotRecognised, "the file contains no tiles: make it again", file: path)
        }
        description = try TileFileDescription(metadata, zooms: zooms, file: path)
        guard zooms.upperBound > lowestZoom, MapTile.zooms.contains(zooms.upperBound), zooms.lowerBound >= 0 else {
            throw HabitError(
                .formatNotRecognised,
                "the tiles have the zooms \(zooms.lowerBound) to \(zooms.upperBound): use a file with a zoom from \(lowestZoom + 1) to \(MapTile.zooms.upperBound)",
                file: path)
        }
        let sample = try Self.reading(path) { try database.anyTile(from: lowestZoom + 1) }
        guard Tile(bytes: sample ?? []).isVectorTile else {
            throw HabitError(
                .formatNotRecognised,
                "the tiles of the file are not vector tiles, although its format is 'pbf': make it again",
                file: path)
        }
        name = path
        self.database = Mutex(database)
    }

    /// Checks that a path is the path of an SQLite database.
    private static func requireDatabase(_ path: String) throws {
        var status = stat()
        let isOther = stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
        guard !isOther else {
            throw HabitError(.inputUnreadable, "this is not a file: use a file of map tiles", file: path)
        }
        // Its errors distinguish a missing file from a file without permissions.
        _ = try ByteSource(path: path)
        guard SQLiteFile.hasSignature(path) else { throw notTiles(path) }
    }

    /// Returns the result of reading, with an error that names the format of the file.
    private static func reading<Result>(_ path: String, _ read: () throws -> Result) throws -> Result {
        do {
            return try read()
        } catch let error as HabitError where error.code == .archiveUnreadable {
            throw notTiles(path, cause: error)
        }
    }

    private static func notTiles(_ path: String, cause: (any Error)? = nil) -> HabitError {
        HabitError(
            .archiveUnreadable,
            "the file is not MBTiles, a SQLite database with the tables 'metadata' and 'tiles', or it is damaged: make it again",
            file: path,
            cause: cause)
    }

    /// Reads a tile.
    ///
    /// It blocks the thread until the tile is read.
    ///
    /// - Parameter tile: The row and the column, counted from the northwest, and the zoom.
    /// - Returns: The tile, without bytes if the file has no such tile in its area; `nil` for a tile outside of the zooms
    ///   or the area of the file.
    /// - Throws: `archive-unreadable` if the file is damaged.
    package func tile(_ tile: MapTile) throws -> Tile? {
        guard covers(tile) else { return nil }
        // The format counts rows from the south.
        let lastRow = 1 << tile.zoom - 1
        let row = lastRow - tile.row
        let bytes = try database.withLock { database in
            try database.tile(zoom: tile.zoom, column: tile.column, row: row)
        }
        let stored = Tile(bytes: bytes ?? [])
        guard stored.isVectorTile else {
            throw HabitError(.archiveUnreadable, "a tile is not a vector tile: make the file again", file: name)
        }
        return stored
    }

    /// Returns whether a tile has one of the zooms of the file and touches its area.
    private func covers(_ tile: MapTile) -> Bool {
        guard description.zooms.contains(tile.zoom) else { return false }
        return MapTileRange.covering(description.bounds, at: tile.zoom).contains { range in range.contains(tile) }
    }
}
