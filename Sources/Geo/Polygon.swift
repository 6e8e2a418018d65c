/// A polygon in the plane of longitude and latitude on WGS 84, with its border included.
///
/// Edges are straight lines in this plane. No edge crosses the antimeridian.
public struct Polygon: Hashable, Sendable {
    /// The rings: the outer ring, followed by the rings of the holes.
    ///
    /// The first and the last position of a ring are equal.
    public let rings: [[Position]]

    /// Creates a polygon.
    ///
    /// Returns `nil` if there is no ring, if a ring has fewer than four positions, or if a ring is not closed.
    public init?(rings: [[Position]]) {
        guard !rings.isEmpty, rings.allSatisfy({ $0.count >= 4 && $0.first == $0.last }) else { return nil }
        self.rings = rings
    }

    /// The location of a position relative to a polygon.
    public enum Side: Sendable {
        case inside, border, outside
    }

    /// Returns the location of `position` relative to the polygon.
    ///
    /// The decision is exact. The interior of a ring has a winding number other than zero, as in PostGIS.
    ///
    /// Source: Sunday, "Inclusion of a Point in a Polygon", 2001.
    public func side(of position: Position) -> Side {
        for (index, ring) in rings.enumerated() {
            switch (Self.side(of: position, in: ring), index) {
            case (.border, _): return .border
            case (.outside, 0): return .outside
            case (.inside, 1...): return .outside
            default: break
            }
        }
        return .inside
    }

    private static func side(of position: Position, in ring: [Position]) -> Side {
        var winding = 0
        for (a, b) in zip(ring, ring.dropFirst()) where a != b {
            let turn = turn(a, b, position)
            if turn == 0, isInBox(position, a, b) { return .border }
            if a.latitude <= position.latitude, position.latitude < b.latitude, turn > 0 { winding += 1 }
            if b.latitude <= position.latitude, position.latitude < a.latitude, turn < 0 { winding -= 1 }
        }
        return winding == 0 ? .outside : .inside
    }

    private static func isInBox(_ position: Position, _ a: Position, _ b: Position) -> Bool {
        (min(a.longitude, b.longitude)...max(a.longitude, b.longitude)).contains(position.longitude)
            && (min(a.latitude, b.latitude)...max(a.latitude, b.latitude)).contains(position.latitude)
    }

    /// Returns 1 if `p` is on the left of the line from `a` to `b`, -1 if it is on the right, and 0 if it is on the line.
    ///
    /// The result is exact: if rounding could change the sign, the six products are summed without rounding.
    ///
    /// Source: Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates", 1997,
    /// section 4.1.
    private static func turn(_ a: Position, _ b: Position, _ p: Position) -> Int {
        let left = (b.longitude - a.longitude) * (p.latitude - a.latitude)
        let right = (b.latitude - a.latitude) * (p.longitude - a.longitude)
        let difference = left - right
        if abs(difference) > 4e-16 * (abs(left) + abs(right)) { return difference > 0 ? 1 : -1 }
        var sum = ExactSum()
        sum.add(b.longitude, times: p.latitude)
        sum.add(-b.latitude, times: p.longitude)
        sum.add(b.latitude, times: a.longitude)
        sum.add(-b.longitude, times: a.latitude)
        sum.add(a.latitude, times: p.longitude)
        sum.add(-a.longitude, times: p.latitude)
        return sum.sign
    }

    /// The smallest box that contains the polygon.
    public var box: BoundingBox {
        let positions = rings.joined()
        let (longitudes, latitudes) = (positions.map(\.longitude), positions.map(\.latitude))
        return BoundingBox(
            west: longitudes.min() ?? -180, south: latitudes.min() ?? -90, east: longitudes.max() ?? 180,
            north: latitudes.max() ?? 90) ?? .world
    }
}

/// A sum of products without rounding errors: an expansion of numbers that do not overlap.
private struct ExactSum {
    private var terms: [Double] = []

    mutating func add(_ a: Double, times b: Double) {
        let product = a * b
        add((-product).addingProduct(a, b))
        add(product)
    }

    private mutating func add(_ number: Double) {
        var carry = number
        for index in terms.indices {
            let sum = carry + terms[index]
            let part = sum - carry
            terms[index] = (carry - (sum - part)) + (terms[index] - part)
            carry = sum
        }
        terms.append(carry)
    }

    /// The sign of the sum.
    ///
    /// The last term that is not zero has the largest magnitude.
    var sign: Int { terms.last { $0 != 0 }.map { $0 > 0 ? 1 : -1 } ?? 0 }
}
