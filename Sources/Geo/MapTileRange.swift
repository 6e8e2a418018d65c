/// The tiles of one zoom in a rectangle of rows and columns.
package struct MapTileRange: Hashable, Sendable {
    /// The zoom of the tiles.
    package let zoom: Int
    /// The rows, counted from the north.
    package let rows: ClosedRange<Int>
    /// The columns, counted from the west.
    package let columns: ClosedRange<Int>

    /// Creates the range of a single tile.
    package init(_ tile: MapTile) { self.init(tile.zoom, tile.row...tile.row, tile.column...tile.column) }

    private init(_ zoom: Int, _ rows: ClosedRange<Int>, _ columns: ClosedRange<Int>) {
        (self.zoom, self.rows, self.columns) = (zoom, rows, columns)
    }

    /// Returns the ranges of the tiles of a zoom that a box touches.
    ///
    /// - Parameters:
    ///   - box: The box. A box across the antimeridian or with an edge on it can have two ranges, which have no tile in
    ///     common.
    ///   - zoom: A zoom from 0 to 31.
    /// - Returns: One range or two.
    package static func covering(_ box: BoundingBox, at zoom: Int) -> [MapTileRange] {
        let ranges = box.parts.map { part in
            let first = corner(part.west, part.north).tile(at: zoom)
            let last = corner(part.east, part.south).tile(at: zoom)
            // The eastern edge of the map is the end of the last column, and the position there is in the first column.
            let isOpen = part.east == 180 && part.west < 180
            let lastColumn = isOpen ? 1 << zoom - 1 : last.column
            return MapTileRange(
                zoom, first.row...max(first.row, last.row), first.column...max(first.column, lastColumn))
        }
        guard ranges.count == 2 else { return ranges }
        let (first, second) = (ranges[0].columns, ranges[1].columns)
        guard first.overlaps(second) else { return ranges }
        let columns = min(first.lowerBound, second.lowerBound)...max(first.upperBound, second.upperBound)
        return [MapTileRange(zoom, ranges[0].rows, columns)]
    }

    private static func corner(_ longitude: Double, _ latitude: Double) -> MapPoint {
        MapPoint(Position(longitude: longitude, latitude: latitude) ?? .nullIsland)
    }

    /// Returns the tiles of a lower zoom that contain these tiles.
    package func containing(at zoom: Int) -> MapTileRange {
        let shift = self.zoom - zoom
        return MapTileRange(
            zoom, rows.lowerBound >> shift...rows.upperBound >> shift,
            columns.lowerBound >> shift...columns.upperBound >> shift)
    }

    /// The number of tiles.
    package var count: Int { rows.count * columns.count }

    /// A box that contains every position of the tiles.
    package var box: BoundingBox {
        let northwest = MapTile(unchecked: zoom, row: rows.lowerBound, column: columns.lowerBound).box
        let southeast = MapTile(unchecked: zoom, row: rows.upperBound, column: columns.upperBound).box
        return BoundingBox(
            west: northwest.west, south: southeast.south, east: southeast.east, north: northwest.north) ?? .world
    }

    /// Returns whether one of the tiles contains a position.
    package func contains(_ point: MapPoint) -> Bool { contains(point.tile(at: zoom)) }

    /// Returns whether a tile of the same zoom or a higher one is in one of the tiles.
    package func contains(_ tile: MapTile) -> Bool {
        let shift = tile.zoom - zoom
        return rows.contains(tile.row >> shift) && columns.contains(tile.column >> shift)
    }

    /// Returns the codes of the tiles of a zoom inside this range, and possibly the codes of tiles near it.
    ///
    /// - Parameters:
    ///   - zoom: A zoom from the zoom of this range to 31.
    ///   - limit: The maximum number of ranges of codes, at least 1.
    /// - Returns: Ranges of ``MapTile/code``.
    package func codes(at zoom: Int, atMost limit: Int = mostCodeRanges) -> [ClosedRange<Int64>] {
        var tiles = self
        while tiles.count > limit {
            tiles = tiles.containing(at: tiles.zoom - 1)
        }
        return tiles.rows.flatMap { row in
            tiles.columns.map { column in
                MapTile(unchecked: tiles.zoom, row: row, column: column).codes(at: zoom)
            }
        }
    }

    /// The maximum number of ranges of codes of one search.
    package static let mostCodeRanges = 16
}
