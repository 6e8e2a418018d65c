/// A convex polygon of a drawing, to which other shapes are clipped.
struct ConvexArea {
    typealias Point = (x: Double, y: Double)

    /// The corners, clockwise.
    let corners: [Point]
    private let left: Double
    private let top: Double
    private let right: Double
    private let bottom: Double
    private let edges: [Edge]

    /// Creates an area with at least three corners, clockwise in a drawing whose y axis points downward.
    init(_ corners: [Point]) {
        self.corners = corners
        (left, right) = (corners.map(\.x).min() ?? 0, corners.map(\.x).max() ?? 0)
        (top, bottom) = (corners.map(\.y).min() ?? 0, corners.map(\.y).max() ?? 0)
        edges = zip(corners, corners.dropFirst() + corners.prefix(1)).map { Edge(start: $0, end: $1) }
    }

    static func rectangle(left: Double, top: Double, width: Double, height: Double) -> ConvexArea {
        ConvexArea([(left, top), (left + width, top), (left + width, top + height), (left, top + height)])
    }

    /// Whether a point is inside the area and at least `margin` from the edges of its bounding box.
    func contains(_ point: Point, margin: Double = 0) -> Bool {
        point.x >= left + margin && point.x <= right - margin && point.y >= top + margin
            && point.y <= bottom - margin && edges.allSatisfy { $0.side(of: point) >= 0 }
    }

    private struct Edge {
        let start: Point
        let end: Point

        /// Returns a number that is positive inside, and proportional to the distance from the edge.
        func side(of point: Point) -> Double {
            (end.x - start.x) * (point.y - start.y) - (end.y - start.y) * (point.x - start.x)
        }
    }

    /// Returns the part of a filled polygon that is inside (Sutherland and Hodgman).
    ///
    /// The parts of a polygon with several parts are connected by edges along the edge of the area, so the result is
    /// only suitable for filling.
    ///
    /// - Parameter ring: The vertices. The last vertex may be the first.
    /// - Returns: The vertices of the part inside; empty if the polygon is outside.
    func clip(ring: [Point]) -> [Point] {
        var points = withoutDetours(ring)
        for edge in edges {
            guard var previous = points.last else { return [] }
            var before = edge.side(of: previous)
            var kept: [Point] = []
            for point in points {
                let side = edge.side(of: point)
                if (side >= 0) != (before >= 0) { kept.append(Self.between(previous, point, before / (before - side))) }
                if side >= 0 { kept.append(point) }
                (previous, before) = (point, side)
            }
            points = kept
        }
        return points
    }

    /// Removes vertices of a polygon between two others if all three are beyond the same side of the bounding box.
    ///
    /// The part inside does not change. Most vertices of a continent are removed on the map of a city.
    private func withoutDetours(_ ring: [Point]) -> [Point] {
        guard var next = ring.first.map(sides) else { return [] }
        var kept: [Point] = []
        var last = 0
        for (i, point) in ring.enumerated() {
            let here = next
            next = i + 1 < ring.count ? sides(ring[i + 1]) : 0
            if last & here & next != 0 { continue }
            kept.append(point)
            last = here
        }
        return kept
    }

    /// Returns the sides of the bounding box beyond which the point is, one bit for each.
    private func sides(_ point: Point) -> Int {
        (point.x < left ? 1 : point.x > right ? 2 : 0) | (point.y < top ? 4 : point.y > bottom ? 8 : 0)
    }

    /// Returns the parts of a line that are inside (Cyrus and Beck).
    func clip(line: [Point]) -> [[Point]] {
        var parts: [[Point]] = []
        var isConnected = false
        for (start, end) in zip(line, line.dropFirst()) {
            guard sides(start) & sides(end) == 0, let (first, last) = share(from: start, to: end) else {
                isConnected = false
                continue
            }
            if !isConnected || first > 0 { parts.append([Self.between(start, end, first)]) }
            parts[parts.count - 1].append(Self.between(start, end, last))
            isConnected = last == 1
        }
        return parts
    }

    /// Returns the first and the last share of a segment, 0 to 1, that is inside, or `nil` if it is outside.
    private func share(from start: Point, to end: Point) -> (Double, Double)? {
        var (first, last) = (0.0, 1.0)
        for edge in edges {
            let (before, after) = (edge.side(of: start), edge.side(of: end))
            if before < 0, after < 0 { return nil }
            guard (before < 0) != (after < 0) else { continue }
            let share = before / (before - after)
            if before < 0 { first = max(first, share) } else { last = min(last, share) }
        }
        return first < last ? (first, last) : nil
    }

    private static func between(_ a: Point, _ b: Point, _ share: Double) -> Point {
        share == 1 ? b : (a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share)
    }
}
