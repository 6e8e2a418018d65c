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

    /// The property of an event with the status of its habit.
    static let status = HabitStatuses.column
    /// The property of an event with the color of that status.
    static let color = "color"

    /// The properties that a point in a tile has only if the parameter `properties` names them.
    var optionalTileProperties: [String] {
        switch kind {
        case .events: ["title", "outcome", "at", Self.status, Self.color, Self.userName]
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
        // The status and the color follow from the habit, which is then the last value of a point.
        let readsHabit = properties.contains(where: Self.derived.contains)
        let stored = readsHabit ? properties + [Self.habit] : properties
        var content = try map(request, in: session).content(of: tile, properties: stored, in: session)
        if readsHabit { content = try withStatus(content, properties: properties, in: session) }
        return VectorTileLayer(collection, content, properties: properties, of: tile).tile
    }
}

extension FeatureView {
    private static let habit = "habit"
    /// The properties of an event that depend on its habit and on the current date of its owner.
    private static let derived = [FeatureCollection.status, FeatureCollection.color]

    /// Returns events with the status of their habits, and its color.
    ///
    /// - Parameters:
    ///   - content: The events, whose last value is their habit. Clusters do not change.
    ///   - properties: The names of the other values.
    ///   - session: The session in which the habits are read.
    /// - Returns: The events without the last value. An event has no status if the viewer cannot see its habit.
    /// - Throws: The errors of the query.
    private func withStatus(
        _ content: MapQuery.Content,
        properties: [String],
        in session: any Session
    ) throws -> MapQuery.Content {
        guard case .points(var events) = content else { return content }
        let habits = Set(events.compactMap { event in event.values.last ?? nil })
        let statuses = try HabitStatuses(of: habits, for: viewer, at: clock, in: session)
        let status = properties.firstIndex(of: FeatureCollection.status)
        let color = properties.firstIndex(of: FeatureCollection.color)
        for index in events.indices {
            guard let habit = events[index].values.removeLast(), let word = statuses[habit] else { continue }
            if let status { events[index].values[status] = word }
            if let color { events[index].values[color] = StatusWord(rawValue: word)?.color }
        }
        return .points(events)
    }
}

extension VectorTileLayer {
    /// Creates the layer of a collection in a tile.
    ///
    /// - Parameters:
    ///   - collection: The collection.
    ///   - content: The points or the clusters.
    ///   - properties: The names of the values of the points.
    ///   - tile: The tile.
    init(
        _ collection: FeatureCollection,
        _ content: MapQuery.Content,
        properties: [String],
        of tile: MapTile
    ) {
        switch content {
        case .points(let records):
            self.init(name: collection.id, keys: properties)
            for record in records {
                let values = record.values.map { text in text.map(Value.text) }
                let id = TileFeatureID(of: record.id, in: collection)
                append(record.position, of: tile, id: id, values: values)
            }
        case .clusters(let clusters):
            self.init(name: collection.id, keys: ["id", "count"])
            for cluster in clusters {
                append(cluster.position, of: tile, id: nil, values: cluster.tileValues)
            }
        }
    }

    /// Appends a point at a position.
    fileprivate mutating func append(
        _ position: Position,
        of tile: MapTile,
        id: TileFeatureID?,
        values: [Value?]
    ) {
        let offset = tile.offset(of: MapPoint(position), bits: Self.bits)
        append(x: offset.x, y: offset.y, id: id?.number, values: values)
    }
}

extension MapCluster {
    /// The properties of the point of a cluster: the ID of an only feature, and the number of features.
    fileprivate var tileValues: [VectorTileLayer.Value?] {
        [id.map(VectorTileLayer.Value.text), .integer(Int64(count))]
    }
}
