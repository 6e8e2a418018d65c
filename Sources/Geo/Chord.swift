import Foundation

/// The straight line through the Earth between two places near each other, from which the geodesic's length follows.
///
/// A curve of length s has, about its midpoint, a chord of c = s − κ²s³/24 + O(s⁵), where κ is its curvature there
/// (do Carmo, "Differential Geometry of Curves and Surfaces", section 1-6: the local canonical form; the terms of odd order
/// in the derivatives of κ cancel out). A geodesic's curvature is the normal curvature of the surface in its direction
/// (section 4-4), by Euler's formula κ = cos²α/M + sin²α/N, with the radii of curvature M along the meridian and N across.
/// As an arc of a circle of radius R = 1/κ would have it, s = 2R asin(c/2R) = c (1 + x²/24 + 3x⁴/640 + …), x = c/R.
///
/// What that leaves out, for s ≤ 20 km and so x ≤ 0.0032:
/// - κ is taken at the mean latitude, with cos α = MΔφ/c, both wrong by less than x² ≈ 10⁻⁵. M and N differ by
///   e²cos²φ ≤ 0.0067, so κ is wrong by less than 1.4 × 10⁻⁷ of it, and s by s³κ²/12 of that: 2.4 nm.
/// - In the terms of fifth order what sets the geodesic apart from the circle, its torsion and the second derivative of κ,
///   is smaller than κ⁴ by e²: s⁵κ⁴e²/720, 0.02 nm.
/// - Rounding: the coordinates are near 6.4 × 10⁶ m, each with an error of a few of their last places, 0.93 nm.
///
/// Together less than 15 nm, which is the accuracy of the geodesic itself.
struct Chord {
    private static let longest = 20_000.0
    private static let e2 = Geodesic.flattening * (2 - Geodesic.flattening)

    /// The geodesic's length; nil where the places are too far apart for that.
    let arc: Distance?

    init(_ origin: Geodesic.Origin, _ b: Position) {
        let a = origin.position
        let radians = Double.pi / 180
        let difference = (b.latitude - a.latitude) * radians
        // A degree of latitude has 110.5 km at least.
        guard abs(difference) < 0.0033 else {
            arc = nil
            return
        }
        let (p, q) = (origin.end, End(b.latitude))
        // Once around is exactly nothing.
        let half = sin((b.longitude - a.longitude).remainder(dividingBy: 360) * radians / 2)
        let (across, up) = (p.radius - q.radius, p.height - q.height)
        let square = across * across + 4 * p.radius * q.radius * half * half + up * up
        guard square <= Self.longest * Self.longest else {
            arc = nil
            return
        }
        let c = square.squareRoot()
        guard c > 0 else {
            arc = .meters(0)
            return
        }
        // By the mean of both ends: 1/N = w/a and 1/M = w³/(a(1 − e²)), with w² = 1 − e²sin²φ.
        let w2 = (p.w2 + q.w2) / 2
        let w = w2.squareRoot()
        let acrossMeridian = w / Geodesic.equatorialRadius
        let alongMeridian = acrossMeridian * w2 / (1 - Self.e2)
        let cosine = min(1, abs(difference) / (alongMeridian * c))
        let curvature = acrossMeridian + (alongMeridian - acrossMeridian) * cosine * cosine
        let x2 = c * curvature * c * curvature
        arc = .meters(c * (1 + x2 * (1.0 / 24 + x2 * 3 / 640)))
    }

    /// Of one end: its distance from the axis and from the plane of the equator.
    struct End {
        let w2: Double
        let radius: Double
        let height: Double

        init(_ latitude: Double) {
            let sine = sin(latitude * .pi / 180)
            w2 = 1 - Chord.e2 * sine * sine
            let n = Geodesic.equatorialRadius / w2.squareRoot()
            // A pole is on the axis; the cosine of the nearest number to its angle is not 0.
            radius = abs(latitude) == 90 ? 0 : n * cos(latitude * .pi / 180)
            height = n * (1 - Chord.e2) * sine
        }
    }
}
