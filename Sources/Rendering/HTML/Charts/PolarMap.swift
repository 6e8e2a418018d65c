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
        let isInOneHemisphere = box.south * box.north > 0
        let surroundsPole = box.width > 180 || nearest > 89
        guard isInOneHemisphere, nearest >= 60, surroundsPole else { return nil }
        isNorth = box.south > 0
        reach = max(1.1 * (90 - nearest), 0.01)
    }

    var size: DrawingSize { (340, 288) }

    func point(_ position: Position) -> DrawingPoint {
        point(longitude: position.longitude, latitude: position.latitude)
    }

    func point(longitude: Double, latitude: Double) -> DrawingPoint {
        let distance = (90 - abs(latitude)) / reach * Self.radius
        let angle = longitude * .pi / 180
        let direction = isNorth ? 1.0 : -1
        let x = Self.center.x + distance * sin(angle)
        let y = Self.center.y + distance * cos(angle) * direction
        return (x, y)
    }

    /// A polygon with 72 corners instead of a circle.
    var area: ConvexArea {
        let corners = (0..<72).map { i in
            let angle = Double(i) * .pi / 36
            let x = Self.center.x + Self.radius * cos(angle)
            let y = Self.center.y + Self.radius * sin(angle)
            return (x, y)
        }
        return ConvexArea(corners)
    }

    var scaleName: (x: Double, y: Double, width: Double)? { nil }
    var scale: HTML { "" }

    var detail: BaseMap.Level? { reach < 15 ? .fine : .coarse }

    func turns(of box: BoundingBox) -> [Double] {
        let isVisible = isNorth ? box.north >= 90 - reach : box.south <= reach - 90
        return isVisible ? [0] : []
    }

    /// The parallels are polylines with steps of at most 5 degrees.
    func outlines(of box: BoundingBox) -> [[DrawingPoint]] {
        let steps = max(1, Int((box.width / 5).rounded(.up)))
        let meridians = (0...steps).map { box.west + box.width * Double($0) / Double(steps) }
        let south = meridians.map { point(longitude: $0, latitude: box.south) }
        let north = meridians.reversed().map { point(longitude: $0, latitude: box.north) }
        return [south + north]
    }

    func crossesMapEdge(_ a: Position, _ b: Position) -> Bool { false }

    var frame: HTML {
        "<circle class=\"frame\" cx=\"\(Self.center.x)\" cy=\"\(Self.center.y)\" r=\"\(Self.radius)\"/>"
    }

    var graticule: HTML { meridians + parallels }

    private var meridians: HTML {
        let center = Self.center
        var html: HTML = ""
        for longitude in stride(from: -135.0, through: 180, by: 45) {
            let end = point(longitude: longitude, latitude: 90 - reach)
            html += "<path class=\"grid\" d=\"M\(center.x) \(center.y)L\(end.x) \(end.y)\"/>"
            let name = point(longitude: longitude, latitude: 90 - reach * 1.09)
            let text = Degrees.longitude(longitude, decimals: 0)
            html += "<text class=\"\(anchor(at: name))\" x=\"\(name.x)\" y=\"\(name.y + 3)\">\(text)</text>"
        }
        return html
    }

    /// Returns the class of a name outside of the rim, which ends or begins at its point.
    private func anchor(at point: DrawingPoint) -> String {
        let offset = point.x - Self.center.x
        if abs(offset) < 5 { return "mid" }
        return offset < 0 ? "end" : ""
    }

    private var parallels: HTML {
        let center = Self.center
        let steps = DegreeSteps(from: 0, width: reach, most: 4)
        var html: HTML = ""
        for colatitude in steps.values where colatitude > 0 {
            let radius = colatitude / reach * Self.radius
            html += "<circle class=\"grid\" cx=\"\(center.x)\" cy=\"\(center.y)\" r=\"\(radius)\"/>"
            let latitude = isNorth ? 90 - colatitude : colatitude - 90
            let name = point(longitude: 22.5, latitude: latitude)
            let text = Degrees.latitude(latitude, decimals: steps.decimals)
            html += "<text class=\"mid\" x=\"\(name.x)\" y=\"\(name.y + 3)\">\(text)</text>"
        }
        return html
    }
}
