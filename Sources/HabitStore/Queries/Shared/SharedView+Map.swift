import Base
import Geo
import HabitModel
import StoreEngine

extension SharedView {
    /// The maximum number of points of a layer in a tile.
    ///
    /// A tile with more records contains clusters.
    package static let pointLimit = 500

    /// Returns the records of a layer in a tile, or clusters of them if there are more than ``pointLimit``.
    ///
    /// The tile of a record is the tile of its rounded position. A cluster counts rounded positions.
    ///
    /// - Parameters:
    ///   - tile: The tile.
    ///   - layer: The layer.
    ///   - session: The session in which the records are read.
    /// - Returns: The points in the order of their positions and IDs, or the clusters in the order of their cells.
    /// - Throws: An error of the engine.
    package func content(
        of tile: MapTile,
        _ layer: SharedLayer,
        in session: any Session
    ) throws -> MapQuery.Content {
        let properties = layer.tileProperties
        var points: [MapRecord] = []
        var counter = MapClusterCounter(zoom: tile.zoom + MapQuery.cellZooms)
        try forEach(layer, within: tile.box, in: session) { record in
            guard let position = record.position, tile.contains(MapPoint(position)) else { return true }
            let id = record.id
            if points.count <= Self.pointLimit {
                let values = properties.map { name in name == "id" ? id : record.text(name) }
                points.append(MapRecord(position: position, id: id, values: values))
            }
            counter.add(position, id: id)
            return true
        }
        return points.count <= Self.pointLimit ? .points(points.sorted()) : .clusters(counter.clusters)
    }

    /// The maximum number of records that the summary of a layer reads.
    private static let summaryLimit = 20_000

    /// The number of records of a layer, and the box of their positions.
    package struct Summary: Sendable, Equatable {
        /// The number of records with and without a position.
        package var count = 0
        /// A box that contains the rounded positions, or `nil` if no record has a position.
        package var box: BoundingBox?
        /// Whether the layer has more records than the summary has read; the box is then the world.
        package var isIncomplete = false
    }

    /// Returns the summary of a layer.
    ///
    /// - Parameters:
    ///   - layer: The layer.
    ///   - session: The session in which the records are read.
    /// - Returns: The summary.
    /// - Throws: An error of the engine.
    package func summary(of layer: SharedLayer, in session: any Session) throws -> Summary {
        var summary = Summary()
        try forEach(layer, in: session) { record in
            guard summary.count < Self.summaryLimit else {
                summary.isIncomplete = true
                summary.box = .world
                return false
            }
            summary.count += 1
            if let position = record.position {
                summary.box = summary.box?.including(position) ?? BoundingBox(position)
            }
            return true
        }
        return summary
    }
}

extension BoundingBox {
    /// The box of one position, or the world for a position out of range.
    fileprivate init(_ position: Position) {
        let box = BoundingBox(
            west: position.longitude,
            south: position.latitude,
            east: position.longitude,
            north: position.latitude)
        self = box ?? .world
    }

    /// Returns the smallest box that contains this box, which does not cross the antimeridian, and a position.
    fileprivate func including(_ position: Position) -> BoundingBox {
        let box = BoundingBox(
            west: min(west, position.longitude),
            south: min(south, position.latitude),
            east: max(east, position.longitude),
            north: max(north, position.latitude))
        return box ?? .world
    }
}
