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
    private let keys: [String]
    private var features = ProtobufBytes()
    /// The number of each value, in the order of ``valueMessages``.
    private var valueNumbers: [Value: UInt64] = [:]
    private var valueMessages = ProtobufBytes()
    /// The message of one feature, whose memory is reused for the next one.
    private var message = ProtobufBytes()
    /// The number of features.
    package private(set) var count = 0

    /// Creates a layer without features.
    ///
    /// - Parameters:
    ///   - name: The name of the layer.
    ///   - keys: The names of the properties of a feature. Each name occurs once.
    package init(name: String, keys: [String] = []) {
        self.name = name
        self.keys = keys
    }

    /// Adds a point.
    ///
    /// - Parameters:
    ///   - x: The units from the west, from 0 to ``extent`` − 1.
    ///   - y: The units from the north, from 0 to ``extent`` − 1.
    ///   - id: The ID of the point, or `nil` for a point without one. Some clients read only IDs less than 2⁵³.
    ///   - values: The values of the properties in the order of the keys, at most one for each key. `nil` omits the property.
    package mutating func append(
        x: Int,
        y: Int,
        id: UInt64? = nil,
        values: [Value?] = []
    ) {
        let point = TilePoint(x: x, y: y)
        append(.point(point), id: id, values: values)
    }

    /// Adds a feature.
    ///
    /// - Parameters:
    ///   - geometry: The geometry. A feature without commands is not added.
    ///   - id: The ID of the feature, or `nil` for a feature without one.
    ///   - values: The values of the properties in the order of the keys, at most one for each key. `nil` omits the property.
    mutating func append(
        _ geometry: VectorTileGeometry,
        id: UInt64? = nil,
        values: [Value?] = []
    ) {
        guard !geometry.commands.isEmpty else { return }
        message.removeAll()
        if let id { message.append(Field.id, varint: id) }
        message.append(Field.tags, packed: tags(of: values))
        message.append(Field.type, varint: geometry.kind.rawValue)
        message.append(Field.geometry, packed: geometry.commands)
        features.append(Field.features, message.bytes)
        count += 1
    }

    /// The tile that contains only this layer: no bytes if the layer has no features.
    package var tile: [UInt8] {
        guard count > 0 else { return [] }
        var layer = ProtobufBytes()
        layer.append(Field.version, varint: 2)
        layer.append(Field.name, name.utf8)
        layer.append(contentsOf: features)
        for key in keys { layer.append(Field.keys, key.utf8) }
        layer.append(contentsOf: valueMessages)
        layer.append(Field.extent, varint: UInt64(Self.extent))
        var tile = ProtobufBytes()
        tile.append(Field.layers, layer.bytes)
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

    /// Returns the number of the key and the number of the value of each property.
    private mutating func tags(of values: [Value?]) -> [UInt64] {
        var tags: [UInt64] = []
        tags.reserveCapacity(2 * values.count)
        for (key, value) in zip(keys.indices, values) {
            guard let value else { continue }
            tags.append(UInt64(key))
            tags.append(number(of: value))
        }
        return tags
    }

    private mutating func number(of value: Value) -> UInt64 {
        if let number = valueNumbers[value] { return number }
        let number = UInt64(valueNumbers.count)
        valueNumbers[value] = number
        var message = ProtobufBytes()
        switch value {
        case .text(let text): message.append(Field.text, text.utf8)
        case .integer(let integer): message.append(Field.signed, varint: integer.zigzag)
        }
        valueMessages.append(Field.values, message.bytes)
        return number
    }
}
