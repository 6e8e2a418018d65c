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
            .limit,
            .bbox,
            .cluster,
            .properties,
            .precision,
            .after,
            .sortby,
            .photoLinks,
            .f,
            .spreadsheetSafe,
        ]
        return parameters.filter { parameter in !others.contains(parameter) }
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
        case .items: MapQuery(.items(items(request)))
        case .posts: MapQuery(.posts(posts(request)))
        default: MapQuery(.events(locatedEvents(request)))
        }
    }

    private func items(_ request: FeatureRequest) -> ItemQuery {
        FeatureCollection.items(request, viewer: viewer, clock: clock)
    }

    private func posts(_ request: FeatureRequest) -> PostQuery {
        FeatureCollection.posts(request, viewer: viewer)
    }

    private func locatedEvents(_ request: FeatureRequest) -> EventQuery {
        FeatureCollection.events(
            request,
            viewer: viewer,
            clock: clock,
            isLocated: true)
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
    func bytes(
        of tile: MapTile,
        _ request: FeatureRequest,
        in session: any Session
    ) throws -> [UInt8] {
        let content = try map(request, in: session).content(
            of: tile,
            properties: tileProperties,
            in: session)
        var layer = VectorTileLayer(name: collection.id)
        switch content {
        case .points(let records):
            for record in records {
                let properties = record.properties.map { property in
                    (name: property.name, value: VectorTileLayer.Value.text(property.value))
                }
                layer.append(record.position, of: tile, properties: properties)
            }
        case .clusters(let clusters):
            for cluster in clusters {
                layer.append(cluster.position, of: tile, properties: cluster.tileProperties)
            }
        }
        return layer.tile
    }
}

extension VectorTileLayer {
    /// A property of a point.
    fileprivate typealias Property = (name: String, value: Value)

    /// Appends a point at a position.
    fileprivate mutating func append(
        _ position: Position,
        of tile: MapTile,
        properties: [Property]
    ) {
        let offset = tile.offset(of: MapPoint(position), bits: Self.bits)
        append(x: offset.x, y: offset.y, properties)
    }
}

extension MapCluster {
    /// The properties of the point of a cluster: its number of features, and the ID of an only feature.
    fileprivate var tileProperties: [VectorTileLayer.Property] {
        let count = VectorTileLayer.Value.integer(Int64(count))
        guard let id else { return [("count", count)] }
        return [("id", .text(id)), ("count", count)]
    }
}
