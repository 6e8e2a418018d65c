import Foundation
import Geo

/// A map of the area around a pole, in the azimuthal equidistant projection.
///
/// Distances from the pole are true. The meridian of Greenwich points downward.
struct PolarMap: MapProjection {
    private static let center = (x: 170.0, y: 144.0)
    private static let radius = 118.0

    private let isNorth: Bool
    /// The distance from the pole to the rim, in degrees.
    private let reach: Double

    /// Creates a map around `box`.
    ///
    /// The result is `nil` if a `FlatMap` is more suitable. A polar map is suitable for a box beyond 60 degrees of
    /// latitude that is wider than 180 degrees, and for a box beyond 89 degrees.
    init?(around box: BoundingBox) {
        let nearest = min(abs(box.south), abs(box.north))
        guard box.south * box.north > 0, nearest >= 60, box.width > 180 || nearest > 89 else { return nil }
        isNorth = box.south > 0
        reach = max(1.1 * (90 - nearest), 0.01)
    }

    var size: (width: Double, height: Double) { (340, 288) }

    func point(_ position: Position) -> (x: Double, y: Double) {
        point(longitude: position.longitude, latitude: position.latitude)
    }

    func point(longitude: Double, latitude: Double) -> (x: Double, y: Double) {
        let distance = (90 - abs(latitude)) / reach * Self.radius
        let angle = longitude * .pi / 180
        return (
            Self.center.x + distance * sin(angle), Self.center.y + distance * cos(angle) * (isNorth ? 1 : -1)
        )
    }

    /// A polygon with 72 corners instead of a circle.
    var area: ConvexArea {
        ConvexArea(
            (0..<72).map { i in
                let angle = Double(i) * .pi / 36
                return (Self.center.x + Self.radius * cos(angle), Self.center.y + Self.radius * sin(angle))
            })
    }

    var scaleName: (x: Double, y: Double, width: Double)? { nil }
    var scale: HTML { "" }

    var detail: BaseMap.Level? { reach < 15 ? .fine : .coarse }

    func turns(of box: BoundingBox) -> [Double] {
        (isNorth ? box.north >= 90 - reach : box.south <= reach - 90) ? [0] : []
    }

    /// The parallels are polylines with steps of at most 5 degrees.
    func outlines(of box: BoundingBox) -> [[(x: Double, y: Double)]] {
        let steps = max(1, Int((box.width / 5).rounded(.up)))
        let meridians = (0...steps).map { box.west + box.width * Double($0) / Double(steps) }
        let south = meridians.map { point(longitude: $0, latitude: box.south) }
        return [south + meridians.reversed().map { point(longitude: $0, latitude: box.north) }]
    }

    func crossesMapEdge(_ a: Position, _ b: Position) -> Bool { false }

    var frame: HTML {
        "<circle class=\"frame\" cx=\"\(Self.center.x)\" cy=\"\(Self.center.y)\" r=\"\(Self.radius)\"/>"
    }

    var graticule: HTML {
        let (x, y) = Self.center
        var html: HTML = ""
        for longitude in stride(from: -135.0, through: 180, by: 45) {
            let end = point(longitude: longitude, latitude: 90 - reach)
            let name = point(longitude: longitude, latitude: 90 - reach * 1.09)
            html += "<path class=\"grid\" d=\"M\(x) \(y)L\(end.x) \(end.y)\"/>"
            let anchor = abs(name.x - x) < 5 ? "mid" : name.x < x ? "end" : ""
            let text = Degrees.longitude(longitude, decimals: 0)
            html += "<text class=\"\(anchor)\" x=\"\(name.x)\" y=\"\(name.y + 3)\">\(text)</text>"
        }
        let parallels = DegreeSteps(from: 0, width: reach, most: 4)
        for colatitude in parallels.values where colatitude > 0 {
            let latitude = (90 - colatitude) * (isNorth ? 1 : -1)
            let name = point(longitude: 22.5, latitude: latitude)
            let text = Degrees.latitude(latitude, decimals: parallels.decimals)
            html += "<circle class=\"grid\" cx=\"\(x)\" cy=\"\(y)\" r=\"\(colatitude / reach * Self.radius)\"/>"
            html += "<text class=\"mid\" x=\"\(name.x)\" y=\"\(name.y + 3)\">\(text)</text>"
        }
        return html
    }
}
