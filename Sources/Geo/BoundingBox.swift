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
        let longitudes = -180.0...180
        let latitudes = -90.0...90
        guard longitudes.contains(west), longitudes.contains(east) else { return nil }
        guard latitudes.contains(south), latitudes.contains(north) else { return nil }
        guard south <= north else { return nil }
        self.init(
            uncheckedWest: west,
            south: south,
            east: east,
            north: north)
    }

    /// Parses `W,S,E,N` in degrees.
    ///
    /// Returns `nil` if the text is malformed, if a value is out of range, or if `S > N`.
    public init?(_ text: String) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        guard let west = Position.degrees(parts[0], axis: .longitude) else { return nil }
        guard let south = Position.degrees(parts[1], axis: .latitude) else { return nil }
        guard let east = Position.degrees(parts[2], axis: .longitude) else { return nil }
        guard let north = Position.degrees(parts[3], axis: .latitude) else { return nil }
        self.init(
            west: west,
            south: south,
            east: east,
            north: north)
    }

    /// The box that contains every position.
    public static let world = BoundingBox(
        uncheckedWest: -180,
        south: -90,
        east: 180,
        north: 90)

    /// Whether the box contains every position.
    public var isWorld: Bool { self == .world }

    private init(
        uncheckedWest west: Double,
        south: Double,
        east: Double,
        north: Double
    ) {
        self.west = west
        self.south = south
        self.east = east
        self.north = north
    }

    /// Returns the part of the box between two meridians.
    private func part(from west: Double, to east: Double) -> BoundingBox {
        BoundingBox(
            uncheckedWest: west,
            south: south,
            east: east,
            north: north)
    }

    /// Whether the box extends across the antimeridian (`west > east`).
    public var crossesAntimeridian: Bool { west > east }

    /// Returns whether `position` is in the box or on its edge.
    ///
    /// The longitudes 180 and -180 are equal.
    public func contains(_ position: Position) -> Bool {
        parts.contains { part in
            let isBetweenParallels = (part.south...part.north).contains(position.latitude)
            let isBetweenMeridians = (part.west...part.east).contains(position.longitude)
            return isBetweenParallels && isBetweenMeridians
        }
    }

    /// The box, split in two at the antimeridian if it crosses it (RFC 7946, section 3.1.9).
    public var halves: [BoundingBox] {
        guard crossesAntimeridian else { return [self] }
        let eastOfWest = part(from: west, to: 180)
        let westOfEast = part(from: -180, to: east)
        return [eastOfWest, westOfEast]
    }

    /// One or two boxes that do not cross the antimeridian and together contain every position of this box.
    ///
    /// The longitudes 180 and -180 are the same meridian. A box with an edge on one of them gets a second part on the
    /// other.
    public var parts: [BoundingBox] {
        guard !crossesAntimeridian else { return halves }
        let beginsAtAntimeridian = west == -180
        let endsAtAntimeridian = east == 180
        switch (beginsAtAntimeridian, endsAtAntimeridian) {
        case (true, false): return [self, part(from: 180, to: 180)]
        case (false, true): return [self, part(from: -180, to: -180)]
        default: return [self]
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
        let south = latitude(ofReduced: reduced - arc) - margin
        let north = latitude(ofReduced: reduced + arc) + margin
        let band = BoundingBox(
            uncheckedWest: -180,
            south: max(-90, south),
            east: 180,
            north: min(90, north))
        let ratio = sin(min(arc, .pi / 2)) / cos(reduced)
        let isClearOfPoles = south > -90 && north < 90 && ratio < 1
        guard isClearOfPoles else { return band }
        let halfWidth = asin(ratio) * 180 / .pi + margin
        guard halfWidth < 180 else { return band }
        let west = center.longitude - halfWidth
        let east = center.longitude + halfWidth
        return band.part(
            from: west < -180 ? west + 360 : west,
            to: east > 180 ? east - 360 : east)
    }

    /// The margin in degrees on each side of a box around a circle, 0.1 mm, which covers rounding.
    private static let margin = 1e-9

    /// Returns the latitude in degrees for a reduced latitude in radians.
    ///
    /// A reduced latitude beyond a pole is that pole.
    private static func latitude(ofReduced reduced: Double) -> Double {
        if reduced <= -.pi / 2 { return -90 }
        if reduced >= .pi / 2 { return 90 }
        let axisRatio = 1 - Geodesic.flattening
        return atan(tan(reduced) / axisRatio) * 180 / .pi
    }
}
