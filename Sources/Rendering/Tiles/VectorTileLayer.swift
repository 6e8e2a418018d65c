/// A layer of features in the form of a Mapbox Vector Tile.
///
/// Each point is in one tile only, so that a client that adds up the points of several tiles counts each once. A layer
/// therefore has no points in a buffer around its tile. Lines and polygons extend into the buffer, so that a client draws
/// no edges between tiles.
///
/// Source: Mapbox Vector Tile Specification, version 2.1.
package struct VectorTileLayer {
    /// The binary logarithm of ``extent``.
    package static let bits = 12
    /// The number of units on a side of the tile.
    package static let extent = 1 << bits

    /// A value of a property.
    package enum Value: Hashable, Sendable {
        case text(String)
        case integer(Int64)
    }

    private let name: String
    private var features = ProtobufBytes()
    private var keys: [String: UInt64] = [:]
    private var values: [Value: UInt64] = [:]
    /// The keys and the values in the order of their numbers.
    private var dictionary = (keys: ProtobufBytes(), values: ProtobufBytes())
    /// The number of features.
    package private(set) var count = 0

    /// Creates a layer without features.
    package init(name: String) { self.name = name }

    /// Adds a point.
    ///
    /// - Parameters:
    ///   - x: The units from the west, from 0 to ``extent`` − 1.
    ///   - y: The units from the north, from 0 to ``extent`` − 1.
    ///   - id: The ID of the point, or `nil` for a point without one. Some clients read only IDs less than 2⁵³.
    ///   - properties: The names and values of the properties. Each name occurs once.
    package mutating func append(
        x: Int,
        y: Int,
        id: UInt64? = nil,
        _ properties: [(name: String, value: Value)]
    ) {
        let point = TilePoint(x: x, y: y)
        append(.point(point), id: id, properties)
    }

    /// Adds a feature.
    ///
    /// - Parameters:
    ///   - geometry: The geometry. A feature without commands is not added.
    ///   - id: The ID of the feature, or `nil` for a feature without one.
    ///   - properties: The names and values of the properties. Each name occurs once.
    mutating func append(
        _ geometry: VectorTileGeometry,
        id: UInt64? = nil,
        _ properties: [(name: String, value: Value)] = []
    ) {
        guard !geometry.commands.isEmpty else { return }
        var tags: [UInt64] = []
        tags.reserveCapacity(2 * properties.count)
        for (name, value) in properties {
            tags.append(number(ofKey: name))
            tags.append(number(of: value))
        }
        var feature = ProtobufBytes()
        if let id { feature.append(Field.id, varint: id) }
        feature.append(Field.tags, packed: tags)
        feature.append(Field.type, varint: geometry.kind.rawValue)
        feature.append(Field.geometry, packed: geometry.commands)
        features.append(Field.features, feature.bytes)
        count += 1
    }

    /// The tile that contains only this layer: no bytes if the layer has no features.
    package var tile: [UInt8] {
        guard count > 0 else { return [] }
        var head = ProtobufBytes()
        head.append(Field.version, varint: 2)
        head.append(Field.name, name.utf8)
        var end = ProtobufBytes()
        end.append(Field.extent, varint: UInt64(Self.extent))
        let parts = [head.bytes, features.bytes, dictionary.keys.bytes, dictionary.values.bytes, end.bytes]
        var tile = ProtobufBytes()
        tile.append(Field.layers, Array(parts.joined()))
        return tile.bytes
    }

    /// The numbers of the fields in the messages of the specification.
    private enum Field {
        // Tile
        static let layers: UInt64 = 3
        // Layer
        static let name: UInt64 = 1
        static let features: UInt64 = 2
        static let keys: UInt64 = 3
        static let values: UInt64 = 4
        static let extent: UInt64 = 5
        static let version: UInt64 = 15
        // Feature
        static let id: UInt64 = 1
        static let tags: UInt64 = 2
        static let type: UInt64 = 3
        static let geometry: UInt64 = 4
        // Value
        static let text: UInt64 = 1
        static let signed: UInt64 = 6
    }

    private mutating func number(ofKey name: String) -> UInt64 {
        if let number = keys[name] { return number }
        let number = UInt64(keys.count)
        keys[name] = number
        dictionary.keys.append(Field.keys, name.utf8)
        return number
    }

    private mutating func number(of value: Value) -> UInt64 {
        if let number = values[value] { return number }
        let number = UInt64(values.count)
        values[value] = number
        var message = ProtobufBytes()
        switch value {
        case .text(let text): message.append(Field.text, text.utf8)
        case .integer(let integer): message.append(Field.signed, varint: integer.zigzag)
        }
        dictionary.values.append(Field.values, message.bytes)
        return number
    }
}
