import Base
import Geo

/// One panel of a map: a projection that contains all marks, the base map, and the shapes drawn over it.
struct MapDrawing {
    private static let circlePoints = 90
    /// Number of marks in a panel above which the symbols are small.
    private static let smallSymbolThreshold = 400
    /// Minimum width and height of a cell, in units of the drawing.
    private static let smallestCell = 3.0

    private let projection: any MapProjection
    private let base: BaseMapDrawing
    private var content: HTML = ""
    private let box: BoundingBox?
    private var labels: LabelLayout

    /// Creates a drawing that contains the geometries and the circle, and is at least one kilometer wide.
    init(around geometries: [FeatureGeometry], _ circle: RenderOptions.Page.Circle? = nil) {
        var extent = Extent()
        for geometry in geometries { extent.add(geometry) }
        for position in circle.map(Self.outline) ?? [] { extent.add(position) }
        self.init(projecting: circle.flatMap(Self.cap).map { $0.joined(with: extent.box) } ?? extent.box)
    }

    /// Creates a drawing for geometries that are far apart.
    ///
    /// It shows the complete world if they are very far apart.
    init(ofRegionsOf geometries: [FeatureGeometry]) {
        var extent = Extent()
        for geometry in geometries { extent.add(geometry) }
        let box = extent.box.flatMap { $0.width <= 90 && $0.north - $0.south <= 60 ? $0 : nil }
        self.init(projecting: box)
    }

    /// Creates a drawing of `box`, or of the world if `box` is `nil`.
    private init(projecting box: BoundingBox?) {
        self.box = box
        let polar = box.flatMap { PolarMap(around: $0) }
        projection = polar ?? box.map { FlatMap(around: $0) } ?? FlatMap.world
        base = BaseMapDrawing(projection)
        labels = LabelLayout(size: projection.size)
        if let scale = projection.scaleName { labels.reserve(left: scale.x, baseline: scale.y, width: scale.width) }
    }

    /// Returns positions at the geodesic radius from the center of a circle.
    ///
    /// The last position equals the first.
    static func outline(_ circle: RenderOptions.Page.Circle) -> [Position] {
        (0...circlePoints).map { i in
            Geodesic.destination(
                from: circle.center, azimuth: Double(i % circlePoints) * 360 / Double(circlePoints),
                distance: circle.radius)
        }
    }

    /// Returns a box with all longitudes if the circle contains a pole, otherwise `nil`.
    private static func cap(_ circle: RenderOptions.Page.Circle) -> BoundingBox? {
        let box = BoundingBox.around(circle.center, within: circle.radius)
        return box.width >= 360 ? box : nil
    }

    mutating func draw(_ circle: RenderOptions.Page.Circle) {
        let positions = Self.outline(circle)
        var path = ""
        for (i, position) in positions.enumerated() {
            let (x, y) = projection.point(position)
            let isStart = i == 0 || projection.crossesMapEdge(positions[i - 1], position)
            path += "\(isStart ? "M" : "L")\(HTML.decimal(x, decimals: 1)) \(HTML.decimal(y, decimals: 1))"
        }
        content += "<path class=\"circle\" d=\"\(path)\"/>"
        drawCross(at: circle.center)
    }

    mutating func drawCross(at position: Position) {
        let (x, y) = projection.point(position)
        content += "<path class=\"center\" d=\"M\(x - 5) \(y)h10M\(x) \(y - 5)v10\"/>"
        labels.reserve((x, y))
    }

    /// Whether the drawing has land and borders, for which its scale may be too large.
    var hasBaseMap: Bool { projection.detail != nil }

    /// Draws marks, with one path for each color.
    ///
    /// Marks that would cover each other exactly are drawn once.
    mutating func draw(_ marks: [MapChart.Mark], _ style: MapStyle) {
        let radius = marks.count > Self.smallSymbolThreshold ? 2.0 : 3.4
        var points: [Swatch?: String] = [:]
        var order: [Swatch?] = []
        var cells = [String](repeating: "", count: MapStyle.shades)
        var drawn: Set<String> = []
        for mark in marks {
            switch mark.geometry {
            case .box(let box):
                let (shade, path) = (style.shade(of: mark), path(of: box))
                guard drawn.insert("\(shade)\(path)").inserted else { continue }
                cells[shade] += path
                labels.reserve(projection.point(mark.center))
            case .point(let position):
                let (x, y) = projection.point(position)
                let path = MapSymbol.path(
                    style.symbol(of: mark), x: (2 * x).rounded() / 2, y: (2 * y).rounded() / 2, radius: radius)
                guard drawn.insert(path).inserted else { continue }
                if points[mark.swatch] == nil { order.append(mark.swatch) }
                points[mark.swatch, default: ""] += path
                labels.reserve((x, y))
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

    /// Returns the outlines of a box.
    ///
    /// Each is at least ``smallestCell`` wide and high, so that it is visible.
    private func path(of box: BoundingBox) -> String {
        projection.outlines(of: box).map { points in
            let (xs, ys) = (points.map(\.x), points.map(\.y))
            guard let left = xs.min(), let right = xs.max(), let top = ys.min(), let bottom = ys.max() else {
                return ""
            }
            if right - left >= Self.smallestCell, bottom - top >= Self.smallestCell { return path(through: points) }
            // The center is rounded to half a unit, so that small cells at the same location produce the same path.
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

    /// Draws a name next to a position.
    ///
    /// The layout avoids the edges and earlier names.
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
        let (dots, names) = base.cities(avoiding: labels)
        let background = projection.frame + base.paths + projection.graticule
        return .svg(label, width: width, of: projection.size, background + dots + content + projection.scale + names)
    }
}

extension BoundingBox {
    /// Returns this box, which has all longitudes, extended by the latitudes of another box.
    fileprivate func joined(with other: BoundingBox?) -> BoundingBox {
        guard let other else { return self }
        return BoundingBox(
            west: west, south: min(south, other.south), east: east, north: max(north, other.north)) ?? self
    }
}
