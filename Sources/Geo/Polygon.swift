/// A polygon in the plane of longitude and latitude on WGS 84, with its border included.
///
/// Edges are straight lines in this plane. No edge crosses the antimeridian.
public struct Polygon: Hashable, Sendable {
    /// The rings: the outer ring, followed by the rings of the holes.
    ///
    /// The first and the last position of a ring are equal.
    public let rings: [[Position]]
    /// The smallest box that contains the polygon.
    public let box: BoundingBox
    /// The edges of each ring by latitude, or `nil` for a ring of few edges.
    private let bands: [LatitudeBands?]

    /// Creates a polygon.
    ///
    /// Returns `nil` if there is no ring, if a ring has fewer than four positions, or if a ring is not closed.
    public init?(rings: [[Position]]) {
        guard !rings.isEmpty, rings.allSatisfy({ $0.count >= 4 && $0.first == $0.last }) else { return nil }
        self.rings = rings
        let positions = rings.joined()
        let (longitudes, latitudes) = (positions.map(\.longitude), positions.map(\.latitude))
        box =
            BoundingBox(
                west: longitudes.min() ?? -180, south: latitudes.min() ?? -90, east: longitudes.max() ?? 180,
                north: latitudes.max() ?? 90) ?? .world
        bands = rings.map { ring in
            LatitudeBands(count: ring.count - 1) { edge in
                let (start, end) = (ring[edge].latitude, ring[edge + 1].latitude)
                return min(start, end)...max(start, end)
            }
        }
    }

    /// Returns whether two polygons have equal rings.
    public static func == (first: Polygon, second: Polygon) -> Bool { first.rings == second.rings }

    /// Hashes the rings.
    public func hash(into hasher: inout Hasher) { hasher.combine(rings) }

    /// The location of a position relative to a polygon.
    public enum Side: Sendable {
        case inside, border, outside
    }

    /// Returns the location of `position` relative to the polygon.
    ///
    /// The decision is exact. The interior of a ring has a winding number other than zero, as in PostGIS. The cost depends
    /// on the number of edges at the latitude of the position.
    ///
    /// Source: Sunday, "Inclusion of a Point in a Polygon", 2001.
    public func side(of position: Position) -> Side {
        guard (box.west...box.east).contains(position.longitude), (box.south...box.north).contains(position.latitude)
        else { return .outside }
        for index in rings.indices {
            switch (side(of: position, inRing: index), index) {
            case (.border, _): return .border
            case (.outside, 0): return .outside
            case (.inside, 1...): return .outside
            default: break
            }
        }
        return .inside
    }

    private func side(of position: Position, inRing index: Int) -> Side {
        let ring = rings[index]
        guard let bands = bands[index] else { return Self.side(of: position, in: ring, edges: ring.indices.dropLast()) }
        return Self.side(of: position, in: ring, edges: bands.intervals(at: position.latitude))
    }

    /// Returns the location of a position relative to a ring.
    ///
    /// - Parameters:
    ///   - position: The position.
    ///   - ring: The ring.
    ///   - edges: The indices of the first positions of edges: all edges whose latitudes contain that of the position, and
    ///     any others.
    /// - Returns: The location.
    private static func side(
        of position: Position, in ring: [Position], edges: some Sequence<some BinaryInteger>
    ) -> Side {
        var winding = 0
        for edge in edges {
            let (a, b) = (ring[Int(edge)], ring[Int(edge) + 1])
            let isAtLatitude =
                min(a.latitude, b.latitude) <= position.latitude && position.latitude <= max(a.latitude, b.latitude)
            guard isAtLatitude, a != b else { continue }
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
