import Foundation

/// The straight line through the Earth between two nearby positions, used to compute the length of the geodesic.
///
/// A curve of length s has the chord c = s − κ²s³/24 + O(s⁵), where κ is its curvature at the midpoint (do Carmo,
/// "Differential Geometry of Curves and Surfaces", section 1-6: the local canonical form). The expansion is about the
/// midpoint, so the terms of odd order in the derivatives of κ cancel out. The curvature of a geodesic is the normal
/// curvature of the surface in its direction (section 4-4). By Euler's formula κ = cos²α/M + sin²α/N, with the radii of
/// curvature M along the meridian and N across it. The geodesic is approximated by an arc of a circle of radius R =
/// 1/κ: s = 2R asin(c/2R) = c (1 + x²/24 + 3x⁴/640 + …), with x = c/R.
///
/// The approximation has the following errors for s ≤ 20 km and thus x ≤ 0.0032:
/// - κ is computed at the mean latitude, with cos α = MΔφ/c. The relative error of both is less than x² ≈ 10⁻⁵. M and N
///   differ by e²cos²φ ≤ 0.0067, so the relative error of κ is less than 1.4 × 10⁻⁷. The error of s is s³κ²/12 times
///   that: 2.4 nm.
/// - In the terms of fifth order, the geodesic differs from the circle by its torsion and the second derivative of κ.
///   Both are smaller than κ⁴ by the factor e²: s⁵κ⁴e²/720, 0.02 nm.
/// - Rounding: the coordinates are near 6.4 × 10⁶ m. Each has an error of a few units in the last place: 0.93 nm.
///
/// The total is less than 15 nm, which is the accuracy of the geodesic itself.
struct Chord {
    /// Maximum length of a chord, in meters.
    private static let longest = 20_000.0
    /// The square of the eccentricity of the WGS 84 ellipsoid.
    private static let e2 = Geodesic.flattening * (2 - Geodesic.flattening)

    /// The length of the geodesic, or `nil` if the positions are too far apart for the approximation (more than 20 km).
    let arc: Distance?

    /// Computes the geodesic between `origin` and `b`.
    init(_ origin: Geodesic.Origin, _ b: Position) {
        let a = origin.position
        let radians = Double.pi / 180
        let latitudeDifference = abs((b.latitude - a.latitude) * radians)
        // A degree of latitude is at least 110.5 km long, so 0.0033 rad are more than 20 km.
        guard latitudeDifference < 0.0033 else {
            arc = nil
            return
        }
        // The remainder is exact, so longitudes that differ by 360 degrees are equal.
        let longitudeDifference = (b.longitude - a.longitude).remainder(dividingBy: 360) * radians
        let p = origin.end
        let q = End(b.latitude)
        let square = Self.square(from: p, to: q, longitudeDifference: longitudeDifference)
        guard square <= Self.longest * Self.longest else {
            arc = nil
            return
        }
        let c = square.squareRoot()
        guard c > 0 else {
            arc = .meters(0)
            return
        }
        let curvature = Self.curvature(from: p, to: q, chord: c, latitudeDifference: latitudeDifference)
        let x2 = c * curvature * c * curvature
        arc = .meters(c * (1 + x2 * (1.0 / 24 + x2 * 3 / 640)))
    }

    /// Returns the square of the length of the chord, in square meters.
    ///
    /// In cylindrical coordinates, it is the sum of the squares of the radial, the tangential and the axial part.
    private static func square(
        from p: End,
        to q: End,
        longitudeDifference: Double
    ) -> Double {
        let half = sin(longitudeDifference / 2)
        let across = p.radius - q.radius
        let up = p.height - q.height
        return across * across + 4 * p.radius * q.radius * half * half + up * up
    }

    /// Returns the curvature κ of the geodesic, in 1/m, by Euler's formula.
    ///
    /// The radii use the mean of both ends: 1/N = w/a and 1/M = w³/(a(1 − e²)), with w² = 1 − e²sin²φ.
    private static func curvature(
        from p: End,
        to q: End,
        chord c: Double,
        latitudeDifference: Double
    ) -> Double {
        let w2 = (p.w2 + q.w2) / 2
        let w = w2.squareRoot()
        let acrossMeridian = w / Geodesic.equatorialRadius
        let alongMeridian = acrossMeridian * w2 / (1 - e2)
        let cosine = min(1, latitudeDifference / (alongMeridian * c))
        return acrossMeridian + (alongMeridian - acrossMeridian) * cosine * cosine
    }

    /// One end of a chord, in cylindrical coordinates without the longitude.
    struct End {
        /// The value 1 − e²sin²φ for the geographic latitude φ.
        let w2: Double
        /// The distance from the axis of the Earth, in meters.
        let radius: Double
        /// The signed distance from the plane of the equator, in meters.
        ///
        /// It is positive in the north.
        let height: Double

        /// Computes the coordinates of a position on the ellipsoid from its latitude in degrees.
        init(_ latitude: Double) {
            let sine = sin(latitude * .pi / 180)
            w2 = 1 - Chord.e2 * sine * sine
            let n = Geodesic.equatorialRadius / w2.squareRoot()
            // A pole is on the axis, but the computed cosine of its latitude is not exactly 0.
            radius = abs(latitude) == 90 ? 0 : n * cos(latitude * .pi / 180)
            height = n * (1 - Chord.e2) * sine
        }
    }
}
