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

    /// The default and the highest limit of the points in a tile.
    public static let pointLimit = 10_000
    /// The maximum number of points in a tile, 1...10,000.
    ///
    /// A tile with more records contains clusters.
    package var pointLimit = Self.pointLimit
    /// Whether counts of the store decide that a tile has many events.
    ///
    /// Only tests disable it: the contents of a tile are the same.
    var usesCounts = true
    /// The names of the columns of events that a tile reads.
    private var columns: Set<String> = ["user", "habit", "day"]
    /// The maximum number of events that a tile reads to show points instead of clusters.
    ///
    /// A row costs one to two microseconds.
    static let rowLimit = 20_000
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
    /// The tile also contains clusters if the query would have to read more than ``rowLimit`` events to find
    /// the points.
    ///
    /// - Parameters:
    ///   - tile: The tile.
    ///   - properties: The names of the columns of a point. An unknown column has no values.
    ///   - session: The session that runs the query.
    /// - Returns: The points in the order of their positions and IDs, or the clusters in the order of their cells.
    /// - Throws: The errors of the query of the records.
    package func content(
        of tile: MapTile, properties: [String], in session: any Session
    ) throws -> Content {
        let tiles = MapTileRange(tile)
        let cellZoom = tile.zoom + Self.cellZooms
        guard let counts = counts(in: session) else {
            let selections = try reading(properties).selections(in: tiles, session)
            return try read(selections, in: tile, properties: properties, session: session)
        }
        let zoom = min(cellZoom, EventMapCounts.highestZoom)
        let countedTiles = tiles.limited(to: EventMapCounts.highestZoom)
        let part = try counts.events(in: countedTiles, byCellsOf: zoom)
        if isUnfiltered, tile.zoom <= zoom {
            let isLong = part.events > Self.rowLimit
            let hasManyPoints = part.events > pointLimit && zoom == cellZoom
            if isLong || hasManyPoints {
                let counter = try clusters(part, in: tiles, zoom: zoom, counts: counts)
                return .clusters(counter.clusters)
            }
        }
        let selections = try reading(properties).selections(in: tiles, session)
        return try read(selections, in: tile, properties: properties, session: session)
    }

    /// Returns the query with the columns of these properties in addition.
    private func reading(_ properties: [String]) -> MapQuery {
        var query = self
        query.columns.formUnion(properties)
        return query
    }

    /// Reads the records of a tile, and counts them if there are more than ``pointLimit``.
    private func read(
        _ selections: [Selection],
        in tile: MapTile,
        properties: [String],
        session: any Session
    ) throws -> Content {
        var points: [MapRecord] = []
        var counter = MapClusterCounter(zoom: tile.zoom + Self.cellZooms)
        for selection in selections {
            let reader = MapRecordReader(selection.shape, properties: properties)
            try session.query(selection.sql) { row in
                guard let position = reader.position(of: row),
                    tile.contains(MapPoint(position))
                else {
                    return true
                }
                if counter.isEmpty, points.count < pointLimit {
                    points.append(reader.record(row, at: position))
                    return true
                }
                if counter.isEmpty {
                    for point in points {
                        counter.add(point.position, id: point.id)
                    }
                    points = []
                }
                counter.add(position, id: reader.id(of: row))
                return true
            }
        }
        if counter.isEmpty {
            return .points(points.sorted())
        }
        return .clusters(counter.clusters)
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
        let counts = counts(in: session)
        let cellZoom = zoom + Self.cellZooms
        var clusters: [MapCluster] = []
        for cells in MapTileRange.covering(box, at: cellZoom) {
            let found: MapClusterCounter
            if isUnfiltered, cellZoom <= EventMapCounts.highestZoom, let counts {
                let part = try counts.events(in: cells, byCellsOf: cellZoom, limit: limit)
                guard part.cells.count <= limit else {
                    return nil
                }
                found = try self.clusters(part, in: cells, zoom: cellZoom, counts: counts)
            } else {
                found = try count(
                    in: cells,
                    zoom: cellZoom,
                    limit: limit,
                    session: session)
            }
            clusters += found.clusters
            guard clusters.count <= limit else {
                return nil
            }
        }
        return clusters
    }

    /// Reads and counts the records in some cells, until there are more than `limit` clusters.
    private func count(
        in cells: MapTileRange,
        zoom: Int,
        limit: Int,
        session: any Session
    ) throws -> MapClusterCounter {
        let selections = try selections(in: cells, session)
        var counter = MapClusterCounter(zoom: zoom)
        for selection in selections where counter.count <= limit {
            try forEach(selection, in: cells, session: session) { record in
                counter.add(record.position, id: record.id)
                return counter.count <= limit
            }
        }
        return counter
    }

    /// Calls `body` with each record of a query that is in some tiles, until `body` returns `false`.
    func forEach(
        _ selection: Selection,
        in tiles: MapTileRange,
        session: any Session,
        _ body: (MapRecord) throws -> Bool
    ) throws {
        let reader = MapRecordReader(selection.shape, properties: [])
        try session.query(selection.sql) { row in
            guard let position = reader.position(of: row),
                tiles.contains(MapPoint(position))
            else {
                return true
            }
            let record = reader.record(row, at: position)
            return try body(record)
        }
    }

    // MARK: Queries

    /// The counts of the store for the query, or `nil` if the store does not count its records.
    private func counts(in session: any Session) -> EventMapCounts? {
        guard usesCounts, case .events(let query) = records else { return nil }
        return EventMapCounts(query, in: session)
    }

    /// Whether the query selects all events of its scope that have a position.
    private var isUnfiltered: Bool {
        guard case .events(let query) = records else { return false }
        var filter = query.filter
        filter.box = nil
        filter.boxOrUnlocated = nil
        filter.isLocated = false
        return filter.isEmpty
    }

    /// Returns the query for the records in some tiles.
    ///
    /// In the scope `friends`, the query finds the newest event of each habit without the spatial index.
    private func selections(in tiles: MapTileRange, _ session: any Session) throws -> [Selection] {
        var box = tiles.box
        if case .events(let query) = records,
            query.scope == .friends,
            query.filter.near == nil
        {
            box = .world
        }
        return [try selection(in: box, session)]
    }

    /// Returns the query for the records with a position in a box, in any order.
    func selection(in box: BoundingBox, _ session: any Session) throws -> Selection {
        switch records {
        case .events(let query): try selection(of: query, in: box, owners: nil, session)
        case .items(let query): try query.forMap(in: box).selection(in: session)
        case .posts(let query): try query.forMap(in: box).selection(in: session)
        }
    }

    /// Returns the query for the events with a position in a box, in any order.
    ///
    /// - Parameters:
    ///   - query: The query of the events.
    ///   - box: The box.
    ///   - owners: The users whose events are read by the index on users, or `nil` for all users of the scope.
    ///   - session: The session that runs the query.
    /// - Returns: The query.
    /// - Throws: The errors of the query of the events.
    func selection(
        of query: EventQuery,
        in box: BoundingBox,
        owners: ChosenOwners?,
        _ session: any Session
    ) throws -> Selection {
        var query = query
        query.filter.box = box
        query.filter.boxOrUnlocated = nil
        query.filter.isLocated = true
        query.sort = .stored
        query.limit = nil
        query.page = nil
        query.standing = nil
        query.columns = columns.union(["longitude", "latitude"])
        var select = EventSelect(query, in: session)
        select.owners = owners
        return try select.selection()
    }
}

extension RecordQuery {
    /// Returns the query for the records with a position in a box, in any order.
    fileprivate func forMap(in box: BoundingBox) -> RecordQuery {
        var query = self
        query.box = box
        query.boxOrUnlocated = nil
        query.sort = .stored
        query.limit = nil
        query.page = nil
        return query
    }
}
