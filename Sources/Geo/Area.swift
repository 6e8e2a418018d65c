import Foundation

/// An area of GeoJSON: one or more polygons in the plane of longitude and latitude on WGS 84, with their borders.
public struct Area: Sendable {
    /// The polygons.
    public let polygons: [Polygon]
    /// The boxes of the outer rings, which exclude most positions.
    private let boxes: [(west: Double, south: Double, east: Double, north: Double)]

    /// Parses GeoJSON (RFC 7946), or returns `nil` if the text is not an area.
    ///
    /// The result is also `nil` if a position is out of range or a ring is not closed. Cost: proportional to the length
    /// of the text.
    ///
    /// - Parameter text: A Polygon, a MultiPolygon, a Feature with such a geometry, or a FeatureCollection of such
    ///   Features.
    public init?(geoJSON text: some Sequence<UInt8>) {
        guard let object = try? JSONSerialization.jsonObject(with: Data(text)),
            let polygons = Self.polygons(object), !polygons.isEmpty
        else { return nil }
        self.polygons = polygons
        boxes = polygons.map { polygon in
            let ring = polygon.rings[0]
            let (longitudes, latitudes) = (ring.map(\.longitude), ring.map(\.latitude))
            return (
                longitudes.min() ?? 0, latitudes.min() ?? 0, longitudes.max() ?? 0, latitudes.max() ?? 0
            )
        }
    }

    /// Returns whether a position is in a polygon or on its border.
    public func contains(_ position: Position) -> Bool {
        for (polygon, box) in zip(polygons, boxes) {
            guard box.west <= position.longitude, position.longitude <= box.east, box.south <= position.latitude,
                position.latitude <= box.north
            else { continue }
            if polygon.side(of: position) != .outside { return true }
        }
        return false
    }

    private static func polygons(_ value: Any?) -> [Polygon]? {
        guard let object = value as? [String: Any] else { return nil }
        switch object["type"] as? String {
        case "FeatureCollection": return (object["features"] as? [Any]).flatMap { all($0) { polygons($0) } }
        case "Feature": return polygons(object["geometry"])
        case "MultiPolygon":
            return (object["coordinates"] as? [Any]).flatMap { all($0) { polygon($0).map { [$0] } } }
        case "Polygon": return polygon(object["coordinates"]).map { [$0] }
        default: return nil
        }
    }

    private static func polygon(_ value: Any?) -> Polygon? {
        guard let rings = value as? [Any] else { return nil }
        let positions = rings.compactMap { ring -> [Position]? in
            guard let ring = ring as? [Any] else { return nil }
            let positions = ring.compactMap { position($0) }
            return positions.count == ring.count ? positions : nil
        }
        return positions.count == rings.count ? Polygon(rings: positions) : nil
    }

    private static func position(_ value: Any) -> Position? {
        guard let numbers = value as? [Any], numbers.count >= 2, let longitude = numbers[0] as? NSNumber,
            let latitude = numbers[1] as? NSNumber
        else { return nil }
        return Position(longitude: longitude.doubleValue, latitude: latitude.doubleValue)
    }

    /// Returns the results for all elements, or `nil` if one of them has no result.
    private static func all(_ elements: [Any], _ polygons: (Any) -> [Polygon]?) -> [Polygon]? {
        var all: [Polygon] = []
        for element in elements {
            guard let polygons = polygons(element) else { return nil }
            all += polygons
        }
        return all
    }
}
