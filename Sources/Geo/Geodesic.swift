import CGeodesic

/// The shortest path on the WGS 84 ellipsoid.
///
/// Karney, "Algorithms for geodesics", J. Geod. 87 (2013), as his GeographicLib has it: exact to about 15 nm.
public enum Geodesic {
    /// WGS 84: equatorial radius in metres and flattening.
    public static let equatorialRadius = 6_378_137.0
    public static let flattening = 1 / 298.257223563

    /// The distance between two places: about 0.1 µs up to 20 km, 1 µs beyond.
    public static func distance(from a: Position, to b: Position) -> Distance {
        Chord(a, b).arc ?? longDistance(from: a, to: b)
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
