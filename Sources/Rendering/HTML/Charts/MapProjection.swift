import Foundation
import Geo

/// Where on the drawing a position lies.
protocol MapProjection {
    var size: (width: Double, height: Double) { get }
    func point(_ position: Position) -> (x: Double, y: Double)
    /// Whether a line between two positions runs off one edge and in again at the other.
    func isTorn(_ a: Position, _ b: Position) -> Bool
    /// The polygons that a box covers on the drawing. A box that crosses an edge of the map has two.
    func outlines(of box: BoundingBox) -> [[(x: Double, y: Double)]]
    /// Frame, graticule, the names of its lines, and the scale.
    var background: HTML { get }
}

/// Longitude to the right, latitude upwards, both true to scale at the middle latitude (equirectangular).
struct FlatMap: MapProjection {
    static let left = 60.0
    static let top = 6.0
    static let plotWidth = 272.0
    private static let leastMeters = 1000.0
    private static let metersPerDegree = 111_195.0

    /// The window's edges in degrees. From the west on it may go beyond 180.
    let west: Double
    let south: Double
    let width: Double
    let height: Double
    private let cosine: Double

    /// The window shows at least a kilometre, and is at least half as high as it is wide, and at most as high.
    init(around box: BoundingBox) {
        let middle = (box.south + box.north) / 2
        let cosine = Self.cosine(middle)
        let least = Self.leastMeters / Self.metersPerDegree
        var height = max(1.14 * (box.north - box.south), least)
        var width = max(1.14 * box.width, least / cosine)
        width = min(360, max(width, height / cosine))
        height = min(180, max(height, width * cosine / 2))
        south = min(max(middle - height / 2, -90), 90 - height)
        west = width == 360 ? -180 : box.west + box.width / 2 - width / 2
        self.width = width
        self.height = height
        self.cosine = Self.cosine(south + height / 2)
    }

    private init(west: Double, south: Double, width: Double, height: Double) {
        (self.west, self.south, self.width, self.height) = (west, south, width, height)
        cosine = Self.cosine(south + height / 2)
    }

    static let world = FlatMap(west: -180, south: -90, width: 360, height: 180)

    private static func cosine(_ latitude: Double) -> Double { max(0.01, cos(latitude * .pi / 180)) }

    private var plotHeight: Double { min(1.2, height / (width * cosine)) * Self.plotWidth }

    var size: (width: Double, height: Double) { (Self.left + Self.plotWidth + 8, Self.top + plotHeight + 18) }

    private func x(_ longitude: Double) -> Double { Self.left + (longitude - west) / width * Self.plotWidth }

    private func y(_ latitude: Double) -> Double { Self.top + (1 - (latitude - south) / height) * plotHeight }

    func point(_ position: Position) -> (x: Double, y: Double) { (x(unwrapped(position)), y(position.latitude)) }

    /// The longitude as the window counts it.
    private func unwrapped(_ position: Position) -> Double {
        let middle = west + width / 2
        return position.longitude + 360 * ((middle - position.longitude) / 360).rounded()
    }

    func isTorn(_ a: Position, _ b: Position) -> Bool { abs(unwrapped(a) - unwrapped(b)) > 180 }

    func outlines(of box: BoundingBox) -> [[(x: Double, y: Double)]] {
        let (top, bottom) = (y(min(box.north, south + height)), y(max(box.south, south)))
        // The window may start anywhere from -360 to 360, since it may cross the antimeridian.
        return [-360.0, 0, 360].compactMap { turn in
            let (start, end) = (max(box.west + turn, west), min(box.west + box.width + turn, west + width))
            guard start < end || start == end && box.width == 0 else { return nil }
            let (left, right) = (x(start), x(end))
            return [(left, bottom), (right, bottom), (right, top), (left, top)]
        }
    }

    var background: HTML {
        """
        <rect class="frame" x="\(Self.left)" y="\(Self.top)" width="\(Self.plotWidth)" height="\(plotHeight)"/>\
        \(graticule)
        """
    }

    private var graticule: HTML {
        var lines = ""
        var names: HTML = ""
        let (bottom, right) = (Self.top + plotHeight, Self.left + Self.plotWidth)
        var free = 0.0
        let meridians = DegreeSteps(from: west, width: width, most: 5)
        for degrees in meridians.values {
            let x = x(degrees)
            lines +=
                "M\(HTML.decimal(x, decimals: 1)) \(HTML.decimal(Self.top, decimals: 1))V\(HTML.decimal(bottom + 3, decimals: 1))"
            let name = Degrees.longitude(degrees, decimals: meridians.decimals)
            // A name moves inward at the edge. If it then meets the one before, its line remains without a name.
            let half = LabelLayout.width(of: name) / 2
            let center = min(x, size.width - half)
            guard center - half >= free else { continue }
            free = center + half + 3
            names += "<text class=\"mid\" x=\"\(center)\" y=\"\(bottom + 13)\">\(name)</text>"
        }
        let parallels = DegreeSteps(from: south, width: height, most: plotHeight > 200 ? 5 : 4)
        for degrees in parallels.values {
            let y = y(degrees)
            lines +=
                "M\(HTML.decimal(Self.left - 3, decimals: 1)) \(HTML.decimal(y, decimals: 1))H\(HTML.decimal(right, decimals: 1))"
            let name = Degrees.latitude(degrees, decimals: parallels.decimals)
            names += "<text class=\"end\" x=\"\(Self.left - 5)\" y=\"\(y + 3)\">\(name)</text>"
        }
        return "<path class=\"grid\" d=\"\(lines)\"/>\(names)\(scale)"
    }

    /// No scale holds for a whole continent.
    private var scale: HTML {
        guard height < 60, let bar = ScaleBar(at: south + height / 2, degrees: width / 3) else { return "" }
        let (x, y) = (Self.left + 8, Self.top + plotHeight - 8)
        let length = bar.degrees / width * Self.plotWidth
        return """
            <path class="scale" d="M\(x) \(y - 4)v4h\(length)v-4"/>\
            <text class="name" x="\(x + 4)" y="\(y - 4)">\(bar.name)</text>
            """
    }
}

/// The longest round length that a scale bar may have.
struct ScaleBar {
    let meters: Double
    /// The length in degrees of longitude along the parallel.
    let degrees: Double

    /// - Parameter limit: the degrees of longitude that are free for it, along the parallel at `latitude`.
    init?(at latitude: Double, degrees limit: Double) {
        // A geodesic leaves the parallel, but not over so short a stretch.
        let stretch = 1e-4
        guard let a = Position(longitude: 0, latitude: latitude),
            let b = Position(longitude: stretch, latitude: latitude)
        else { return nil }
        let metersPerDegree = Geodesic.distance(from: a, to: b).meters / stretch
        let longest = limit * metersPerDegree
        guard longest >= 1 else { return nil }
        let power = pow(10, floor(log10(longest)))
        meters = ([5, 2, 1].first { $0 * power <= longest } ?? 1) * power
        degrees = meters / metersPerDegree
    }

    var name: String {
        meters < 1000 ? "\(HTML.decimal(meters, decimals: 0)) m" : "\(HTML.decimal(meters / 1000, decimals: 0)) km"
    }
}

/// Round degrees within a range: multiples of a step that cuts it into few parts.
struct DegreeSteps {
    let values: [Double]
    let decimals: Int

    init(from start: Double, width: Double, most: Int) {
        var found: (step: Double, decimals: Int) = (90, 0)
        for (step, decimals) in Self.steps where width / step <= Double(most) { found = (step, decimals) }
        let (first, last) = ((start / found.step).rounded(.up), ((start + width) / found.step).rounded(.down))
        values = first > last ? [] : (Int(first)...Int(last)).map { Double($0) * found.step }
        decimals = found.decimals
    }

    /// From wide to narrow.
    private static let steps: [(Double, Int)] =
        [(90, 0), (60, 0), (45, 0), (30, 0), (15, 0), (10, 0), (5, 0), (2, 0), (1, 0)]
        + (1...5).flatMap { n in [5.0, 2, 1].map { ($0 * pow(10, -Double(n)), n) } }
}
