import Base
import Geo

/// A map of points as a drawing without a script, like the maps of reports.
///
/// ```swift
/// var map = StaticMap()
/// map.add(position, status: "On track")
/// page += map.figure ?? ""
/// ```
package struct StaticMap {
    private var chart = MapChart()
    /// The number of points.
    package private(set) var count = 0

    /// Creates a map without points.
    package init() {}

    /// Adds a point.
    ///
    /// - Parameters:
    ///   - position: The position of the point.
    ///   - status: The word of the status that determines the color and the symbol, or `nil`. Any other word is ignored.
    package mutating func add(_ position: Position, status: String?) {
        let word = status.flatMap(StatusWord.init(rawValue:))
        let mark = MapChart.Mark(
            geometry: .point(position),
            center: position,
            swatch: word.flatMap { word in Swatch(word.color) },
            shade: nil)
        count += 1
        chart.add(mark)
    }

    /// The drawing with its legend, or `nil` for a map without points.
    ///
    /// Points that are far apart have a panel for each region. The cost is linear in the number of points.
    package var figure: HTML? { chart.figure() }
}

extension HTML {
    /// Returns a position as its latitude and longitude in degrees, with five decimals (about one meter).
    package static func coordinates(of position: Position) -> HTML {
        let latitude = Degrees.latitude(position.latitude, decimals: 5)
        let longitude = Degrees.longitude(position.longitude, decimals: 5)
        return "\(latitude), \(longitude)"
    }
}
