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
        let areClosed = rings.allSatisfy { ring in
            ring.count >= 4 && ring.first == ring.last
        }
        guard !rings.isEmpty, areClosed else { return nil }
        self.rings = rings
        box = Self.box(around: rings.joined()) ?? .world
        bands = rings.map { ring in
            LatitudeBands(count: ring.count - 1) { edge in
                let start = ring[edge].latitude
                let end = ring[edge + 1].latitude
                return min(start, end)...max(start, end)
            }
        }
    }

    private static func box(around positions: some Sequence<Position>) -> BoundingBox? {
        let longitudes = positions.map(\.longitude)
        let latitudes = positions.map(\.latitude)
        return BoundingBox(
            west: longitudes.min() ?? -180,
            south: latitudes.min() ?? -90,
            east: longitudes.max() ?? 180,
            north: latitudes.max() ?? 90)
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
        guard (box.west...box.east).contains(position.longitude) else { return .outside }
        guard (box.south...box.north).contains(position.latitude) else { return .outside }
        for index in rings.indices {
            let isHole = index > 0
            switch side(of: position, inRing: index) {
            case .border: return .border
            case .outside where !isHole: return .outside
            case .inside where isHole: return .outside
            default: break
            }
        }
        return .inside
    }

    private func side(of position: Position, inRing index: Int) -> Side {
        let ring = rings[index]
        guard let bands = bands[index] else {
            let allEdges = ring.indices.dropLast()
            return Self.side(of: position, in: ring, edges: allEdges)
        }
        let edges = bands.intervals(at: position.latitude)
        return Self.side(of: position, in: ring, edges: edges)
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
            let a = ring[Int(edge)]
            let b = ring[Int(edge) + 1]
            let isAtLatitude = isBetween(position.latitude, a.latitude, and: b.latitude)
            guard isAtLatitude, a != b else { continue }
            let turn = turn(of: position, from: a, to: b)
            if turn == 0, isBetween(position.longitude, a.longitude, and: b.longitude) {
                return .border
            }
            // An edge does not include its northern end, so that a position between two edges counts once.
            let crossesNorthward = a.latitude <= position.latitude && position.latitude < b.latitude
            let crossesSouthward = b.latitude <= position.latitude && position.latitude < a.latitude
            if crossesNorthward, turn > 0 { winding += 1 }
            if crossesSouthward, turn < 0 { winding -= 1 }
        }
        return winding == 0 ? .outside : .inside
    }

    /// Returns whether a coordinate is between two others, which may be in either order, or equal to one of them.
    private static func isBetween(_ coordinate: Double, _ first: Double, and second: Double) -> Bool {
        min(first, second) <= coordinate && coordinate <= max(first, second)
    }

    /// Returns 1 if `p` is on the left of the line from `a` to `b`, -1 if it is on the right, and 0 if it is on the line.
    ///
    /// The result is exact: if rounding could change the sign, the six products are summed without rounding.
    ///
    /// Source: Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates", 1997,
    /// section 4.1.
    private static func turn(of p: Position, from a: Position, to b: Position) -> Int {
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
            let term = terms[index]
            let sum = carry + term
            let part = sum - carry
            terms[index] = (carry - (sum - part)) + (term - part)
            carry = sum
        }
        terms.append(carry)
    }

    /// The sign of the sum.
    ///
    /// The last term that is not zero has the largest magnitude.
    var sign: Int {
        guard let largest = terms.last(where: { term in term != 0 }) else { return 0 }
        return largest > 0 ? 1 : -1
    }
}
