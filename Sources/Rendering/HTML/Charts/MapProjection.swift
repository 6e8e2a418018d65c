import Foundation
import Geo

/// A function from positions to points of a drawing.
protocol MapProjection {
    var size: (width: Double, height: Double) { get }
    /// The area of the drawing that is the map.
    var area: ConvexArea { get }
    /// The level of detail of the base map that suits the scale, or `nil` if the scale is too large for its coasts.
    var detail: BaseMap.Level? { get }
    func point(_ position: Position) -> (x: Double, y: Double)
    /// Returns the point for a longitude that may be beyond 180 degrees.
    func point(longitude: Double, latitude: Double) -> (x: Double, y: Double)
    /// Returns the numbers of degrees, multiples of 360, by which a box can be shifted to the east so that it may be
    /// visible.
    func turns(of box: BoundingBox) -> [Double]
    /// Whether the line between two positions leaves the drawing at one edge and continues at the opposite edge.
    func crossesMapEdge(_ a: Position, _ b: Position) -> Bool
    /// Returns the polygons of a box on the drawing. A box that crosses an edge of the map has two.
    func outlines(of box: BoundingBox) -> [[(x: Double, y: Double)]]
    /// The area of the map, without its content.
    var frame: HTML { get }
    /// The graticule with its labels.
    var graticule: HTML { get }
    /// The scale bar; empty for a map without a scale bar.
    var scale: HTML { get }
    /// The start of the baseline and the width of the name of the scale bar; `nil` for a map without a scale bar.
    var scaleName: (x: Double, y: Double, width: Double)? { get }
}

/// A map in the equirectangular projection: longitude to the right, latitude upward.
///
/// Both directions have the same scale at the middle latitude.
struct FlatMap: MapProjection {
    static let left = 60.0
    static let top = 6.0
    static let plotWidth = 266.0
    private static let leastMeters = 1000.0
    /// Width of a window in degrees, from which on the base map is coarse.
    private static let coarseWidth = 30.0
    /// Height of a window in degrees, about 100 km, below which it has no land.
    ///
    /// The coasts are made for a scale of about 1:50 million. In a smaller window, many marks would be at sea.
    private static let leastHeight = 0.9
    /// Margin to the right of the map, for half of a short name of a meridian.
    private static let right = 14.0
    private static let metersPerDegree = 111_195.0

    /// The western edge of the window in degrees.
    ///
    /// The eastern edge, `west` + `width`, may be greater than 180.
    let west: Double
    let south: Double
    let width: Double
    let height: Double
    private let cosine: Double

    /// Creates a map around `box` that is at least one kilometer wide and high.
    ///
    /// Its height is at least half of its width and at most its width.
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

    var size: (width: Double, height: Double) {
        (Self.left + Self.plotWidth + Self.right, Self.top + plotHeight + (scaleBar == nil ? 18 : 33))
    }

    private func x(_ longitude: Double) -> Double { Self.left + (longitude - west) / width * Self.plotWidth }

    private func y(_ latitude: Double) -> Double { Self.top + (1 - (latitude - south) / height) * plotHeight }

    var area: ConvexArea {
        .rectangle(left: Self.left, top: Self.top, width: Self.plotWidth, height: plotHeight)
    }

    var detail: BaseMap.Level? {
        height < Self.leastHeight ? nil : width < Self.coarseWidth ? .fine : .coarse
    }

    func point(_ position: Position) -> (x: Double, y: Double) {
        point(longitude: unwrapped(position), latitude: position.latitude)
    }

    func point(longitude: Double, latitude: Double) -> (x: Double, y: Double) { (x(longitude), y(latitude)) }

    // The window may extend beyond -180 and 180 degrees, because it may cross the antimeridian.
    func turns(of box: BoundingBox) -> [Double] {
        guard box.south <= south + height, box.north >= south else { return [] }
        return [-360.0, 0, 360].filter { box.west + $0 <= west + width && box.west + box.width + $0 >= west }
    }

    /// Returns the longitude, shifted by a multiple of 360 degrees, that is closest to the middle of the window.
    private func unwrapped(_ position: Position) -> Double {
        let middle = west + width / 2
        return position.longitude + 360 * ((middle - position.longitude) / 360).rounded()
    }

    func crossesMapEdge(_ a: Position, _ b: Position) -> Bool { abs(unwrapped(a) - unwrapped(b)) > 180 }

    func outlines(of box: BoundingBox) -> [[(x: Double, y: Double)]] {
        let (top, bottom) = (y(min(box.north, south + height)), y(max(box.south, south)))
        return turns(of: box).compactMap { turn in
            let (start, end) = (max(box.west + turn, west), min(box.west + box.width + turn, west + width))
            // A box that only touches an edge of the map is drawn at the opposite edge.
            guard start < end || box.width == 0 else { return nil }
            let (left, right) = (x(start), x(end))
            return [(left, bottom), (right, bottom), (right, top), (left, top)]
        }
    }

    var frame: HTML {
        "<rect class=\"frame\" x=\"\(Self.left)\" y=\"\(Self.top)\" width=\"\(Self.plotWidth)\" height=\"\(plotHeight)\"/>"
    }

    var graticule: HTML {
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
            // A line has no name if the name would be cut or overlap the preceding name.
            let length = LabelLayout.width(of: name)
            // The names of parallels end to the left of the map. A name at the left edge begins there, so that it
            // overlaps none of them in any font.
            let isAtEdge = x - length / 2 < Self.left - 3
            let start = isAtEdge ? Self.left - 3 : x - length / 2
            guard start >= free, start + length <= size.width else { continue }
            free = start + length + 3
            names +=
                isAtEdge
                ? "<text x=\"\(start)\" y=\"\(bottom + 13)\">\(name)</text>"
                : "<text class=\"mid\" x=\"\(x)\" y=\"\(bottom + 13)\">\(name)</text>"
        }
        let parallels = DegreeSteps(from: south, width: height, most: plotHeight > 200 ? 5 : 4)
        for degrees in parallels.values {
            let y = y(degrees)
            lines +=
                "M\(HTML.decimal(Self.left - 3, decimals: 1)) \(HTML.decimal(y, decimals: 1))H\(HTML.decimal(right, decimals: 1))"
            let name = Degrees.latitude(degrees, decimals: parallels.decimals)
            names += "<text class=\"end\" x=\"\(Self.left - 5)\" y=\"\(y + 3)\">\(name)</text>"
        }
        return "<path class=\"grid\" d=\"\(lines)\"/>\(names)"
    }

    /// The scale bar, which is below the map, so that it covers no marks.
    ///
    /// It is `nil` for a window of 60 degrees or more, because no scale is true for a continent.
    private var scaleBar: ScaleBar? { height < 60 ? ScaleBar(at: south + height / 2, degrees: width / 3) : nil }

    var scaleName: (x: Double, y: Double, width: Double)? {
        scaleBar.map {
            (Self.left + 4, size.height - 7, max(LabelLayout.width(of: $0.name), length(of: $0)))
        }
    }

    private func length(of bar: ScaleBar) -> Double { bar.degrees / width * Self.plotWidth }

    var scale: HTML {
        guard let bar = scaleBar, let name = scaleName else { return "" }
        return """
            <path class="scale" d="M\(name.x - 4) \(name.y)v4h\(length(of: bar))v-4"/>\
            <text class="name" x="\(name.x)" y="\(name.y)">\(bar.name)</text>
            """
    }
}

/// A scale bar with the longest round length that fits: 1, 2 or 5 times a power of ten, in meters.
struct ScaleBar {
    let meters: Double
    /// The length in degrees of longitude along the parallel.
    let degrees: Double

    /// Creates a scale bar.
    ///
    /// The result is `nil` if it would be shorter than one meter.
    ///
    /// - Parameters:
    ///   - latitude: The latitude of the bar, in degrees.
    ///   - limit: The maximum length, in degrees of longitude along the parallel.
    init?(at latitude: Double, degrees limit: Double) {
        // A geodesic deviates from the parallel, but the deviation is negligible over a distance this short.
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

/// Round degrees within a range: multiples of the smallest step that divides the range into at most `most` parts.
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

    /// The steps with their decimals, from wide to narrow.
    private static let steps: [(Double, Int)] =
        [(90, 0), (60, 0), (45, 0), (30, 0), (15, 0), (10, 0), (5, 0), (2, 0), (1, 0)]
        + (1...5).flatMap { n in [5.0, 2, 1].map { ($0 * pow(10, -Double(n)), n) } }
}
