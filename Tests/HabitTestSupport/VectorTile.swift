/// A Mapbox Vector Tile that a test decodes.
///
/// Source: Mapbox Vector Tile Specification, version 2.1.
public struct VectorTile {
    /// A point of a layer.
    public struct Point: Sendable {
        /// The units from the west and from the north.
        public var x: Int, y: Int
        /// The number that identifies the point, or `nil`.
        public var number: UInt64?
        /// The properties, with integers in decimal.
        public var properties: [String: String]
    }

    /// A layer.
    public struct Layer: Sendable {
        /// The name of the layer.
        public var name = ""
        /// The number of units on a side.
        public var extent = 0
        /// The version of the specification.
        public var version = 0
        /// The points.
        public var points: [Point] = []
        /// The lines and polygons.
        public var shapes: [Shape] = []
    }

    /// A line or a polygon of a layer.
    public struct Shape: Sendable {
        /// Whether the paths are rings.
        public var isPolygon: Bool
        /// The vertices of each path, in units from the west and from the north.
        ///
        /// The last vertex of a ring is not its first one.
        public var paths: [[SIMD2<Int>]]
    }

    /// The layers.
    public var layers: [Layer] = []

    /// An error in the bytes of a tile.
    public enum DecodingError: Error { case truncated, invalid(String) }

    /// Decodes a tile.
    public init(_ bytes: [UInt8]) throws {
        var reader = Reader(bytes[...])
        while let (field, value) = try reader.next() {
            guard field == 3, case .bytes(let layer) = value else { throw DecodingError.invalid("tile \(field)") }
            layers.append(try Self.layer(layer))
        }
    }

    private static func layer(_ bytes: ArraySlice<UInt8>) throws -> Layer {
        var layer = Layer()
        var reader = Reader(bytes)
        var keys: [String] = []
        var values: [String] = []
        var features: [ArraySlice<UInt8>] = []
        while let (field, value) = try reader.next() {
            switch (field, value) {
            case (1, .bytes(let name)): layer.name = String(decoding: name, as: UTF8.self)
            case (2, .bytes(let feature)): features.append(feature)
            case (3, .bytes(let key)): keys.append(String(decoding: key, as: UTF8.self))
            case (4, .bytes(let value)): values.append(try Self.value(value))
            case (5, .integer(let extent)): layer.extent = Int(extent)
            case (15, .integer(let version)): layer.version = Int(version)
            default: throw DecodingError.invalid("layer \(field)")
            }
        }
        for feature in features {
            if let shape = try shape(feature) {
                layer.shapes.append(shape)
            } else {
                layer.points.append(try point(feature, keys: keys, values: values))
            }
        }
        return layer
    }

    private static func value(_ bytes: ArraySlice<UInt8>) throws -> String {
        var reader = Reader(bytes)
        switch try reader.next() {
        case (1, .bytes(let text))?: return String(decoding: text, as: UTF8.self)
        case (6, .integer(let number))?: return "\(signed(number))"
        default: throw DecodingError.invalid("value")
        }
    }

    private static func point(_ bytes: ArraySlice<UInt8>, keys: [String], values: [String]) throws -> Point {
        var reader = Reader(bytes)
        var tags: [UInt64] = []
        var geometry: [UInt64] = []
        var number: UInt64?
        while let (field, value) = try reader.next() {
            switch (field, value) {
            case (1, .integer(let id)): number = id
            case (2, .bytes(let packed)): tags = try Reader.integers(packed)
            case (3, .integer(1)): break
            case (4, .bytes(let packed)): geometry = try Reader.integers(packed)
            default: throw DecodingError.invalid("feature \(field)")
            }
        }
        guard geometry.count == 3, geometry[0] == 9, tags.count % 2 == 0 else {
            throw DecodingError.invalid("geometry")
        }
        var point = Point(x: signed(geometry[1]), y: signed(geometry[2]), number: number, properties: [:])
        for index in stride(from: 0, to: tags.count, by: 2) {
            guard tags[index] < keys.count, tags[index + 1] < values.count else { throw DecodingError.invalid("tag") }
            point.properties[keys[Int(tags[index])]] = values[Int(tags[index + 1])]
        }
        return point
    }

    /// Decodes a line or a polygon, or returns `nil` for a point.
    private static func shape(_ bytes: ArraySlice<UInt8>) throws -> Shape? {
        var reader = Reader(bytes)
        var type: UInt64 = 0
        var geometry: [UInt64] = []
        while let (field, value) = try reader.next() {
            switch (field, value) {
            case (3, .integer(let kind)): type = kind
            case (4, .bytes(let packed)): geometry = try Reader.integers(packed)
            default: break
            }
        }
        guard type == 2 || type == 3 else { return nil }
        return Shape(isPolygon: type == 3, paths: try paths(geometry, isPolygon: type == 3))
    }

    /// Decodes the commands of a geometry, whose grammar is strict (specification, section 4.3.4).
    private static func paths(_ geometry: [UInt64], isPolygon: Bool) throws -> [[SIMD2<Int>]] {
        var paths: [[SIMD2<Int>]] = []
        var rest = geometry[...]
        var cursor = SIMD2(0, 0)
        func command(_ id: UInt64, count: ClosedRange<UInt64>) throws -> Int {
            guard let command = rest.popFirst(), command & 7 == id, count.contains(command >> 3) else {
                throw DecodingError.invalid("command")
            }
            return Int(command >> 3)
        }
        func step() throws -> SIMD2<Int> {
            guard let x = rest.popFirst(), let y = rest.popFirst() else { throw DecodingError.truncated }
            cursor &+= SIMD2(signed(x), signed(y))
            return cursor
        }
        while !rest.isEmpty {
            _ = try command(1, count: 1...1)
            var path = [try step()]
            let count = try command(2, count: (isPolygon ? 2 : 1)...UInt64(UInt32.max))
            for _ in 0..<count { path.append(try step()) }
            if isPolygon { _ = try command(7, count: 1...1) }
            paths.append(path)
        }
        return paths
    }

    private static func signed(_ number: UInt64) -> Int { Int(number >> 1) ^ -Int(number & 1) }

    private enum Value { case integer(UInt64), bytes(ArraySlice<UInt8>) }

    /// Reads the fields of a message.
    private struct Reader {
        private var bytes: ArraySlice<UInt8>

        init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

        mutating func next() throws -> (UInt64, Value)? {
            guard !bytes.isEmpty else { return nil }
            let tag = try varint()
            switch tag & 7 {
            case 0: return (tag >> 3, .integer(try varint()))
            case 2:
                let count = Int(try varint())
                guard count <= bytes.count else { throw DecodingError.truncated }
                defer { bytes = bytes.dropFirst(count) }
                return (tag >> 3, .bytes(bytes.prefix(count)))
            default: throw DecodingError.invalid("wire type \(tag & 7)")
            }
        }

        private mutating func varint() throws -> UInt64 {
            var value: UInt64 = 0
            var shift: UInt64 = 0
            while let byte = bytes.popFirst(), shift < 64 {
                value |= UInt64(byte & 0x7F) << shift
                if byte < 0x80 { return value }
                shift += 7
            }
            throw DecodingError.truncated
        }

        static func integers(_ bytes: ArraySlice<UInt8>) throws -> [UInt64] {
            var reader = Reader(bytes)
            var values: [UInt64] = []
            while !reader.bytes.isEmpty { values.append(try reader.varint()) }
            return values
        }
    }
}
