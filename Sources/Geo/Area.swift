/// An area of GeoJSON: the union of one or more polygons in the plane of longitude and latitude on WGS 84.
///
/// The borders are part of the area. No edge crosses the antimeridian: an area that does is split into polygons on both
/// sides (RFC 7946, section 3.1.9).
public struct Area: Sendable, Equatable {
    /// The maximum size of the text of an area, in bytes.
    public static let maximumBytes = 16 << 20
    /// The maximum number of positions of an area.
    public static let maximumPositions = 200_000

    /// The polygons.
    public let polygons: [Polygon]
    /// The smallest box that contains the area.
    ///
    /// It crosses the antimeridian if the polygons on both sides are then in a narrower box.
    public let box: BoundingBox
    /// The polygons by latitude, or `nil` for few polygons.
    private let bands: LatitudeBands?

    /// Creates the union of polygons, or returns `nil` if there are no polygons.
    public init?(_ polygons: [Polygon]) {
        guard !polygons.isEmpty else { return nil }
        self.polygons = polygons
        box = .containing(polygons.map(\.box))
        bands = LatitudeBands(count: polygons.count) { polygons[$0].box.south...polygons[$0].box.north }
    }

    /// Parses GeoJSON (RFC 7946).
    ///
    /// Cost: proportional to the length of the text.
    ///
    /// - Parameter text: The UTF-8 text of a Polygon, a MultiPolygon, a GeometryCollection of them, a Feature with such a
    ///   geometry, or a FeatureCollection of such Features.
    /// - Throws: An ``AreaError``.
    public init(geoJSON text: some Collection<UInt8>) throws(AreaError) {
        guard text.count <= Self.maximumBytes else { throw .tooLarge }
        guard let area = Self(try AreaParser.polygons(of: text)) else { throw .notPolygons }
        self = area
    }

    /// Returns whether two areas have equal polygons.
    public static func == (first: Area, second: Area) -> Bool { first.polygons == second.polygons }

    /// Returns the location of `position` relative to the area.
    ///
    /// The decision is exact. If polygons overlap or touch, the first one that contains the position decides. The
    /// longitudes 180 and -180 are equal, so a position on this meridian is outside or on a border. The cost depends on
    /// the number of polygons at the latitude of the position.
    public func side(of position: Position) -> Polygon.Side {
        let side = planarSide(of: position)
        guard side == .outside, abs(position.longitude) == 180 else { return side }
        let opposite = Position(longitude: -position.longitude, latitude: position.latitude)
        return opposite.map(planarSide) ?? .outside
    }

    /// Returns the location of a position in the plane, whose edges are the longitudes 180 and -180.
    private func planarSide(of position: Position) -> Polygon.Side {
        guard let bands else { return Self.side(of: position, in: polygons) }
        let candidates = bands.intervals(at: position.latitude).lazy.map { index in polygons[Int(index)] }
        return Self.side(of: position, in: candidates)
    }

    /// Returns the location of a position relative to the first polygon that contains it.
    private static func side(of position: Position, in polygons: some Sequence<Polygon>) -> Polygon.Side {
        for polygon in polygons {
            let side = polygon.side(of: position)
            if side != .outside { return side }
        }
        return .outside
    }

    /// Returns whether a position is in a polygon or on its border.
    public func contains(_ position: Position) -> Bool { side(of: position) != .outside }

    /// The area as the text of a GeoJSON MultiPolygon, with the exact coordinates.
    public var geoJSON: String {
        var text = #"{"type":"MultiPolygon","coordinates":"#
        Self.appendArray(of: polygons, to: &text) { polygon, text in
            Self.appendArray(of: polygon.rings, to: &text) { ring, text in
                Self.appendArray(of: ring, to: &text) { position, text in
                    text += "[\(position.longitude),\(position.latitude)]"
                }
            }
        }
        return text + "}"
    }

    /// Appends a JSON array whose elements `body` appends.
    private static func appendArray<Element>(
        of elements: some Collection<Element>, to text: inout String, _ body: (Element, inout String) -> Void
    ) {
        text += "["
        var isFirst = true
        for element in elements {
            if !isFirst { text += "," }
            isFirst = false
            body(element, &text)
        }
        text += "]"
    }

    /// The number of positions of all rings.
    public var positionCount: Int {
        var count = 0
        for polygon in polygons {
            for ring in polygon.rings { count += ring.count }
        }
        return count
    }
}

/// The reason why a text is not an area.
public enum AreaError: Error, Equatable, CaseIterable, CustomStringConvertible {
    /// The text is longer than ``Area/maximumBytes``, or has more positions than ``Area/maximumPositions``.
    case tooLarge
    /// The text is not JSON.
    case notJSON
    /// The text has no polygon, or has an object that is not one.
    case notPolygons
    /// A ring is not closed or has fewer than four positions.
    case ringInvalid
    /// A position is not a pair of numbers in range.
    case positionInvalid

    /// The reason and its remedy.
    public var description: String {
        switch self {
        case .tooLarge: "the area has more than 200,000 positions or 16 MiB: simplify it"
        case .notJSON: "the area is not JSON: write a GeoJSON Polygon or MultiPolygon"
        case .notPolygons:
            "the area is not a GeoJSON polygon: use a Polygon, MultiPolygon, GeometryCollection, Feature or FeatureCollection that contains only polygons"
        case .ringInvalid:
            "a ring of the area is open or has less than four positions: end each ring with its first position"
        case .positionInvalid:
            "a position of the area is invalid: write longitude (-180 to 180) and latitude (-90 to 90) in degrees"
        }
    }
}

extension BoundingBox {
    /// Returns the narrowest box that contains all boxes, none of which crosses the antimeridian.
    ///
    /// The widest gap between the boxes is outside. The box crosses the antimeridian if this gap does not.
    fileprivate static func containing(_ boxes: [BoundingBox]) -> BoundingBox {
        let boxes = boxes.sorted { first, second in first.west < second.west }
        guard let first = boxes.first else { return .world }
        var south = first.south
        var north = first.north
        // The eastern edge of the boxes so far.
        var end = first.east
        // The box in the west of the widest gap so far ends there, and the box in its east begins there.
        var gap = (width: -Double.infinity, west: first.east, east: first.west)
        for box in boxes {
            south = min(south, box.south)
            north = max(north, box.north)
            let width = box.west - end
            if width > gap.width { gap = (width, end, box.west) }
            end = max(end, box.east)
        }
        let gapAtAntimeridian = first.west + 360 - end
        if gap.width > gapAtAntimeridian {
            return BoundingBox(west: gap.east, south: south, east: gap.west, north: north) ?? .world
        }
        return BoundingBox(west: first.west, south: south, east: end, north: north) ?? .world
    }
}
