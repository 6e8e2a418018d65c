/// The tiles of one zoom in a rectangle of rows and columns.
package struct MapTileRange: Hashable, Sendable {
    /// The zoom of the tiles.
    package let zoom: Int
    /// The rows, counted from the north.
    package let rows: ClosedRange<Int>
    /// The columns, counted from the west.
    package let columns: ClosedRange<Int>

    /// Creates the range of a single tile.
    package init(_ tile: MapTile) {
        self.init(
            zoom: tile.zoom,
            rows: tile.row...tile.row,
            columns: tile.column...tile.column)
    }

    private init(
        zoom: Int,
        rows: ClosedRange<Int>,
        columns: ClosedRange<Int>
    ) {
        self.zoom = zoom
        self.rows = rows
        self.columns = columns
    }

    /// Creates the range of the tiles from one tile to another of the same zoom.
    private init(from northwest: MapTile, to southeast: MapTile) {
        let lastRow = max(northwest.row, southeast.row)
        let lastColumn = max(northwest.column, southeast.column)
        self.init(
            zoom: northwest.zoom,
            rows: northwest.row...lastRow,
            columns: northwest.column...lastColumn)
    }

    // MARK: Boxes

    /// Returns the ranges of the tiles of a zoom that a box touches.
    ///
    /// - Parameters:
    ///   - box: The box. A box across the antimeridian or with an edge on it can have two ranges, which have no tile in
    ///     common.
    ///   - zoom: A zoom from 0 to 31.
    /// - Returns: One range or two.
    package static func covering(_ box: BoundingBox, at zoom: Int) -> [MapTileRange] {
        let ranges = box.parts.map { part in
            range(of: part, at: zoom)
        }
        guard ranges.count == 2 else { return ranges }
        let first = ranges[0]
        let second = ranges[1]
        guard first.columns.overlaps(second.columns) else { return ranges }
        let west = min(first.columns.lowerBound, second.columns.lowerBound)
        let east = max(first.columns.upperBound, second.columns.upperBound)
        let both = MapTileRange(
            zoom: zoom,
            rows: first.rows,
            columns: west...east)
        return [both]
    }

    /// Returns the range of the tiles that a box on one side of the antimeridian touches.
    private static func range(of part: BoundingBox, at zoom: Int) -> MapTileRange {
        let northwest = tile(part.west, latitude: part.north, at: zoom)
        let southeast = tile(part.east, latitude: part.south, at: zoom)
        // The eastern edge of the map is the end of the last column, and the position there is in the first column.
        let endsAtEdge = part.east == 180 && part.west < 180
        guard endsAtEdge else {
            return MapTileRange(from: northwest, to: southeast)
        }
        let inLastColumn = MapTile(
            unchecked: zoom,
            row: southeast.row,
            column: 1 << zoom - 1)
        return MapTileRange(from: northwest, to: inLastColumn)
    }

    private static func tile(
        _ longitude: Double,
        latitude: Double,
        at zoom: Int
    ) -> MapTile {
        let corner = Position(longitude: longitude, latitude: latitude) ?? .nullIsland
        return MapPoint(corner).tile(at: zoom)
    }

    /// A box that contains every position of the tiles.
    package var box: BoundingBox {
        let first = MapTile(
            unchecked: zoom,
            row: rows.lowerBound,
            column: columns.lowerBound)
        let last = MapTile(
            unchecked: zoom,
            row: rows.upperBound,
            column: columns.upperBound)
        let northwest = first.box
        let southeast = last.box
        let box = BoundingBox(
            west: northwest.west,
            south: southeast.south,
            east: southeast.east,
            north: northwest.north)
        return box ?? .world
    }

    // MARK: Tiles

    /// Returns the tiles of a lower zoom that contain these tiles.
    package func containing(at zoom: Int) -> MapTileRange {
        let shift = self.zoom - zoom
        let firstRow = rows.lowerBound >> shift
        let lastRow = rows.upperBound >> shift
        let firstColumn = columns.lowerBound >> shift
        let lastColumn = columns.upperBound >> shift
        return MapTileRange(
            zoom: zoom,
            rows: firstRow...lastRow,
            columns: firstColumn...lastColumn)
    }

    /// The number of tiles.
    package var count: Int {
        rows.count * columns.count
    }

    /// Returns whether one of the tiles contains a position.
    package func contains(_ point: MapPoint) -> Bool {
        contains(point.tile(at: zoom))
    }

    /// Returns whether a tile of the same zoom or a higher one is in one of the tiles.
    package func contains(_ tile: MapTile) -> Bool {
        let shift = tile.zoom - zoom
        let row = tile.row >> shift
        let column = tile.column >> shift
        return rows.contains(row) && columns.contains(column)
    }

    // MARK: Codes

    /// The maximum number of ranges of codes of one search.
    package static let mostCodeRanges = 16

    /// Returns the codes of the tiles of a zoom inside this range, and possibly the codes of tiles near it.
    ///
    /// - Parameters:
    ///   - zoom: A zoom from the zoom of this range to 31.
    ///   - limit: The maximum number of ranges of codes, at least 1.
    /// - Returns: Ranges of ``MapTile/code``.
    package func codes(
        at zoom: Int,
        atMost limit: Int = mostCodeRanges
    ) -> [ClosedRange<Int64>] {
        var range = self
        while range.count > limit {
            range = range.containing(at: range.zoom - 1)
        }
        return range.tiles.map { tile in
            tile.codes(at: zoom)
        }
    }

    /// The tiles, row by row.
    private var tiles: [MapTile] {
        rows.flatMap { row in
            columns.map { column in
                MapTile(unchecked: zoom, row: row, column: column)
            }
        }
    }
}
