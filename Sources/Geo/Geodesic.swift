import CGeodesic

/// The shortest path on the WGS 84 ellipsoid.
///
/// Karney, "Algorithms for geodesics", J. Geod. 87 (2013), as PROJ's `geodesic.h` has it: exact to about 15 nm.
public struct Geodesic: Sendable {
    /// WGS 84: equatorial radius in metres and flattening.
    public static let equatorialRadius = 6_378_137.0
    public static let flattening = 1 / 298.257223563

    public static let wgs84 = Geodesic()

    // Written once here and only read after: safe to share.
    private let ellipsoid: geod_geodesic

    private init() {
        var ellipsoid = geod_geodesic()
        geod_init(&ellipsoid, Self.equatorialRadius, Self.flattening)
        self.ellipsoid = ellipsoid
    }

    /// The distance between two places: about 0.1 µs up to 20 km, 1 µs beyond.
    public func distance(from a: Position, to b: Position) -> Distance {
        Chord(a, b).arc ?? longDistance(from: a, to: b)
    }

    /// Karney's inverse problem, for places however far apart.
    func longDistance(from a: Position, to b: Position) -> Distance {
        var meters = 0.0
        withUnsafePointer(to: ellipsoid) {
            geod_inverse($0, a.latitude, a.longitude, b.latitude, b.longitude, &meters, nil, nil)
        }
        return .meters(meters)
    }

    /// The place `distance` away from `origin`, setting off at `azimuth` degrees clockwise from north.
    public func destination(from origin: Position, azimuth: Double, distance: Distance) -> Position {
        var latitude = 0.0
        var longitude = 0.0
        withUnsafePointer(to: ellipsoid) {
            geod_direct($0, origin.latitude, origin.longitude, azimuth, distance.meters, &latitude, &longitude, nil)
        }
        return Position(longitude: longitude, latitude: latitude) ?? origin
    }
}
