import Foundation

/// A rectangle in longitude and latitude (RFC 7946, section 5), in degrees on WGS 84, with its edges included.
///
/// A box with `west > east` crosses the antimeridian.
public struct BoundingBox: Hashable, Sendable {
    /// The western edge in degrees east of Greenwich, -180...180.
    public let west: Double
    /// The southern edge in degrees north of the equator, -90...90.
    public let south: Double
    /// The eastern edge in degrees east of Greenwich, -180...180.
    public let east: Double
    /// The northern edge in degrees north of the equator, -90...90.
    public let north: Double

    /// Creates a box from its edges in degrees.
    ///
    /// Returns `nil` if a value is not finite or out of range, or if `south > north`.
    public init?(west: Double, south: Double, east: Double, north: Double) {
        guard (-180...180).contains(west), (-180...180).contains(east), (-90...90).contains(south),
            (-90...90).contains(north), south <= north
        else { return nil }
        self.init(unchecked: west, south, east, north)
    }

    /// Parses `W,S,E,N` in degrees.
    ///
    /// Returns `nil` if the text is malformed, if a value is out of range, or if `S > N`.
    public init?(_ text: String) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 4, let west = Position.degrees(parts[0], axis: .longitude),
            let south = Position.degrees(parts[1], axis: .latitude),
            let east = Position.degrees(parts[2], axis: .longitude),
            let north = Position.degrees(parts[3], axis: .latitude)
        else { return nil }
        self.init(west: west, south: south, east: east, north: north)
    }

    /// The box that contains every position.
    public static let world = BoundingBox(unchecked: -180, -90, 180, 90)

    /// Whether the box contains every position.
    public var isWorld: Bool { west == -180 && south == -90 && east == 180 && north == 90 }

    private init(unchecked west: Double, _ south: Double, _ east: Double, _ north: Double) {
        self.west = west
        self.south = south
        self.east = east
        self.north = north
    }

    /// Whether the box extends across the antimeridian (`west > east`).
    public var crossesAntimeridian: Bool { west > east }

    /// Returns whether `position` is in the box or on its edge.
    ///
    /// The longitudes 180 and -180 are equal.
    public func contains(_ position: Position) -> Bool {
        parts.contains {
            ($0.south...$0.north).contains(position.latitude) && ($0.west...$0.east).contains(position.longitude)
        }
    }

    /// The box, split in two at the antimeridian if it crosses it (RFC 7946, section 3.1.9).
    public var halves: [BoundingBox] {
        guard crossesAntimeridian else { return [self] }
        return [BoundingBox(unchecked: west, south, 180, north), BoundingBox(unchecked: -180, south, east, north)]
    }

    /// One or two boxes that do not cross the antimeridian and together contain every position of this box.
    ///
    /// The longitudes 180 and -180 are the same meridian. A box with an edge on one of them gets a second part on the
    /// other.
    public var parts: [BoundingBox] {
        switch (crossesAntimeridian, west == -180, east == 180) {
        case (false, true, false): return [self, BoundingBox(unchecked: 180, south, 180, north)]
        case (false, false, true): return [self, BoundingBox(unchecked: -180, south, -180, north)]
        default: return halves
        }
    }

    /// Returns a box that contains every position within `distance` of `center`.
    ///
    /// The bound is proven.
    ///
    /// The proof uses the auxiliary sphere (Karney 2013, equations 7 and 8). A geodesic of length s on an oblate
    /// ellipsoid maps to a great-circle arc σ on the sphere between the reduced latitudes β. The length satisfies s =
    /// b∫√(1 + k² sin²σ′) dσ′ ≥ bσ, and the longitude difference satisfies |λ| ≤ |ω|. So σ ≤ s/b, and β changes by at
    /// most σ. If the circle of radius σ contains no pole, then ω ≤ asin(sin σ / cos β). Each side is widened by 10⁻⁹
    /// degrees (0.1 mm), which covers rounding.
    ///
    /// - Parameters:
    ///   - center: The center of the circle.
    ///   - distance: The radius of the circle, as a geodesic distance.
    /// - Returns: The box. It covers all longitudes if the circle may contain a pole.
    public static func around(_ center: Position, within distance: Distance) -> BoundingBox {
        let axisRatio = 1 - Geodesic.flattening
        let arc = distance.meters / (Geodesic.equatorialRadius * axisRatio)
        let reduced = atan(axisRatio * tan(center.latitude * .pi / 180))
        let pad = 1e-9
        let southReduced = reduced - arc
        let northReduced = reduced + arc
        let south = southReduced <= -.pi / 2 ? -90 : atan(tan(southReduced) / axisRatio) * 180 / .pi - pad
        let north = northReduced >= .pi / 2 ? 90 : atan(tan(northReduced) / axisRatio) * 180 / .pi + pad
        let latitudes = (max(-90, south), min(90, north))
        let ratio = sin(min(arc, .pi / 2)) / cos(reduced)
        guard south > -90, north < 90, ratio < 1 else {
            return BoundingBox(unchecked: -180, latitudes.0, 180, latitudes.1)
        }
        let half = asin(ratio) * 180 / .pi + pad
        guard half < 180 else { return BoundingBox(unchecked: -180, latitudes.0, 180, latitudes.1) }
        var west = center.longitude - half
        var east = center.longitude + half
        if west < -180 { west += 360 }
        if east > 180 { east -= 360 }
        return BoundingBox(unchecked: west, latitudes.0, east, latitudes.1)
    }
}
