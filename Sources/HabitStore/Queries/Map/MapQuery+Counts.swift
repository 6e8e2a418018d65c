import Geo
import HabitModel
import StoreEngine

extension MapQuery {
    /// Returns the clusters of the counted events and of the events of users who share only the newest ones.
    ///
    /// - Parameters:
    ///   - part: The counted events in some tiles, by cells of `zoom`.
    ///   - tiles: The tiles.
    ///   - zoom: The zoom of the cells.
    ///   - counts: The counts of the store.
    /// - Returns: The clusters. Each cluster of one record has its ID and position.
    /// - Throws: The errors of the query of the records.
    func clusters(
        _ part: EventMapCounts.Part,
        in tiles: MapTileRange,
        zoom: Int,
        counts: EventMapCounts
    ) throws -> MapClusterCounter {
        var counter = MapClusterCounter(zoom: zoom)
        for (code, cell) in part.cells {
            counter.add(cell.events, in: code)
        }
        if let newest = try newestSelection(counts) {
            try forEach(newest, in: tiles, session: counts.session) { record in
                counter.add(record.position, id: record.id)
                return true
            }
        }
        let single = counter.unnamed
        guard !single.isEmpty else { return counter }
        let owners = single.compactMap { code in
            part.cells[code]?.user
        }
        let sources = try sources(
            of: single,
            users: Set(owners),
            in: tiles,
            counts: counts)
        for source in sources {
            try forEach(source.selection, in: source.tiles, session: counts.session) { record in
                counter.name(record.position, id: record.id)
                return true
            }
        }
        return counter
    }

    /// A query and the tiles that contain the records to use.
    private struct TileSource {
        var selection: Selection
        var tiles: MapTileRange
    }

    /// Returns queries that find the only record of each of some cells, with the tiles that contain the records.
    ///
    /// The queries may find other records too.
    private func sources(
        of cells: [Int64],
        users: Set<Int64>,
        in tiles: MapTileRange,
        counts: EventMapCounts
    ) throws -> [TileSource] {
        if counts.query.viewer != .operator,
            try counts.total(of: users) <= Self.rowLimit
        {
            guard let selection = try ownSelection(of: users.sorted(), counts) else {
                return []
            }
            return [TileSource(selection: selection, tiles: tiles)]
        }
        return try cells.compactMap { cell in
            guard let tile = MapTile(code: cell) else { return nil }
            let selection = try selection(in: tile.box, counts.session)
            return TileSource(selection: selection, tiles: MapTileRange(tile))
        }
    }

    /// Returns the query for the events of some users, or `nil` without users.
    private func ownSelection(of users: [Int64], _ counts: EventMapCounts) throws -> Selection? {
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
    private func newestSelection(_ counts: EventMapCounts) throws -> Selection? {
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
