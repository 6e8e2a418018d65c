import Geo
import HabitModel
import StoreEngine

/// The queries that together find the records of a part of the map.
struct MapSources {
    /// The maximum number of rows that a tile reads to show points instead of clusters, and to find single records.
    ///
    /// A row costs one to two microseconds.
    static let rowLimit = 20_000

    /// The queries, whose rows have no record in common.
    var selections: [Selection]
    /// The estimated number of rows that the queries read.
    var rows: Int
}

extension MapQuery {
    /// Returns the queries for the records in some tiles that read the fewest rows.
    ///
    /// The spatial index finds the events of all users in the tiles, also of users whom the viewer does not follow. The
    /// index on users finds all events of a user, also those outside the tiles.
    ///
    /// - Parameters:
    ///   - tiles: The tiles.
    ///   - part: The events in these tiles, or in tiles of a lower zoom that contain them.
    ///   - counts: The counts of the store.
    /// - Returns: The queries.
    /// - Throws: The errors of the query of the records.
    func sources(
        in tiles: MapTileRange,
        part: EventMapCounts.Part,
        counts: EventMapCounts
    ) throws -> MapSources {
        let countedTiles = tiles.limited(to: EventMapCounts.highestZoom)
        let area = try counts.allEvents(in: countedTiles)
        let query = counts.query
        guard query.viewer != .operator, query.filter.near == nil else {
            return try spatialSources(in: tiles, rows: area, counts.session)
        }
        let owned = try counts.total(of: part.users)
        guard owned < area, part.users.count <= Self.ownerLimit else {
            return try spatialSources(in: tiles, rows: area, counts.session)
        }
        let ownEvents = try ownSelection(of: part.users.sorted(), counts)
        let newestEvents = try newestSelection(counts)
        let selections = [ownEvents, newestEvents]
        return MapSources(
            selections: selections.compactMap(\.self),
            rows: owned)
    }

    /// Returns the query that reads the spatial index.
    private func spatialSources(
        in tiles: MapTileRange,
        rows: Int,
        _ session: any Session
    ) throws -> MapSources {
        let selection = try selection(in: tiles.box, session)
        return MapSources(selections: [selection], rows: rows)
    }

    /// The maximum number of users in a query.
    private static let ownerLimit = 5000

    /// Returns the query for the events of some users, or `nil` without users.
    func ownSelection(of users: [Int64], _ counts: EventMapCounts) throws -> Selection? {
        guard case .events(let query) = records, !users.isEmpty else {
            return nil
        }
        return try selection(
            of: query,
            in: .world,
            owners: users,
            counts.session)
    }

    /// Returns the query for the newest events of users who share only these, or `nil` if there are no such users.
    func newestSelection(_ counts: EventMapCounts) throws -> Selection? {
        guard case .events(var query) = records else {
            return nil
        }
        let users = try counts.newestOnlyUsers()
        guard !users.isEmpty else {
            return nil
        }
        query.scope = .friends
        return try selection(
            of: query,
            in: .world,
            owners: users,
            counts.session)
    }
}

extension MapTileRange {
    /// Returns the tiles of a lower zoom that contain these tiles, or these tiles if their zoom is not higher.
    func limited(to zoom: Int) -> MapTileRange {
        if self.zoom <= zoom {
            return self
        }
        return containing(at: zoom)
    }
}
