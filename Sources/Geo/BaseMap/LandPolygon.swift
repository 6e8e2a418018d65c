/// A part of the land without the inland seas: an outline, and the shores inside it.
package struct LandPolygon: Sendable {
    /// The outline.
    package let outline: BaseMap.Line
    /// The shores of inland seas in the outline.
    ///
    /// An island in an inland sea is another polygon.
    package let holes: [BaseMap.Line]

    /// Finds the land of a level.
    ///
    /// An outline is a hole by the even-odd rule if an odd number of outlines contain it. It is then a hole in the
    /// smallest of them. The cost is one comparison for each pair of outlines, so callers keep the result.
    ///
    /// - Parameter level: The level of detail.
    /// - Returns: The polygons in the order of their outlines.
    package static func all(at level: BaseMap.Level) -> [LandPolygon] {
        let lines = BaseMap.level(level).land
        let areas = lines.map(\.area)
        var holes: [Int: [BaseMap.Line]] = [:]
        var outlines: [Int] = []
        for (index, line) in lines.enumerated() {
            let around = lines.indices.filter { other in
                other != index && line.isInside(areas[other])
            }
            let smallest = around.min { one, other in
                lines[one].box.squareDegrees < lines[other].box.squareDegrees
            }
            let isHole = around.count % 2 == 1
            if isHole, let smallest {
                holes[smallest, default: []].append(line)
            } else {
                outlines.append(index)
            }
        }
        return outlines.map { index in
            LandPolygon(outline: lines[index], holes: holes[index] ?? [])
        }
    }
}

extension BaseMap.Line {
    /// The area in the outline, or `nil` for a line that is not closed.
    fileprivate var area: Polygon? {
        let ring = points.compactMap { point in
            Position(longitude: point.longitude, latitude: point.latitude)
        }
        return Polygon(rings: [ring])
    }

    /// Returns whether the outline is in an area whose border it does not cross.
    fileprivate func isInside(_ area: Polygon?) -> Bool {
        // Outlines may touch at their vertices, so the middle of an edge decides.
        guard let first = points.first, let second = points.dropFirst().first else { return false }
        let middle = Position(
            longitude: (first.longitude + second.longitude) / 2,
            latitude: (first.latitude + second.latitude) / 2)
        guard let area, let middle else { return false }
        return area.side(of: middle) == .inside
    }
}

extension BoundingBox {
    /// The product of the sides of a box that does not cross the antimeridian.
    fileprivate var squareDegrees: Double { (east - west) * (north - south) }
}
