import Geo
import HabitModel
import StoreEngine

/// A query for the records of one kind that a map shows: their positions, or clusters of them.
///
/// A cluster is a cell of a grid with ``cellsPerSide`` cells on each side of a tile, and the number of records in it.
/// Each position is in exactly one tile and in exactly one cell of each zoom, so the sum of the clusters of a zoom is
/// the number of records.
public struct MapQuery: Sendable {
    /// A query for records that have positions.
    public enum Records: Sendable {
        case events(EventQuery)
        case items(ItemQuery)
        case posts(PostQuery)
    }

    /// The query that selects the records.
    ///
    /// This query replaces its boxes, order, limit and page.
    public var records: Records

    /// The maximum number of points in a tile.
    ///
    /// A tile with more records contains clusters.
    public static let pointLimit = 10_000
    /// The number of cells on each side of a tile.
    package static let cellsPerSide = 1 << cellZooms
    /// The difference between the zoom of a cell and the zoom of the map.
    static let cellZooms = 4

    /// Creates a map of the records that a query selects.
    public init(_ records: Records) { self.records = records }

    /// The contents of a tile.
    package enum Content: Sendable {
        case points([MapRecord])
        case clusters([MapCluster])
    }

    /// Returns the records of a tile, or clusters of them if there are more than ``pointLimit``.
    ///
    /// - Parameters:
    ///   - tile: The tile.
    ///   - properties: The names of the columns of a point. Unknown names are ignored.
    ///   - session: The session that runs the query.
    /// - Returns: The points in the order of their positions and IDs, or the clusters in the order of their cells.
    /// - Throws: The errors of the query of the records.
    package func content(
        of tile: MapTile, properties: [String], in session: any Session
    ) throws -> Content {
        var points: [MapRecord] = []
        var counter = MapClusterCounter(zoom: tile.zoom + Self.cellZooms)
        let selection = try selection(in: tile.box, session)
        let reader = MapRecordReader(selection.shape, properties: properties)
        try session.query(selection.sql) { row in
            guard let position = reader.position(of: row), tile.contains(MapPoint(position)) else { return true }
            if counter.isEmpty, points.count < Self.pointLimit {
                points.append(reader.record(row, at: position))
                return true
            }
            if counter.isEmpty {
                for point in points { counter.add(point.position, id: point.id) }
                points = []
            }
            counter.add(position, id: reader.id(of: row))
            return true
        }
        return counter.isEmpty ? .points(points.sorted()) : .clusters(counter.clusters)
    }

    /// Returns the clusters of a zoom in a box, or `nil` if there are more than `limit`.
    ///
    /// - Parameters:
    ///   - box: The box. The result contains the complete cells that the box touches.
    ///   - zoom: The zoom of the map, in ``MapTile/zooms``.
    ///   - limit: The maximum number of clusters.
    ///   - session: The session that runs the query.
    /// - Returns: The clusters in the order of their cells.
    /// - Throws: The errors of the query of the records.
    package func clusters(
        in box: BoundingBox, zoom: Int, limit: Int, in session: any Session
    ) throws -> [MapCluster]? {
        var counter = MapClusterCounter(zoom: zoom + Self.cellZooms)
        for cells in MapTileRange.covering(box, at: counter.zoom) {
            let selection = try selection(in: cells.box, session)
            let reader = MapRecordReader(selection.shape, properties: [])
            try session.query(selection.sql) { row in
                guard let position = reader.position(of: row), cells.contains(MapPoint(position)) else { return true }
                counter.add(position, id: reader.id(of: row))
                return counter.count <= limit
            }
        }
        return counter.count <= limit ? counter.clusters : nil
    }

    /// Returns the query for the records with a position in a box, in any order.
    private func selection(in box: BoundingBox, _ session: any Session) throws -> Selection {
        switch records {
        case .events(var query):
            (query.filter.box, query.filter.boxOrUnlocated, query.filter.isLocated) = (box, nil, true)
            (query.sort, query.limit, query.page, query.standing) = (.stored, nil, nil, nil)
            query.columns = ["user", "habit", "day", "longitude", "latitude"]
            return try query.selection(in: session)
        case .items(var query):
            (query.box, query.boxOrUnlocated, query.sort, query.limit, query.page) = (box, nil, .stored, nil, nil)
            return try query.selection(in: session)
        case .posts(var query):
            (query.box, query.boxOrUnlocated, query.sort, query.limit, query.page) = (box, nil, .stored, nil, nil)
            return try query.selection(in: session)
        }
    }
}
