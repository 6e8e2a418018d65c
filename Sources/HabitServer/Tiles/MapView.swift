import Base
import Geo
import HabitModel
import HabitStore
import Rendering
import StoreEngine

extension FeatureCollection {
    /// Whether the collection has tiles and clusters.
    var hasMap: Bool { isSpatial }

    /// The query parameters of a tile: the filters of the list that apply to a tile.
    var tileParameters: [FeatureParameter] {
        let others: Set<FeatureParameter> = [
            .limit, .bbox, .cluster, .properties, .precision, .after, .sortby, .photoLinks, .f,
            .spreadsheetSafe,
        ]
        return parameters.filter { !others.contains($0) }
    }

    /// The properties of a point in a tile.
    var tileProperties: [String] {
        switch kind {
        case .events: ["id", "user", "habit", "day"]
        case .items: ["id", "user", "name", "state"]
        default: ["id", "user"]
        }
    }
}

extension FeatureView {
    /// Returns the query for the records of a map.
    ///
    /// - Throws: The errors of ``resolved(_:in:)``.
    func map(_ request: FeatureRequest, in session: any Session) throws -> MapQuery {
        let request = try resolved(request, in: session)
        return switch collection.kind {
        case .items: MapQuery(.items(FeatureCollection.items(request, viewer, clock)))
        case .posts: MapQuery(.posts(FeatureCollection.posts(request, viewer)))
        default: MapQuery(.events(FeatureCollection.events(request, viewer, clock, isLocated: true)))
        }
    }

    /// The properties of a point in a tile that the viewer can see.
    private var tileProperties: [String] {
        guard isPublic, let visible = collection.publicColumns else { return collection.tileProperties }
        return collection.tileProperties.filter(visible.contains)
    }

    /// Returns the bytes of a tile.
    ///
    /// - Parameters:
    ///   - tile: The tile.
    ///   - request: The conditions on the records.
    ///   - session: The session in which the records are read.
    /// - Returns: A Mapbox Vector Tile with one layer, or no bytes if the tile has no records.
    /// - Throws: The errors of the query.
    func bytes(of tile: MapTile, _ request: FeatureRequest, in session: any Session) throws -> [UInt8] {
        let content = try map(request, in: session).content(of: tile, properties: tileProperties, in: session)
        var layer = VectorTileLayer(name: collection.id)
        func append(_ position: Position, _ properties: [(name: String, value: VectorTileLayer.Value)]) {
            let (x, y) = tile.offset(of: MapPoint(position), bits: VectorTileLayer.bits)
            layer.append(x: x, y: y, properties)
        }
        switch content {
        case .points(let records):
            for record in records { append(record.position, record.properties.map { ($0.name, .text($0.value)) }) }
        case .clusters(let clusters):
            for cluster in clusters {
                let id = cluster.id.map { [(name: "id", value: VectorTileLayer.Value.text($0))] } ?? []
                append(cluster.position, id + [("count", .integer(Int64(cluster.count)))])
            }
        }
        return layer.tile
    }
}
