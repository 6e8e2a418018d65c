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
        let sources = try sources(of: single, in: tiles, part: part, counts: counts)
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

    /// The number of cells of which one query of a user finds the records.
    private static let cellsPerSearch = 16

    /// Returns queries that find the only record of each of some cells, with the tiles that contain the records.
    ///
    /// The queries may find other records too.
    private func sources(
        of cells: [Int64],
        in tiles: MapTileRange,
        part: EventMapCounts.Part,
        counts: EventMapCounts
    ) throws -> [TileSource] {
        guard counts.query.viewer != .operator else {
            return try cells.compactMap { cell in
                guard let tile = MapTile(code: cell) else { return nil }
                let selection = try selection(in: tile.box, counts.session)
                return TileSource(selection: selection, tiles: MapTileRange(tile))
            }
        }
        let searches = searches(of: cells, in: part)
        let lookups = searches.reduce(0) { sum, owners in
            sum + owners.users.count * owners.tiles.count
        }
        let users = Set(searches.flatMap(\.users))
        let readsAll = try counts.total(of: users) <= lookups
        let chosen = readsAll ? [ChosenOwners(users: users.sorted())] : searches
        return try chosen.compactMap { owners in
            try selection(of: owners, counts.session).map { selection in
                TileSource(selection: selection, tiles: tiles)
            }
        }
    }

    /// Returns the owners of the only records of some cells with the cells, a few cells at a time.
    ///
    /// A query looks up each of its cells for each of its owners. Neighboring cells often have the same owner.
    private func searches(of cells: [Int64], in part: EventMapCounts.Part) -> [ChosenOwners] {
        stride(from: 0, to: cells.count, by: Self.cellsPerSearch).map { first in
            let end = min(first + Self.cellsPerSearch, cells.count)
            let group = cells[first..<end]
            let users = Set(group.compactMap { cell in part.cells[cell]?.user })
            return ChosenOwners(users: users.sorted(), tiles: group.compactMap(MapTile.init(code:)))
        }
    }

    /// Returns the query for the events of some users, or `nil` without users.
    private func selection(of owners: ChosenOwners, _ session: any Session) throws -> Selection? {
        guard case .events(let query) = records, !owners.users.isEmpty else {
            return nil
        }
        return try selection(
            of: query,
            in: .world,
            owners: owners,
            session)
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
            owners: ChosenOwners(users: users),
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
