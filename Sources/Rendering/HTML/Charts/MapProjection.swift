import Foundation
import Geo

/// A function from positions to points of a drawing.
protocol MapProjection {
    var size: DrawingSize { get }
    /// The area of the drawing that is the map.
    var area: ConvexArea { get }
    /// The level of detail of the base map that suits the scale, or `nil` if the scale is too large for its coasts.
    var detail: BaseMap.Level? { get }
    func point(_ position: Position) -> DrawingPoint
    /// Returns the point for a longitude that may be beyond 180 degrees.
    func point(longitude: Double, latitude: Double) -> DrawingPoint
    /// Returns the numbers of degrees, multiples of 360, by which a box can be shifted to the east so that it may be
    /// visible.
    func turns(of box: BoundingBox) -> [Double]
    /// Whether the line between two positions leaves the drawing at one edge and continues at the opposite edge.
    func crossesMapEdge(_ a: Position, _ b: Position) -> Bool
    /// Returns the polygons of a box on the drawing. A box that crosses an edge of the map has two.
    func outlines(of box: BoundingBox) -> [[DrawingPoint]]
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
        let leastHeight = max(1.14 * (box.north - box.south), least)
        let leastWidth = max(1.14 * box.width, least / cosine)
        let width = min(360, max(leastWidth, leastHeight / cosine))
        let height = min(180, max(leastHeight, width * cosine / 2))
        let centeredSouth = middle - height / 2
        let centeredWest = box.west + box.width / 2 - width / 2
        south = min(max(centeredSouth, -90), 90 - height)
        west = width == 360 ? -180 : centeredWest
        self.width = width
        self.height = height
        self.cosine = Self.cosine(south + height / 2)
    }

    private init(west: Double, south: Double, width: Double, height: Double) {
        self.west = west
        self.south = south
        self.width = width
        self.height = height
        cosine = Self.cosine(south + height / 2)
    }

    static let world = FlatMap(west: -180, south: -90, width: 360, height: 180)

    private static func cosine(_ latitude: Double) -> Double {
        let radians = latitude * .pi / 180
        return max(0.01, cos(radians))
    }

    private var plotHeight: Double {
        let ratio = height / (width * cosine)
        return min(1.2, ratio) * Self.plotWidth
    }

    var size: DrawingSize {
        let width = Self.left + Self.plotWidth + Self.right
        let margin = scaleBar == nil ? 18.0 : 33
        return (width, Self.top + plotHeight + margin)
    }

    private func x(_ longitude: Double) -> Double {
        let share = (longitude - west) / width
        return Self.left + share * Self.plotWidth
    }

    private func y(_ latitude: Double) -> Double {
        let share = 1 - (latitude - south) / height
        return Self.top + share * plotHeight
    }

    var area: ConvexArea {
        .rectangle(left: Self.left, top: Self.top, width: Self.plotWidth, height: plotHeight)
    }

    var detail: BaseMap.Level? {
        if height < Self.leastHeight { return nil }
        return width < Self.coarseWidth ? .fine : .coarse
    }

    func point(_ position: Position) -> DrawingPoint {
        point(longitude: unwrapped(position), latitude: position.latitude)
    }

    func point(longitude: Double, latitude: Double) -> DrawingPoint { (x(longitude), y(latitude)) }

    private var north: Double { south + height }
    /// The eastern edge of the window in degrees, which may be greater than 180.
    private var east: Double { west + width }

    // The window may extend beyond -180 and 180 degrees, because it may cross the antimeridian.
    func turns(of box: BoundingBox) -> [Double] {
        guard box.south <= north, box.north >= south else { return [] }
        return [-360.0, 0, 360].filter { turn in
            let start = box.west + turn
            let end = box.west + box.width + turn
            return start <= east && end >= west
        }
    }

    /// Returns the longitude, shifted by a multiple of 360 degrees, that is closest to the middle of the window.
    private func unwrapped(_ position: Position) -> Double {
        let middle = west + width / 2
        let turns = ((middle - position.longitude) / 360).rounded()
        return position.longitude + 360 * turns
    }

    func crossesMapEdge(_ a: Position, _ b: Position) -> Bool {
        abs(unwrapped(a) - unwrapped(b)) > 180
    }

    func outlines(of box: BoundingBox) -> [[DrawingPoint]] {
        let top = y(min(box.north, north))
        let bottom = y(max(box.south, south))
        return turns(of: box).compactMap { turn in
            let start = max(box.west + turn, west)
            let end = min(box.west + box.width + turn, east)
            // A box that only touches an edge of the map is drawn at the opposite edge.
            guard start < end || box.width == 0 else { return nil }
            let left = x(start)
            let right = x(end)
            return [(left, bottom), (right, bottom), (right, top), (left, top)]
        }
    }

    var frame: HTML {
        "<rect class=\"frame\" x=\"\(Self.left)\" y=\"\(Self.top)\" width=\"\(Self.plotWidth)\" height=\"\(plotHeight)\"/>"
    }

    var graticule: HTML {
        let meridians = DegreeSteps(from: west, width: width, most: 5)
        let parallels = DegreeSteps(from: south, width: height, most: plotHeight > 200 ? 5 : 4)
        let lines = meridians.values.map(meridian) + parallels.values.map(parallel)
        let names = names(ofMeridians: meridians) + names(ofParallels: parallels)
        return "<path class=\"grid\" d=\"\(lines.joined())\"/>\(names)"
    }

    private var plotBottom: Double { Self.top + plotHeight }

    /// Returns the line of a meridian, which ends below the map.
    private func meridian(_ longitude: Double) -> String {
        let start = PathData.command("M", to: (x(longitude), Self.top))
        let end = PathData.number(plotBottom + 3)
        return "\(start)V\(end)"
    }

    /// Returns the line of a parallel, which begins to the left of the map.
    private func parallel(_ latitude: Double) -> String {
        let start = PathData.command("M", to: (Self.left - 3, y(latitude)))
        let end = PathData.number(Self.left + Self.plotWidth)
        return "\(start)H\(end)"
    }

    /// Returns the names of meridians.
    ///
    /// A meridian has no name if the name would be cut or overlap the preceding name.
    private func names(ofMeridians meridians: DegreeSteps) -> HTML {
        // The names of parallels end to the left of the map. A name at the left edge begins there, so that it overlaps
        // none of them in any font.
        let leftmost = Self.left - 3
        let baseline = plotBottom + 13
        let end = size.width
        var names: HTML = ""
        var free = 0.0
        for degrees in meridians.values {
            let name = Degrees.longitude(degrees, decimals: meridians.decimals)
            let length = LabelLayout.width(of: name)
            let x = x(degrees)
            let isAtEdge = x - length / 2 < leftmost
            let start = isAtEdge ? leftmost : x - length / 2
            guard start >= free, start + length <= end else { continue }
            free = start + length + 3
            if isAtEdge {
                names += "<text x=\"\(start)\" y=\"\(baseline)\">\(name)</text>"
            } else {
                names += "<text class=\"mid\" x=\"\(x)\" y=\"\(baseline)\">\(name)</text>"
            }
        }
        return names
    }

    private func names(ofParallels parallels: DegreeSteps) -> HTML {
        var names: HTML = ""
        for degrees in parallels.values {
            let name = Degrees.latitude(degrees, decimals: parallels.decimals)
            names += "<text class=\"end\" x=\"\(Self.left - 5)\" y=\"\(y(degrees) + 3)\">\(name)</text>"
        }
        return names
    }

    /// The scale bar, which is below the map, so that it covers no marks.
    ///
    /// It is `nil` for a window of 60 degrees or more, because no scale is true for a continent.
    private var scaleBar: ScaleBar? {
        guard height < 60 else { return nil }
        return ScaleBar(at: south + height / 2, degrees: width / 3)
    }

    var scaleName: (x: Double, y: Double, width: Double)? {
        guard let bar = scaleBar else { return nil }
        let width = max(LabelLayout.width(of: bar.name), length(of: bar))
        return (Self.left + 4, size.height - 7, width)
    }

    private func length(of bar: ScaleBar) -> Double {
        bar.degrees / width * Self.plotWidth
    }

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
        let digit = [5, 2, 1].first { $0 * power <= longest }
        meters = (digit ?? 1) * power
        degrees = meters / metersPerDegree
    }

    var name: String {
        if meters < 1000 {
            return "\(HTML.decimal(meters, decimals: 0)) m"
        }
        return "\(HTML.decimal(meters / 1000, decimals: 0)) km"
    }
}

/// Round degrees within a range: multiples of the smallest step that divides the range into at most `most` parts.
struct DegreeSteps {
    let values: [Double]
    let decimals: Int

    init(from start: Double, width: Double, most: Int) {
        let narrowest = Self.steps.last { width / $0.degrees <= Double(most) }
        let step = narrowest ?? Step(degrees: 90, decimals: 0)
        decimals = step.decimals
        let first = (start / step.degrees).rounded(.up)
        let last = ((start + width) / step.degrees).rounded(.down)
        if first > last {
            values = []
        } else {
            values = (Int(first)...Int(last)).map { Double($0) * step.degrees }
        }
    }

    private struct Step {
        let degrees: Double
        let decimals: Int
    }

    /// The steps from wide to narrow.
    private static let steps = wholeSteps + decimalSteps

    private static let wholeSteps = [90.0, 60, 45, 30, 15, 10, 5, 2, 1].map { degrees in
        Step(degrees: degrees, decimals: 0)
    }

    private static let decimalSteps = (1...5).flatMap { decimals in
        [5.0, 2, 1].map { digit in
            Step(degrees: digit * pow(10, -Double(decimals)), decimals: decimals)
        }
    }
}
