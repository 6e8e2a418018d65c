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
        var sea = HalfUnitPath()
        var land = HalfUnitPath()
        var borders = HalfUnitPath()
        sea.add(ring: area.corners)
        for outline in map.land {
            for points in lines(outline) {
                land.add(ring: area.clip(ring: points))
            }
        }
        for border in map.borders {
            for points in lines(border) {
                for part in area.clip(line: points) {
                    borders.add(line: part)
                }
            }
        }
        return """
            <g transform="scale(.5)"><path class="sea" d="\(sea.text)"/><path class="land" d="\(land.text)"/><path class="border" d="\(borders.text)"/></g>
            """
    }

    /// Returns a line of the map on the drawing, once for each turn around the Earth in which it is visible.
    private func lines(_ line: BaseMap.Line) -> [[DrawingPoint]] {
        projection.turns(of: line.box).map { turn in
            line.points.map { position in
                projection.point(longitude: position.longitude + turn, latitude: position.latitude)
            }
        }
    }

    /// Returns the names of cities at free positions, and a dot for each named city.
    ///
    /// - Parameter labels: The areas that the names avoid.
    /// - Returns: The dots, which are drawn below the marks, and the names.
    func cities(avoiding labels: LabelLayout) -> (dots: HTML, names: HTML) {
        var labels = labels
        var dots: HTML = ""
        var names: HTML = ""
        var count = 0
        let level = projection.detail ?? .fine
        let most = level == .coarse ? 5 : 8
        for city in level.cities where count < most {
            let point = projection.point(city.position)
            guard area.contains(point, margin: Self.margin),
                labels.isOutsideOfNames(point),
                let start = labels.placeIfFree(city.name, nextTo: point, in: area)
            else { continue }
            dots += "<circle class=\"city\" cx=\"\(point.x)\" cy=\"\(point.y)\" r=\"1.5\"/>"
            names += "<text class=\"city\" x=\"\(start.x)\" y=\"\(start.y)\">\(city.name)</text>"
            labels.reserve(point)
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

    mutating func add(ring: [DrawingPoint]) {
        let vertices = thinned(ring)
        guard vertices.count > 2 else { return }
        add(vertices)
        text += "z"
    }

    mutating func add(line: [DrawingPoint]) {
        var vertices = thinned(line)
        // Thinning can remove the end of the line.
        if let end = line.last.map(rounded), let last = vertices.last, last != end {
            vertices.append(end)
        }
        if vertices.count > 1 { add(vertices) }
    }

    private func rounded(_ point: DrawingPoint) -> SIMD2<Int> {
        let x = (2 * point.x).rounded()
        let y = (2 * point.y).rounded()
        return SIMD2(Int(x), Int(y))
    }

    private func thinned(_ points: [DrawingPoint]) -> [SIMD2<Int>] {
        var kept: [SIMD2<Int>] = []
        for point in points {
            let vertex = rounded(point)
            if let last = kept.last, distance(from: last, to: vertex) < Self.shortest { continue }
            kept.append(vertex)
        }
        return kept
    }

    /// Returns the larger of the distances in the two directions.
    private func distance(from start: SIMD2<Int>, to end: SIMD2<Int>) -> Int {
        max(abs(end.x - start.x), abs(end.y - start.y))
    }

    private mutating func add(_ vertices: [SIMD2<Int>]) {
        var last = SIMD2(0, 0)
        for (i, vertex) in vertices.enumerated() {
            let step = vertex &- last
            text += separator(before: step, index: i)
            // A minus sign separates two numbers.
            text += step.y < 0 ? "\(step.x)\(step.y)" : "\(step.x) \(step.y)"
            last = vertex
        }
    }

    private func separator(before step: SIMD2<Int>, index: Int) -> String {
        switch index {
        case 0: "M"
        case 1: "l"
        default: step.x < 0 ? "" : " "
        }
    }
}
