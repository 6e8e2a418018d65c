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
        _ part: EventMapCounts.Part, in tiles: MapTileRange, zoom: Int, _ counts: EventMapCounts
    ) throws -> MapClusterCounter {
        var counter = MapClusterCounter(zoom: zoom)
        for (cell, count) in part.cells { counter.add(count.events, in: cell) }
        if let newest = try newestSelection(counts) {
            try forEach(newest, in: tiles, counts.session) { record in
                counter.add(record.position, id: record.id)
                return true
            }
        }
        let single = counter.unnamed
        guard !single.isEmpty else { return counter }
        let users = Set(single.compactMap { part.cells[$0]?.user })
        for (selection, tiles) in try sources(of: single, users, in: tiles, counts) {
            try forEach(selection, in: tiles, counts.session) { record in
                counter.name(record.position, id: record.id)
                return true
            }
        }
        return counter
    }

    /// Returns queries that find the only record of each of some cells, with the tiles that contain the records.
    ///
    /// The queries may find other records too.
    private func sources(
        of cells: [Int64], _ users: Set<Int64>, in tiles: MapTileRange, _ counts: EventMapCounts
    ) throws -> [(Selection, MapTileRange)] {
        if counts.query.viewer != .operator {
            let totals = try counts.totals()
            if users.reduce(0, { $0 + (totals[$1] ?? 0) }) <= MapSources.rowLimit {
                return try ownSelection(of: users.sorted(), counts).map { [($0, tiles)] } ?? []
            }
        }
        return try cells.compactMap { cell in
            guard let tile = MapTile(code: cell) else { return nil }
            return (try selection(in: tile.box, counts.session), MapTileRange(tile))
        }
    }
}
