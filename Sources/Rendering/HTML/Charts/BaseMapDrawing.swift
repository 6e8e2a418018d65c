import Geo

/// The land, the borders and the cities of a panel of a map.
struct BaseMapDrawing {
    /// Distance of a named city from the edge of the map, in units of the drawing.
    private static let margin = 3.0

    private let projection: any MapProjection
    private let area: ConvexArea

    init(_ projection: any MapProjection) {
        self.projection = projection
        area = projection.area
    }

    /// The sea, the land and the borders, clipped to the map; empty if the scale is too large for the base map.
    ///
    /// The paths have half units, so that all of their numbers are short.
    var paths: HTML {
        guard let map = projection.detail.map(BaseMap.level) else { return "" }
        var (sea, land, borders) = (HalfUnitPath(), HalfUnitPath(), HalfUnitPath())
        sea.add(ring: area.corners)
        for outline in map.land {
            for points in lines(outline) { land.add(ring: area.clip(ring: points)) }
        }
        for border in map.borders {
            for points in lines(border) {
                for part in area.clip(line: points) { borders.add(line: part) }
            }
        }
        return """
            <g transform="scale(.5)"><path class="sea" d="\(sea.text)"/><path class="land" d="\(land.text)"/><path class="border" d="\(borders.text)"/></g>
            """
    }

    /// Returns a line of the map on the drawing, once for each turn around the Earth in which it is visible.
    private func lines(_ line: BaseMap.Line) -> [[ConvexArea.Point]] {
        projection.turns(of: line.box).map { turn in
            line.points.map { projection.point(longitude: $0.longitude + turn, latitude: $0.latitude) }
        }
    }

    /// Returns the names of cities at free positions, and a dot for each named city.
    ///
    /// - Parameter labels: The areas that the names avoid.
    /// - Returns: The dots, which are drawn below the marks, and the names.
    func cities(avoiding labels: LabelLayout) -> (dots: HTML, names: HTML) {
        var labels = labels
        var (dots, names): (HTML, HTML) = ("", "")
        var count = 0
        let level = projection.detail ?? .fine
        let most = level == .coarse ? 5 : 8
        for city in level.cities where count < most {
            let (x, y) = projection.point(city.position)
            guard area.contains((x, y), margin: Self.margin), labels.isOutsideOfNames((x, y)),
                let start = labels.placeIfFree(city.name, nextTo: (x, y), in: area)
            else { continue }
            dots += "<circle class=\"city\" cx=\"\(x)\" cy=\"\(y)\" r=\"1.5\"/>"
            names += "<text class=\"city\" x=\"\(start.x)\" y=\"\(start.y)\">\(city.name)</text>"
            labels.reserve((x, y))
            count += 1
        }
        return (dots, names)
    }
}

/// The text of an SVG path in half units of a drawing, with relative coordinates.
private struct HalfUnitPath {
    /// Minimum distance of consecutive vertices in half units: a pixel of most drawings.
    private static let shortest = 2

    private(set) var text = ""

    mutating func add(ring: [ConvexArea.Point]) {
        let vertices = thinned(ring)
        guard vertices.count > 2 else { return }
        add(vertices)
        text += "z"
    }

    mutating func add(line: [ConvexArea.Point]) {
        var vertices = thinned(line)
        if let last = line.last.map(rounded), let other = vertices.last, other != last { vertices.append(last) }
        if vertices.count > 1 { add(vertices) }
    }

    private func rounded(_ point: ConvexArea.Point) -> SIMD2<Int> {
        SIMD2(Int((2 * point.x).rounded()), Int((2 * point.y).rounded()))
    }

    private func thinned(_ points: [ConvexArea.Point]) -> [SIMD2<Int>] {
        var kept: [SIMD2<Int>] = []
        for point in points {
            let vertex = rounded(point)
            if let last = kept.last, max(abs(vertex.x - last.x), abs(vertex.y - last.y)) < Self.shortest { continue }
            kept.append(vertex)
        }
        return kept
    }

    private mutating func add(_ vertices: [SIMD2<Int>]) {
        var last = SIMD2(0, 0)
        for (i, vertex) in vertices.enumerated() {
            let step = vertex &- last
            if i < 2 { text += i == 0 ? "M" : "l" } else if step.x >= 0 { text += " " }
            text += step.y < 0 ? "\(step.x)\(step.y)" : "\(step.x) \(step.y)"
            last = vertex
        }
    }
}
