/// A convex polygon of a drawing, to which other shapes are clipped.
struct ConvexArea {
    /// The corners, clockwise.
    let corners: [DrawingPoint]
    private let left: Double
    private let top: Double
    private let right: Double
    private let bottom: Double
    private let edges: [Edge]

    /// Creates an area with at least three corners, clockwise in a drawing whose y axis points downward.
    init(_ corners: [DrawingPoint]) {
        self.corners = corners
        left = corners.map(\.x).min() ?? 0
        right = corners.map(\.x).max() ?? 0
        top = corners.map(\.y).min() ?? 0
        bottom = corners.map(\.y).max() ?? 0
        let nextCorners = corners.dropFirst() + corners.prefix(1)
        edges = zip(corners, nextCorners).map { start, end in
            Edge(start: start, end: end)
        }
    }

    static func rectangle(left: Double, top: Double, width: Double, height: Double) -> ConvexArea {
        let right = left + width
        let bottom = top + height
        return ConvexArea([(left, top), (right, top), (right, bottom), (left, bottom)])
    }

    /// Whether a point is inside the area and at least `margin` from the edges of its bounding box.
    func contains(_ point: DrawingPoint, margin: Double = 0) -> Bool {
        let isInWidth = point.x >= left + margin && point.x <= right - margin
        let isInHeight = point.y >= top + margin && point.y <= bottom - margin
        guard isInWidth, isInHeight else { return false }
        return edges.allSatisfy { $0.side(of: point) >= 0 }
    }

    private struct Edge {
        let start: DrawingPoint
        let end: DrawingPoint

        /// Returns a number that is positive inside, and proportional to the distance from the edge.
        func side(of point: DrawingPoint) -> Double {
            (end.x - start.x) * (point.y - start.y) - (end.y - start.y) * (point.x - start.x)
        }

        /// Returns the vertices of the part of a polygon on the inner side of the edge.
        func clip(ring: [DrawingPoint]) -> [DrawingPoint] {
            guard var previous = ring.last else { return [] }
            var previousSide = side(of: previous)
            var kept: [DrawingPoint] = []
            for point in ring {
                let side = side(of: point)
                if (side >= 0) != (previousSide >= 0) {
                    let share = previousSide / (previousSide - side)
                    kept.append(ConvexArea.point(at: share, from: previous, to: point))
                }
                if side >= 0 { kept.append(point) }
                previous = point
                previousSide = side
            }
            return kept
        }
    }

    /// Returns the part of a filled polygon that is inside (Sutherland and Hodgman).
    ///
    /// The parts of a polygon with several parts are connected by edges along the edge of the area, so the result is
    /// only suitable for filling.
    ///
    /// - Parameter ring: The vertices. The last vertex may be the first.
    /// - Returns: The vertices of the part inside; empty if the polygon is outside.
    func clip(ring: [DrawingPoint]) -> [DrawingPoint] {
        var points = withoutDetours(ring)
        for edge in edges {
            points = edge.clip(ring: points)
        }
        return points
    }

    /// Removes vertices of a polygon between two others if all three are beyond the same side of the bounding box.
    ///
    /// The part inside does not change. Most vertices of a continent are removed on the map of a city.
    private func withoutDetours(_ ring: [DrawingPoint]) -> [DrawingPoint] {
        guard var next = ring.first.map(sides) else { return [] }
        var kept: [DrawingPoint] = []
        var last = 0
        for (i, point) in ring.enumerated() {
            let here = next
            next = i + 1 < ring.count ? sides(ring[i + 1]) : 0
            let isDetour = last & here & next != 0
            if isDetour { continue }
            kept.append(point)
            last = here
        }
        return kept
    }

    /// Returns the sides of the bounding box beyond which the point is, one bit for each.
    private func sides(_ point: DrawingPoint) -> Int {
        var sides = 0
        if point.x < left { sides |= 1 } else if point.x > right { sides |= 2 }
        if point.y < top { sides |= 4 } else if point.y > bottom { sides |= 8 }
        return sides
    }

    /// Returns the parts of a line that are inside (Cyrus and Beck).
    func clip(line: [DrawingPoint]) -> [[DrawingPoint]] {
        var parts: [[DrawingPoint]] = []
        var isConnected = false
        for (start, end) in zip(line, line.dropFirst()) {
            let isBeyondOneSide = sides(start) & sides(end) != 0
            guard !isBeyondOneSide, let inside = sharesInside(from: start, to: end) else {
                isConnected = false
                continue
            }
            if !isConnected || inside.lowerBound > 0 {
                parts.append([Self.point(at: inside.lowerBound, from: start, to: end)])
            }
            parts[parts.count - 1].append(Self.point(at: inside.upperBound, from: start, to: end))
            isConnected = inside.upperBound == 1
        }
        return parts
    }

    /// Returns the shares of a segment, 0 at its start and 1 at its end, that are inside, or `nil` if it is outside.
    private func sharesInside(from start: DrawingPoint, to end: DrawingPoint) -> ClosedRange<Double>? {
        var first = 0.0
        var last = 1.0
        for edge in edges {
            let startSide = edge.side(of: start)
            let endSide = edge.side(of: end)
            if startSide < 0, endSide < 0 { return nil }
            guard (startSide < 0) != (endSide < 0) else { continue }
            let share = startSide / (startSide - endSide)
            if startSide < 0 { first = max(first, share) } else { last = min(last, share) }
        }
        return first < last ? first...last : nil
    }

    /// Returns the point at a share of a segment, 0 at its start and 1 at its end.
    private static func point(at share: Double, from start: DrawingPoint, to end: DrawingPoint) -> DrawingPoint {
        if share == 1 { return end }
        let x = start.x + (end.x - start.x) * share
        let y = start.y + (end.y - start.y) * share
        return (x, y)
    }
}
