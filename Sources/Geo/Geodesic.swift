import CGeodesic

/// Geodesics (shortest paths) on the WGS 84 ellipsoid, accurate to about 15 nm.
///
/// The algorithms are from Karney, "Algorithms for geodesics", J. Geod. 87 (2013), as implemented in GeographicLib.
/// Distances up to 20 km use a faster series with the same accuracy (`Chord`).
public enum Geodesic {
    /// The equatorial radius of the WGS 84 ellipsoid, in meters.
    public static let equatorialRadius = 6_378_137.0
    /// The flattening of the WGS 84 ellipsoid.
    public static let flattening = 1 / 298.257223563

    /// Returns the geodesic distance between two positions.
    ///
    /// Costs about 0.1 µs up to 20 km, otherwise 0.6 to 0.8 µs.
    public static func distance(from a: Position, to b: Position) -> Distance {
        Origin(a).distance(to: b)
    }

    /// A start position for many distance computations.
    ///
    /// It caches the values that depend only on the start.
    public struct Origin: Sendable {
        /// The start position.
        public let position: Position
        let end: Chord.End

        /// Creates an origin at `position`.
        public init(_ position: Position) {
            self.position = position
            end = Chord.End(position.latitude)
        }

        /// Returns the geodesic distance to `other`, with the accuracy and cost of ``Geodesic/distance(from:to:)``.
        public func distance(to other: Position) -> Distance {
            Chord(self, other).arc ?? longDistance(from: position, to: other)
        }
    }

    /// Returns the distance by Karney's solution of the inverse problem, which is valid for any two positions.
    static func longDistance(from a: Position, to b: Position) -> Distance {
        .meters(habitat_geodesic_distance(a.latitude, a.longitude, b.latitude, b.longitude))
    }

    /// Returns the position at `distance` from `origin` along the geodesic with a given initial azimuth.
    ///
    /// - Parameters:
    ///   - origin: The start of the geodesic.
    ///   - azimuth: The initial direction, in degrees clockwise from north.
    ///   - distance: The length of the geodesic.
    /// - Returns: The end of the geodesic, or `origin` if the computed coordinates are not a valid position.
    public static func destination(from origin: Position, azimuth: Double, distance: Distance) -> Position {
        var latitude = 0.0
        var longitude = 0.0
        habitat_geodesic_destination(
            origin.latitude, origin.longitude, azimuth, distance.meters, &latitude, &longitude)
        return Position(longitude: longitude, latitude: latitude) ?? origin
    }
}
