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
    /// The records of each cell, by the code of the cell.
    private var cells: [Int64: Cell] = [:]

    /// The number of records of a cell, with the position and the ID of the first if they are known.
    private struct Cell {
        var count = 0
        var position: Position?
        var id: String?
    }

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
            cells[code] = Cell(count: 1, position: position, id: id())
        }
    }

    /// Counts records in the cell with a code.
    mutating func add(_ count: Int, in code: Int64) {
        cells[code, default: Cell()].count += count
    }

    /// The codes of the cells with one record whose ID is not known.
    var unnamed: [Int64] {
        let unnamed = cells.filter { _, cell in
            cell.count == 1 && cell.id == nil
        }
        return unnamed.keys.sorted()
    }

    /// Stores the position and the ID of a record that is the only one of its cell, and ignores other records.
    mutating func name(_ position: Position, id: String) {
        let code = MapPoint(position).tile(at: zoom).code
        guard let slot = cells.index(forKey: code) else { return }
        if cells.values[slot].count == 1 {
            cells.values[slot].position = position
            cells.values[slot].id = id
        }
    }

    /// The clusters in the order of the codes of their cells.
    var clusters: [MapCluster] {
        cells.keys.sorted().compactMap { code in
            guard let cell = MapTile(code: code), let records = cells[code] else {
                return nil
            }
            var cluster = MapCluster(
                cell: cell,
                count: records.count,
                position: cell.center,
                id: nil)
            if records.count == 1 {
                cluster.position = records.position ?? cell.center
                cluster.id = records.id
            }
            return cluster
        }
    }
}
