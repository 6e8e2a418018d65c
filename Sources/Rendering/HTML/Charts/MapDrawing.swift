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
    init(around geometries: [FeatureGeometry], _ circle: RenderOptions.PageContent.Circle? = nil) {
        var extent = Extent()
        for geometry in geometries { extent.add(geometry) }
        guard let circle else {
            self.init(projecting: extent.box)
            return
        }
        for position in Self.outline(circle) { extent.add(position) }
        let cap = Self.cap(circle)
        self.init(projecting: cap?.joined(with: extent.box) ?? extent.box)
    }

    /// Creates a drawing for geometries that are far apart.
    ///
    /// It shows the complete world if they are very far apart.
    init(ofRegionsOf geometries: [FeatureGeometry]) {
        var extent = Extent()
        for geometry in geometries { extent.add(geometry) }
        guard let box = extent.box, box.width <= 90, box.north - box.south <= 60 else {
            self.init(projecting: nil)
            return
        }
        self.init(projecting: box)
    }

    /// Creates a drawing of `box`, or of the world if `box` is `nil`.
    private init(projecting box: BoundingBox?) {
        self.box = box
        projection = Self.projection(of: box)
        base = BaseMapDrawing(projection)
        labels = LabelLayout(size: projection.size)
        if let name = projection.scaleName {
            labels.reserve(left: name.x, baseline: name.y, width: name.width)
        }
    }

    private static func projection(of box: BoundingBox?) -> any MapProjection {
        guard let box else { return FlatMap.world }
        return PolarMap(around: box) ?? FlatMap(around: box)
    }

    /// Returns positions at the geodesic radius from the center of a circle.
    ///
    /// The last position equals the first.
    static func outline(_ circle: RenderOptions.PageContent.Circle) -> [Position] {
        (0...circlePoints).map { i in
            let azimuth = Double(i % circlePoints) * 360 / Double(circlePoints)
            return Geodesic.destination(from: circle.center, azimuth: azimuth, distance: circle.radius)
        }
    }

    /// Returns a box with all longitudes if the circle contains a pole, otherwise `nil`.
    private static func cap(_ circle: RenderOptions.PageContent.Circle) -> BoundingBox? {
        let box = BoundingBox.around(circle.center, within: circle.radius)
        return box.width >= 360 ? box : nil
    }

    mutating func draw(_ circle: RenderOptions.PageContent.Circle) {
        let positions = Self.outline(circle)
        var path = ""
        for (i, position) in positions.enumerated() {
            let isStart = i == 0 || projection.crossesMapEdge(positions[i - 1], position)
            path += PathData.command(isStart ? "M" : "L", to: projection.point(position))
        }
        content += "<path class=\"circle\" d=\"\(path)\"/>"
        drawCross(at: circle.center)
    }

    mutating func drawCross(at position: Position) {
        let point = projection.point(position)
        let left = point.x - 5
        let top = point.y - 5
        content += "<path class=\"center\" d=\"M\(left) \(point.y)h10M\(point.x) \(top)v10\"/>"
        labels.reserve(point)
    }

    /// Whether the drawing has land and borders, for which its scale may be too large.
    var hasBaseMap: Bool { projection.detail != nil }

    /// Draws marks, with one path for each color.
    ///
    /// Marks that would cover each other exactly are drawn once.
    mutating func draw(_ marks: [MapChart.Mark], _ style: MapStyle) {
        let radius = marks.count > Self.smallSymbolThreshold ? 2.0 : 3.4
        var paths = MarkPaths()
        for mark in marks {
            switch mark.geometry {
            case .box(let box):
                let path = path(of: box)
                guard paths.addCell(path, shade: style.shade(of: mark)) else { continue }
                labels.reserve(projection.point(mark.center))
            case .point(let position):
                let point = projection.point(position)
                let x = (2 * point.x).rounded() / 2
                let y = (2 * point.y).rounded() / 2
                let path = style.symbol(of: mark).path(x: x, y: y, radius: radius)
                guard paths.addSymbol(path, swatch: mark.swatch) else { continue }
                labels.reserve(point)
            }
        }
        content += paths.html(style)
    }

    /// The different paths of marks, collected by shade and by color.
    private struct MarkPaths {
        private var cells = [String](repeating: "", count: MapStyle.shades)
        private var symbols: [Swatch?: String] = [:]
        /// The colors of the symbols in the order of the marks.
        private var swatches: [Swatch?] = []
        private var added: Set<String> = []

        init() {}

        /// Adds the path of a box, and returns whether no earlier box has the same path and shade.
        mutating func addCell(_ path: String, shade: Int) -> Bool {
            guard added.insert("\(shade)\(path)").inserted else { return false }
            cells[shade] += path
            return true
        }

        /// Adds the path of a symbol, and returns whether no earlier symbol has the same path.
        mutating func addSymbol(_ path: String, swatch: Swatch?) -> Bool {
            guard added.insert(path).inserted else { return false }
            if symbols[swatch] == nil { swatches.append(swatch) }
            symbols[swatch, default: ""] += path
            return true
        }

        func html(_ style: MapStyle) -> HTML {
            var html: HTML = ""
            for (shade, path) in cells.enumerated() where !path.isEmpty {
                html += "<path class=\"cell\" fill-opacity=\"\(style.opacity(of: shade))\" d=\"\(path)\"/>"
            }
            for swatch in swatches {
                let attributes = swatch?.attributes(also: "point") ?? "class=\"point\""
                html += "<path \(attributes) d=\"\(symbols[swatch] ?? "")\"/>"
            }
            return html
        }
    }

    /// Returns the outlines of a box.
    private func path(of box: BoundingBox) -> String {
        let outlines = projection.outlines(of: box)
        return outlines.map(Self.path(ofCell:)).joined()
    }

    /// Returns the outline of a polygon, or of a rectangle if the polygon is less than ``smallestCell`` wide or high.
    ///
    /// The rectangle is large enough to be visible.
    private static func path(ofCell points: [DrawingPoint]) -> String {
        let xs = points.map(\.x)
        let ys = points.map(\.y)
        guard let left = xs.min(),
            let right = xs.max(),
            let top = ys.min(),
            let bottom = ys.max()
        else { return "" }
        let width = right - left
        let height = bottom - top
        if width >= smallestCell, height >= smallestCell {
            return PathData.polyline(through: points) + "z"
        }
        // The center is rounded to half a unit, so that small cells at the same location produce the same path.
        let x = (left + right).rounded() / 2
        let y = (top + bottom).rounded() / 2
        let dx = max(width, smallestCell) / 2
        let dy = max(height, smallestCell) / 2
        let corners = [
            (x - dx, y + dy),
            (x + dx, y + dy),
            (x + dx, y - dy),
            (x - dx, y - dy),
        ]
        return PathData.polyline(through: corners) + "z"
    }

    /// Draws a name next to a position.
    ///
    /// The layout avoids the edges and earlier names.
    mutating func draw(_ name: String, at position: Position) {
        guard !name.isEmpty else { return }
        let start = labels.place(name, nextTo: projection.point(position))
        content += "<text class=\"name\" x=\"\(start.x)\" y=\"\(start.y)\">\(name)</text>"
    }

    func svg(_ what: String, width: Double) -> HTML {
        var label = HTMLText.Map.label(what)
        if let box {
            label += ": \(Self.text(of: box))"
        }
        let cities = base.cities(avoiding: labels)
        let background = projection.frame + base.paths + projection.graticule + cities.dots
        let foreground = projection.scale + cities.names
        return .svg(label, width: width, of: projection.size, background + content + foreground)
    }

    private static func text(of box: BoundingBox) -> String {
        let south = Degrees.latitude(box.south, decimals: 2)
        let north = Degrees.latitude(box.north, decimals: 2)
        let west = Degrees.longitude(box.west, decimals: 2)
        let east = Degrees.longitude(box.east, decimals: 2)
        let latitudes = HTMLText.Map.range(from: south, to: north)
        let longitudes = HTMLText.Map.range(from: west, to: east)
        return "\(latitudes), \(longitudes)"
    }
}

extension BoundingBox {
    /// Returns this box, which has all longitudes, extended by the latitudes of another box.
    fileprivate func joined(with other: BoundingBox?) -> BoundingBox {
        guard let other else { return self }
        let south = min(south, other.south)
        let north = max(north, other.north)
        return BoundingBox(west: west, south: south, east: east, north: north) ?? self
    }
}
