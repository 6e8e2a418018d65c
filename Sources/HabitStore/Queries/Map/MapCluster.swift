import Geo

/// The records in a cell of a map.
package struct MapCluster: Sendable, Equatable {
    /// The cell.
    package var cell: MapTile
    /// The number of records, at least 1.
    package var count: Int
    /// The position of the only record, or the center of the cell.
    package var position: Position
    /// The ID of the only record, or `nil` if there are several.
    package var id: String?
}

/// Counts records by the cells of one zoom.
struct MapClusterCounter {
    /// The zoom of the cells.
    let zoom: Int
    /// The number of records of each cell, with the position and the ID of the first.
    private var cells: [Int64: (count: Int, position: Position?, id: String?)] = [:]

    init(zoom: Int) { self.zoom = zoom }

    var isEmpty: Bool { cells.isEmpty }
    /// The number of cells with records.
    var count: Int { cells.count }

    /// Counts a record.
    mutating func add(_ position: Position, id: @autoclosure () -> String) {
        let code = MapPoint(position).tile(at: zoom).code
        if let slot = cells.index(forKey: code) {
            cells.values[slot].count += 1
        } else {
            cells[code] = (1, position, id())
        }
    }

    /// Counts records in the cell with a code.
    mutating func add(_ count: Int, in code: Int64) { cells[code, default: (0, nil, nil)].count += count }

    /// The codes of the cells with one record whose ID is not known.
    var unnamed: [Int64] { cells.filter { $0.value.count == 1 && $0.value.id == nil }.map(\.key).sorted() }

    /// Stores the position and the ID of a record that is the only one of its cell, and ignores other records.
    mutating func name(_ position: Position, id: String) {
        let code = MapPoint(position).tile(at: zoom).code
        if let slot = cells.index(forKey: code), cells.values[slot].count == 1 {
            cells.values[slot] = (1, position, id)
        }
    }

    /// The clusters in the order of the codes of their cells.
    var clusters: [MapCluster] {
        cells.sorted { $0.key < $1.key }.compactMap { code, records in
            guard let cell = MapTile(code: code) else { return nil }
            let isOne = records.count == 1
            return MapCluster(
                cell: cell, count: records.count, position: isOne ? records.position ?? cell.center : cell.center,
                id: isOne ? records.id : nil)
        }
    }
}
