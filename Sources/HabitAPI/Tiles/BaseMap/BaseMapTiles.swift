import Base
import Geo
import HabitIngest
import NIOPosix
import Rendering

/// The tiles of the base map: those of the program, and those of the operator's file for higher zooms.
package struct BaseMapTiles: Sendable {
    /// The file with streets, or `nil` without one.
    let file: TileFile?

    /// Creates the tiles of the program without a file.
    package init() { file = nil }

    /// Creates the tiles of the program and of a file.
    ///
    /// - Parameter path: The path of the file.
    /// - Throws: `input-not-found`, `input-unreadable`, `archive-unreadable`, `format-not-recognised` or
    ///   `field-invalid` if the file is not a file of vector tiles with streets.
    package init(path: String) throws {
        file = try TileFile(path: path, above: BaseMapTile.zooms.upperBound)
    }

    /// The zooms that have tiles.
    var zooms: ClosedRange<Int> {
        let highest = file?.description.zooms.upperBound ?? BaseMapTile.zooms.upperBound
        return BaseMapTile.zooms.lowerBound...highest
    }

    /// The zooms for which the tiles come from the file, or `nil` without a file.
    var fileZooms: ClosedRange<Int>? {
        guard let zooms = file?.description.zooms else { return nil }
        return max(zooms.lowerBound, BaseMapTile.zooms.upperBound + 1)...zooms.upperBound
    }

    /// Returns a tile.
    ///
    /// A thread for blocking work makes or reads the tile. The tiles of the program are compressed, like those of most
    /// files.
    ///
    /// - Parameter tile: The tile.
    /// - Returns: The tile, without bytes in the sea; `nil` if there is no such tile.
    /// - Throws: `internal` if the file is damaged.
    func tile(_ tile: MapTile) async throws -> TileFile.Tile? {
        try await Self.reading {
            guard let own = BaseMapTile(tile) else { return try file?.tile(tile) }
            let bytes = own.bytes
            return TileFile.Tile(bytes: bytes.isEmpty ? [] : try bytes.gzipped())
        }
    }

    /// Returns the bytes of a tile without compression.
    ///
    /// A thread for blocking work decompresses them.
    ///
    /// - Parameter tile: The tile.
    /// - Returns: The bytes.
    /// - Throws: `internal` if the tile is damaged or too large.
    func content(of tile: TileFile.Tile) async throws -> [UInt8] {
        guard tile.isCompressed else { return tile.bytes }
        return try await Self.reading { try tile.content() }
    }

    /// Returns the result of blocking work.
    ///
    /// An error is a problem of the operator, and its text names the file.
    private static func reading<Result: Sendable>(
        _ work: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        do {
            return try await NIOThreadPool.singleton.runIfActive(work)
        } catch let error as HabitError {
            throw HabitError(.internal, "the base map cannot be read", cause: error)
        }
    }
}
