import Foundation

/// A rectangle in longitude and latitude, as RFC 7946 section 5 has it: `west > east` means across the antimeridian.
public struct BoundingBox: Hashable, Sendable {
    public let west: Double
    public let south: Double
    public let east: Double
    public let north: Double

    /// Nil where a value is not finite or out of range, or `south > north`.
    public init?(west: Double, south: Double, east: Double, north: Double) {
        guard (-180...180).contains(west), (-180...180).contains(east), (-90...90).contains(south),
            (-90...90).contains(north), south <= north
        else { return nil }
        self.init(unchecked: west, south, east, north)
    }

    /// Reads `W,S,E,N` in degrees.
    public init?(_ text: String) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 4, let west = Position.degrees(parts[0], axis: .longitude),
            let south = Position.degrees(parts[1], axis: .latitude),
            let east = Position.degrees(parts[2], axis: .longitude),
            let north = Position.degrees(parts[3], axis: .latitude)
        else { return nil }
        self.init(west: west, south: south, east: east, north: north)
    }

    /// Whether every place lies in it.
    public var isWorld: Bool { west == -180 && south == -90 && east == 180 && north == 90 }

    private init(unchecked west: Double, _ south: Double, _ east: Double, _ north: Double) {
        self.west = west
        self.south = south
        self.east = east
        self.north = north
    }

    public var crossesAntimeridian: Bool { west > east }

    public func contains(_ position: Position) -> Bool {
        parts.contains {
            ($0.south...$0.north).contains(position.latitude) && ($0.west...$0.east).contains(position.longitude)
        }
    }

    /// This box, cut in two at the antimeridian where it crosses it (RFC 7946, section 3.1.9).
    public var halves: [BoundingBox] {
        guard crossesAntimeridian else { return [self] }
        return [BoundingBox(unchecked: west, south, 180, north), BoundingBox(unchecked: -180, south, east, north)]
    }

    /// Boxes that do not cross the antimeridian and together hold every position of this one.
    ///
    /// 180 and -180 are one meridian: a box that ends at the one ends at the other too.
    public var parts: [BoundingBox] {
        switch (crossesAntimeridian, west == -180, east == 180) {
        case (false, true, false): return [self, BoundingBox(unchecked: 180, south, 180, north)]
        case (false, false, true): return [self, BoundingBox(unchecked: -180, south, -180, north)]
        default: return halves
        }
    }

    /// A box that holds every place within `distance` of `center`, by a proof and not by a margin that was tried.
    ///
    /// A geodesic of length s on an oblate ellipsoid maps to a great-circle arc σ on the auxiliary sphere between the
    /// reduced latitudes β, with s = b∫√(1 + k² sin²σ′) dσ′ ≥ bσ, and with a longitude difference |λ| ≤ |ω| (Karney
    /// 2013, equations 7 and 8). So σ ≤ s/b; β changes by at most σ; and where the circle of radius σ holds no pole,
    /// ω ≤ asin(sin σ / cos β). Rounding is covered by widening each side by 10⁻⁹ degrees, a tenth of a millimetre.
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
