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
            .precision,
            .after,
            .sortby,
            .photoLinks,
            .f,
            .spreadsheetSafe,
        ]
        return parameters.filter { parameter in !others.contains(parameter) } + [.maxPoints]
    }

    /// The properties that a point in a tile has only if the parameter `properties` names them.
    var optionalTileProperties: [String] {
        switch kind {
        case .events: ["title", "outcome", Self.userName]
        default: [Self.userName]
        }
    }

    /// The properties of a point in a tile if the request has no parameter `properties`.
    var tileProperties: [String] {
        switch kind {
        case .events: ["id", "user", "habit", "day"]
        case .items: ["id", "user", "name", "state"]
        default: ["id", "user"]
        }
    }

    /// Returns the properties of a point in a tile.
    ///
    /// - Parameters:
    ///   - names: The names in the parameter `properties`, or `nil` without this parameter.
    ///   - isPublic: Whether the request has no token.
    /// - Returns: The properties, in the order of the parameter.
    /// - Throws: `parameter-invalid` if `names` contains another name, or a name twice.
    func tileProperties(named names: [String]?, isPublic: Bool) throws -> [String] {
        guard let names else { return visible(tileProperties, isPublic: isPublic) }
        try FeatureRequest.checkProperties(names, among: knownTileProperties(isPublic: isPublic))
        return names
    }

    /// Returns the names that the parameter `properties` of a tile may contain.
    ///
    /// - Parameter isPublic: Whether the request has no token.
    /// - Returns: The names, the default ones first.
    func knownTileProperties(isPublic: Bool) -> [String] {
        visible(tileProperties + optionalTileProperties, isPublic: isPublic)
    }

    private func visible(_ properties: [String], isPublic: Bool) -> [String] {
        guard isPublic, let publicColumns else { return properties }
        return properties.filter(publicColumns.contains)
    }
}

extension FeatureView {
    /// Returns the query for the records of a map.
    ///
    /// - Throws: The errors of ``resolved(_:in:)``.
    func map(_ request: FeatureRequest, in session: any Session) throws -> MapQuery {
        let request = try resolved(request, in: session)
        var query = MapQuery(records(request))
        query.pointLimit = request.maxPoints ?? MapQuery.pointLimit
        return query
    }

    private func records(_ request: FeatureRequest) -> MapQuery.Records {
        switch collection.kind {
        case .items: .items(items(request))
        case .posts: .posts(posts(request))
        default: .events(locatedEvents(request))
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

    /// Returns the bytes of a tile.
    ///
    /// - Parameters:
    ///   - tile: The tile.
    ///   - request: The conditions on the records.
    ///   - properties: The names of the properties of a point.
    ///   - session: The session in which the records are read.
    /// - Returns: A Mapbox Vector Tile with one layer, or no bytes if the tile has no records.
    /// - Throws: The errors of the query.
    func bytes(
        of tile: MapTile,
        _ request: FeatureRequest,
        properties: [String],
        in session: any Session
    ) throws -> [UInt8] {
        let content = try map(request, in: session).content(
            of: tile,
            properties: properties,
            in: session)
        var layer = VectorTileLayer(name: collection.id)
        switch content {
        case .points(let records):
            for record in records {
                let properties = record.properties.map { property in
                    (name: property.name, value: VectorTileLayer.Value.text(property.value))
                }
                let id = TileFeatureID(of: record.id, in: collection)
                layer.append(record.position, of: tile, id: id, properties: properties)
            }
        case .clusters(let clusters):
            for cluster in clusters {
                layer.append(cluster.position, of: tile, id: nil, properties: cluster.tileProperties)
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
        id: TileFeatureID?,
        properties: [Property]
    ) {
        let offset = tile.offset(of: MapPoint(position), bits: Self.bits)
        append(x: offset.x, y: offset.y, id: id?.number, properties)
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
