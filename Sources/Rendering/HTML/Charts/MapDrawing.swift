import Geo
import HabitModel

/// One panel of a map: a projection that holds all places, and what is drawn with it.
struct MapDrawing {
    private static let circlePoints = 90
    /// Beyond this many places in a panel the symbols are small.
    private static let crowd = 400
    /// The least width and height of a cell, in units of the drawing.
    private static let smallestCell = 3.0

    private let projection: any MapProjection
    private var content: HTML
    private let box: BoundingBox?
    private var labels: LabelLayout

    /// A window that holds the places and the circle, a kilometre wide at least.
    init(around places: [Place], _ circle: RenderOptions.Page.Circle? = nil) {
        var extent = Extent()
        for place in places { extent.add(place) }
        for position in circle.map(Self.outline) ?? [] { extent.add(position) }
        self.init(projecting: circle.flatMap(Self.cap).map { $0.joined(with: extent.box) } ?? extent.box)
    }

    /// A window for places far apart: the whole world where they are very far.
    init(ofRegionsOf places: [Place]) {
        var extent = Extent()
        for place in places { extent.add(place) }
        let box = extent.box.flatMap { $0.width <= 90 && $0.north - $0.south <= 60 ? $0 : nil }
        self.init(projecting: box)
    }

    /// The world where there is no box.
    private init(projecting box: BoundingBox?) {
        self.box = box
        let polar = box.flatMap { PolarMap(around: $0) }
        projection = polar ?? box.map { FlatMap(around: $0) } ?? FlatMap.world
        content = projection.background
        labels = LabelLayout(size: projection.size)
    }

    /// The positions on a circle, each at the geodesic distance from its centre, the first one again at the end.
    static func outline(_ circle: RenderOptions.Page.Circle) -> [Position] {
        (0...circlePoints).map { i in
            Geodesic.destination(
                from: circle.center, azimuth: Double(i % circlePoints) * 360 / Double(circlePoints),
                distance: circle.radius)
        }
    }

    /// All longitudes, where the circle holds a pole.
    private static func cap(_ circle: RenderOptions.Page.Circle) -> BoundingBox? {
        let box = BoundingBox.around(circle.center, within: circle.radius)
        return box.width >= 360 ? box : nil
    }

    mutating func draw(_ circle: RenderOptions.Page.Circle) {
        let positions = Self.outline(circle)
        var path = ""
        for (i, position) in positions.enumerated() {
            let (x, y) = projection.point(position)
            let isStart = i == 0 || projection.isTorn(positions[i - 1], position)
            path += "\(isStart ? "M" : "L")\(HTML.decimal(x, decimals: 1)) \(HTML.decimal(y, decimals: 1))"
        }
        let (x, y) = projection.point(circle.center)
        content += "<path class=\"circle\" d=\"\(path)\"/>"
        content += "<path class=\"center\" d=\"M\(x - 5) \(y)h10M\(x) \(y - 5)v10\"/>"
    }

    /// Places that would be drawn one upon the other are drawn once; a path for each colour.
    mutating func draw(_ marks: [MapChart.Mark], _ style: MapStyle) {
        let radius = marks.count > Self.crowd ? 2.0 : 3.4
        var points: [Swatch?: String] = [:]
        var order: [Swatch?] = []
        var cells = [String](repeating: "", count: MapStyle.shades)
        var drawn: Set<String> = []
        for mark in marks {
            switch mark.place {
            case .box(let box):
                let (shade, path) = (style.shade(of: mark), path(of: box))
                if drawn.insert("\(shade)\(path)").inserted { cells[shade] += path }
            case .point(let position):
                let (x, y) = projection.point(position)
                let path = MapSymbol.path(
                    style.symbol(of: mark), x: (2 * x).rounded() / 2, y: (2 * y).rounded() / 2, radius: radius)
                guard drawn.insert(path).inserted else { continue }
                if points[mark.swatch] == nil { order.append(mark.swatch) }
                points[mark.swatch, default: ""] += path
            }
        }
        for (shade, path) in cells.enumerated() where !path.isEmpty {
            content += "<path class=\"cell\" fill-opacity=\"\(style.opacity(of: shade))\" d=\"\(path)\"/>"
        }
        for swatch in order {
            let attributes = swatch?.attributes(also: "point") ?? "class=\"point\""
            content += "<path \(attributes) d=\"\(points[swatch] ?? "")\"/>"
        }
    }

    /// The outlines of a box, each at least ``smallestCell`` wide and high: a smaller one would be invisible.
    private func path(of box: BoundingBox) -> String {
        projection.outlines(of: box).map { points in
            let (xs, ys) = (points.map(\.x), points.map(\.y))
            guard let left = xs.min(), let right = xs.max(), let top = ys.min(), let bottom = ys.max() else {
                return ""
            }
            if right - left >= Self.smallestCell, bottom - top >= Self.smallestCell { return path(through: points) }
            // Halves of a unit, so that small cells of one place give the same path.
            let (x, y) = ((left + right).rounded() / 2, (top + bottom).rounded() / 2)
            let (dx, dy) = (max(right - left, Self.smallestCell) / 2, max(bottom - top, Self.smallestCell) / 2)
            return path(through: [(x - dx, y + dy), (x + dx, y + dy), (x + dx, y - dy), (x - dx, y - dy)])
        }.joined()
    }

    private func path(through points: [(x: Double, y: Double)]) -> String {
        let path = points.enumerated().map { i, point in
            "\(i == 0 ? "M" : "L")\(HTML.decimal(point.x, decimals: 1)) \(HTML.decimal(point.y, decimals: 1))"
        }
        return path.joined() + "z"
    }

    /// Draws a name next to a position, where it is neither cut nor on top of an earlier name.
    mutating func draw(_ name: String, at position: Position) {
        guard !name.isEmpty else { return }
        let (x, y) = labels.place(name, nextTo: projection.point(position))
        content += "<text class=\"name\" x=\"\(x)\" y=\"\(y)\">\(name)</text>"
    }

    func svg(_ what: String, width: Double) -> HTML {
        var label = "Map, \(what)"
        if let box {
            label += ": \(Degrees.latitude(box.south, decimals: 2)) to \(Degrees.latitude(box.north, decimals: 2)), "
            label += "\(Degrees.longitude(box.west, decimals: 2)) to \(Degrees.longitude(box.east, decimals: 2))"
        }
        return .svg(label, width: width, of: projection.size, content)
    }
}

extension BoundingBox {
    /// With the latitudes of another box; this one goes round the globe.
    fileprivate func joined(with other: BoundingBox?) -> BoundingBox {
        guard let other else { return self }
        return BoundingBox(
            west: west, south: min(south, other.south), east: east, north: max(north, other.north)) ?? self
    }
}
