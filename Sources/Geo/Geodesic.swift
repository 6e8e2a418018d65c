import CGeodesic

/// The shortest path on the WGS 84 ellipsoid.
///
/// Karney, "Algorithms for geodesics", J. Geod. 87 (2013), as his GeographicLib has it: exact to about 15 nm.
public enum Geodesic {
    /// WGS 84: equatorial radius in metres and flattening.
    public static let equatorialRadius = 6_378_137.0
    public static let flattening = 1 / 298.257223563

    /// The distance between two places: about 0.1 µs up to 20 km, 0.6 to 0.8 µs beyond.
    public static func distance(from a: Position, to b: Position) -> Distance {
        Origin(a).distance(to: b)
    }

    /// A place from which distances are taken to many others: what they share is worked out once.
    public struct Origin: Sendable {
        public let position: Position
        let end: Chord.End

        public init(_ position: Position) {
            self.position = position
            end = Chord.End(position.latitude)
        }

        /// As ``Geodesic/distance(from:to:)``.
        public func distance(to other: Position) -> Distance {
            Chord(self, other).arc ?? longDistance(from: position, to: other)
        }
    }

    /// Karney's inverse problem, for places however far apart.
    static func longDistance(from a: Position, to b: Position) -> Distance {
        .meters(habitat_geodesic_distance(a.latitude, a.longitude, b.latitude, b.longitude))
    }

    /// The place `distance` away from `origin`, setting off at `azimuth` degrees clockwise from north.
    public static func destination(from origin: Position, azimuth: Double, distance: Distance) -> Position {
        var latitude = 0.0
        var longitude = 0.0
        habitat_geodesic_destination(
            origin.latitude, origin.longitude, azimuth, distance.meters, &latitude, &longitude)
        return Position(longitude: longitude, latitude: latitude) ?? origin
    }
}
