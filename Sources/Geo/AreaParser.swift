import Base

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
        guard let json = try? JSONParser(maximumDepth: maximumDepth) else { throw .notJSON }
        // The nodes are valid only as long as their parser.
        defer { withExtendedLifetime(json) {} }
        guard let root = try? json.document(copying: text) else { throw .notJSON }
        var parser = AreaParser()
        try parser.add(root)
        return parser.polygons
    }

    private mutating func add(_ object: JSONNode) throws(AreaError) {
        guard object["type"]?.text == "FeatureCollection" else {
            return try addFeature(object)
        }
        let features = try Self.items(of: object["features"])
        for feature in features {
            try addFeature(feature)
        }
    }

    private mutating func addFeature(_ object: JSONNode) throws(AreaError) {
        guard object["type"]?.text == "Feature" else {
            return try addGeometry(object)
        }
        guard let geometry = object["geometry"] else { throw .notPolygons }
        try addGeometry(geometry)
    }

    private mutating func addGeometry(_ object: JSONNode) throws(AreaError) {
        guard object["type"]?.text == "GeometryCollection" else {
            return try addPolygons(object)
        }
        let geometries = try Self.items(of: object["geometries"])
        for geometry in geometries {
            try addPolygons(geometry)
        }
    }

    private mutating func addPolygons(_ object: JSONNode) throws(AreaError) {
        let coordinates = object["coordinates"]
        switch object["type"]?.text {
        case "Polygon":
            try addPolygon(coordinates)
        case "MultiPolygon":
            let polygons = try Self.items(of: coordinates)
            for polygon in polygons {
                try addPolygon(polygon)
            }
        default:
            throw .notPolygons
        }
    }

    private mutating func addPolygon(_ coordinates: JSONNode?) throws(AreaError) {
        var rings: [[Position]] = []
        let nodes = try Self.items(of: coordinates)
        for node in nodes {
            let ring = try positions(of: node)
            rings.append(ring)
        }
        guard !rings.isEmpty else { throw .notPolygons }
        guard let polygon = Polygon(rings: rings) else { throw .ringInvalid }
        polygons.append(polygon)
    }

    private mutating func positions(of ring: JSONNode) throws(AreaError) -> [Position] {
        var positions: [Position] = []
        let pairs = try Self.items(of: ring)
        for pair in pairs {
            count += 1
            guard count <= Area.maximumPositions else { throw .tooLarge }
            let position = try Self.position(pair)
            positions.append(position)
        }
        return positions
    }

    /// Returns a position of two numbers or more.
    ///
    /// The third number is the height, which is ignored.
    private static func position(_ pair: JSONNode) throws(AreaError) -> Position {
        let coordinates = pair.items.prefix(2)
        guard coordinates.count == 2, coordinates.allSatisfy(\.isNumber) else { throw .positionInvalid }
        guard let longitude = coordinates[0].number else { throw .positionInvalid }
        guard let latitude = coordinates[1].number else { throw .positionInvalid }
        guard let position = Position(longitude: longitude, latitude: latitude) else { throw .positionInvalid }
        return position
    }

    /// Returns the items of an array.
    ///
    /// - Throws: ``AreaError/notPolygons`` if the node is missing or is not an array.
    private static func items(of node: JSONNode?) throws(AreaError) -> [JSONNode] {
        guard let node, node.isArray else { throw .notPolygons }
        return node.items
    }
}
