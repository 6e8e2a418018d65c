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
        let hasStatus = properties.contains(FeatureCollection.status) || properties.contains(FeatureCollection.color)
        let content = try map(request, in: session).content(
            of: tile,
            properties: hasStatus ? properties + [Self.habit] : properties,
            in: session)
        if hasStatus, case .points(let read) = content {
            let records = try withStatus(read, properties: properties, in: session)
            return VectorTileLayer(collection, .points(records), of: tile).tile
        }
        return VectorTileLayer(collection, content, of: tile).tile
    }
}

extension FeatureView {
    private static let habit = "habit"

    /// Returns events with the status of their habits, and its color.
    ///
    /// - Parameters:
    ///   - events: The events with their habits.
    ///   - properties: The names of the properties of the result.
    ///   - session: The session in which the habits are read.
    /// - Returns: The events. An event has no status if the viewer cannot see its habit.
    /// - Throws: The errors of the query.
    private func withStatus(
        _ events: [MapRecord],
        properties: [String],
        in session: any Session
    ) throws -> [MapRecord] {
        let habits = events.map { event in event.value(of: Self.habit) }
        let known = Set(habits.compactMap(\.self))
        guard !known.isEmpty else { return events }
        let statuses = try HabitStatuses(of: known, for: viewer, at: clock, in: session)
        return zip(events, habits).map { event, habit in
            var event = event
            var names: Set<String> = []
            // The habit is read twice if the request selects it.
            event.properties = event.properties.filter { property in
                properties.contains(property.name) && names.insert(property.name).inserted
            }
            if let habit, let status = statuses[habit] {
                let derived = [
                    (FeatureCollection.status, status), (FeatureCollection.color, StatusWord(rawValue: status)?.color),
                ]
                for case (let name, let value?) in derived where properties.contains(name) {
                    event.properties.append((name, value))
                }
            }
            return event
        }
    }
}

extension MapRecord {
    /// Returns the value of a property, or `nil` if the record does not have it.
    fileprivate func value(of name: String) -> String? {
        properties.first { property in property.name == name }?.value
    }
}

extension VectorTileLayer {
    /// A property of a point.
    fileprivate typealias Property = (name: String, value: Value)

    /// Creates the layer of a collection in a tile.
    ///
    /// - Parameters:
    ///   - collection: The collection.
    ///   - content: The points or the clusters.
    ///   - tile: The tile.
    init(_ collection: FeatureCollection, _ content: MapQuery.Content, of tile: MapTile) {
        self.init(name: collection.id)
        switch content {
        case .points(let records):
            for record in records {
                let properties = record.properties.map { property in
                    (name: property.name, value: Value.text(property.value))
                }
                let id = TileFeatureID(of: record.id, in: collection)
                append(record.position, of: tile, id: id, properties: properties)
            }
        case .clusters(let clusters):
            for cluster in clusters {
                append(cluster.position, of: tile, id: nil, properties: cluster.tileProperties)
            }
        }
    }

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
