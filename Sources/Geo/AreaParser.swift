import CSimdJSON

/// A parser of the polygons in a GeoJSON text.
///
/// The JSON must be strict (RFC 8259) and at most 64 levels deep, with unique names in each object.
struct AreaParser {
    private static let maximumDepth = 64

    private var polygons: [Polygon] = []
    private var count = 0

    /// Returns the polygons of a text.
    ///
    /// - Parameter text: The UTF-8 text.
    /// - Returns: The polygons in the order of the text.
    /// - Throws: An ``AreaError``. The result may be empty, for example for an empty FeatureCollection.
    static func polygons(of text: some Collection<UInt8>) throws(AreaError) -> [Polygon] {
        guard !text.isEmpty, let json = habitat_json_parser_new(maximumDepth) else { throw .notJSON }
        defer { habitat_json_parser_free(json) }
        // simdjson reads beyond the end of the text.
        let padded = Array(text) + [UInt8](repeating: 0, count: Int(HABITAT_JSON_PADDING))
        var root = habitat_json_node()
        guard habitat_json_parse_document(json, padded, text.count, &root) == HABITAT_JSON_OK else { throw .notJSON }
        var parser = AreaParser()
        try parser.add(root)
        return parser.polygons
    }

    private mutating func add(_ object: habitat_json_node) throws(AreaError) {
        guard Self.type(of: object) == "FeatureCollection" else { return try addFeature(object) }
        for feature in try Self.items(of: Self.member("features", of: object)) { try addFeature(feature) }
    }

    private mutating func addFeature(_ object: habitat_json_node) throws(AreaError) {
        guard Self.type(of: object) == "Feature" else { return try addGeometry(object) }
        guard let geometry = Self.member("geometry", of: object) else { throw .notPolygons }
        try addGeometry(geometry)
    }

    private mutating func addGeometry(_ object: habitat_json_node) throws(AreaError) {
        guard Self.type(of: object) == "GeometryCollection" else { return try addPolygons(object) }
        for geometry in try Self.items(of: Self.member("geometries", of: object)) { try addPolygons(geometry) }
    }

    private mutating func addPolygons(_ object: habitat_json_node) throws(AreaError) {
        let coordinates = Self.member("coordinates", of: object)
        switch Self.type(of: object) {
        case "Polygon": try addPolygon(coordinates)
        case "MultiPolygon": for polygon in try Self.items(of: coordinates) { try addPolygon(polygon) }
        default: throw .notPolygons
        }
    }

    private mutating func addPolygon(_ coordinates: habitat_json_node?) throws(AreaError) {
        var rings: [[Position]] = []
        for ring in try Self.items(of: coordinates) { rings.append(try positions(of: ring)) }
        guard !rings.isEmpty else { throw .notPolygons }
        guard let polygon = Polygon(rings: rings) else { throw .ringInvalid }
        polygons.append(polygon)
    }

    private mutating func positions(of ring: habitat_json_node) throws(AreaError) -> [Position] {
        var positions: [Position] = []
        for pair in try Self.items(of: ring) {
            count += 1
            guard count <= Area.maximumPositions else { throw .tooLarge }
            positions.append(try Self.position(pair))
        }
        return positions
    }

    // MARK: Nodes

    /// Returns a position of two numbers or more.
    ///
    /// The third number is the height, which is ignored.
    private static func position(_ pair: habitat_json_node) throws(AreaError) -> Position {
        var (first, end) = (habitat_json_node(), habitat_json_node())
        guard habitat_json_array(pair, &first, &end) != 0, first.index != end.index,
            case let second = habitat_json_next_item(first), second.index != end.index,
            let longitude = number(first), let latitude = number(second),
            let position = Position(longitude: longitude, latitude: latitude)
        else { throw .positionInvalid }
        return position
    }

    private static func number(_ node: habitat_json_node) -> Double? {
        let value = habitat_json_node_value(node)
        return switch value.type {
        case HABITAT_JSON_INTEGER: Double(value.integer)
        case HABITAT_JSON_DOUBLE: value.number
        default: nil
        }
    }

    private static func type(of object: habitat_json_node) -> String? {
        guard let member = member("type", of: object) else { return nil }
        let value = habitat_json_node_value(member)
        guard value.type == HABITAT_JSON_TEXT else { return nil }
        return String(decoding: UnsafeRawBufferPointer(start: value.text, count: value.text_length), as: UTF8.self)
    }

    private static func member(_ name: StaticString, of object: habitat_json_node) -> habitat_json_node? {
        var member = habitat_json_node()
        let isFound = name.withUTF8Buffer { bytes in
            bytes.withMemoryRebound(to: CChar.self) {
                habitat_json_node_member(object, $0.baseAddress, $0.count, &member) != 0
            }
        }
        return isFound ? member : nil
    }

    /// Returns the items of an array.
    ///
    /// - Throws: ``AreaError/notPolygons`` if the node is missing or is not an array.
    private static func items(of node: habitat_json_node?) throws(AreaError) -> [habitat_json_node] {
        var (item, end) = (habitat_json_node(), habitat_json_node())
        guard let node, habitat_json_array(node, &item, &end) != 0 else { throw .notPolygons }
        var items: [habitat_json_node] = []
        while item.index != end.index {
            items.append(item)
            item = habitat_json_next_item(item)
        }
        return items
    }
}
