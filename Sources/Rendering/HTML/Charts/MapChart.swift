import Base
import Geo
import StoreEngine

/// A map with land, borders and a graticule: points colored by a column, or boxes shaded by a number.
///
/// If the geometries are far apart, the chart has a map of the world and a panel for each region. If they are so close
/// together that the base map is too coarse, it has a panel with their surroundings.
struct MapChart: ChartDrawing {
    struct Mark {
        let geometry: FeatureGeometry
        let center: Position
        let swatch: Swatch?
        let shade: Double?
        /// The value of the column `visits`, or `nil` if the rows do not have the column.
        var visits: Int?
    }

    private let geometry: Geometry
    private let color: Column?
    private let shade: Column?
    private let visits: Column?
    private let circle: RenderOptions.Page.Circle?
    private var marks: [Mark] = []
    private var omittedCount = 0

    init(
        _ geometry: Geometry, color: Column?, shade: Column?, visits: Column?, circle: RenderOptions.Page.Circle?
    ) {
        self.geometry = geometry
        self.color = color
        self.visits = visits
        self.circle = circle
        if case .box = geometry { self.shade = shade } else { self.shade = nil }
    }

    /// Returns the first numeric column that is not a side of the boxes.
    static func shade(of shape: ResultShape) -> Column? {
        guard case .box(let west, let south, let east, let north)? = shape.geometry else { return nil }
        return shape.columns.first { column in
            guard ![west, south, east, north].contains(column.index) else { return false }
            return switch column.value {
            case .integer, .number: true
            default: false
            }
        }
    }

    mutating func add(_ row: some Row) {
        guard let drawnGeometry = FeatureGeometry(geometry, of: row), let center = drawnGeometry.center else { return }
        guard marks.count < ChartLimit.points else {
            omittedCount += 1
            return
        }
        marks.append(
            Mark(
                geometry: drawnGeometry, center: center, swatch: color?.text(of: row).flatMap(Swatch.init),
                shade: shade?.number(of: row), visits: visits?.number(of: row).flatMap(Int.init(exactly:))))
    }

    func figure() -> HTML? {
        guard !marks.isEmpty || circle != nil else { return nil }
        let style = MapStyle(marks, shade: shade?.name)
        let regions = circle == nil ? MapRegion.split(marks) : []
        var panels: HTML = ""
        if regions.isEmpty {
            panels = panel(marks, style, caption: nil)
        } else {
            panels += overview(regions, style)
            for region in regions where !region.name.isEmpty {
                panels += panel(region.marks, style, caption: region.caption)
            }
        }
        let unnamed = regions.contains { $0.name.isEmpty }
        let rest: HTML =
            "<p class=\"note\">Only the \(MapRegion.mostNamed) regions with the most locations are enlarged.</p>"
        return """
            <figure class="chart map"><figcaption>Map\(regions.isEmpty ? cityName : "")</figcaption>
            \(style.legend)<div class="multiples">
            \(panels)</div>
            \(unnamed ? rest : "")\(ChartText.note(omittedCount: omittedCount, "location"))</figure>

            """
    }

    /// The name of the city of a map with one panel, after a separator.
    ///
    /// It is empty if the map is far from a city, or so large that the city does not identify it.
    private var cityName: HTML {
        guard let box = extent.box, max(box.width, box.north - box.south) < MapRegion.mostOfCity,
            let center, let name = CityName(nearestTo: center)
        else { return "" }
        return " · \(name.text)"
    }

    private var extent: Extent {
        var extent = Extent()
        for mark in marks { extent.add(mark.geometry) }
        if let circle { extent.add(circle.center) }
        return extent
    }

    /// The center of the circle, or of the box around all marks.
    private var center: Position? { circle?.center ?? extent.box?.center }

    /// Returns one panel.
    ///
    /// A panel without a caption is the only one, and is larger.
    private func panel(_ marks: [Mark], _ style: MapStyle, caption: String?) -> HTML {
        var drawing = MapDrawing(around: marks.map(\.geometry), circle)
        drawing.draw(marks, style)
        if let circle { drawing.draw(circle) }
        let svg = drawing.svg(ChartText.count(marks.count, "location"), width: caption == nil ? 560 : 440)
        let text: HTML = caption.map { "<figcaption>\($0)</figcaption>" } ?? ""
        let rest = caption == nil && !drawing.hasBaseMap ? surroundings : ""
        return "<figure>\(text)\(svg)</figure>\n\(rest)"
    }

    /// A panel of the area within 250 km of the center of the map, which has a cross.
    private var surroundings: HTML {
        guard let center else { return "" }
        var drawing = MapDrawing(around: [.box(.around(center, within: .kilometers(250)))])
        drawing.drawCross(at: center)
        return "<figure><figcaption>Surroundings</figcaption>\(drawing.svg("surroundings", width: 340))</figure>\n"
    }

    private func overview(_ regions: [MapRegion], _ style: MapStyle) -> HTML {
        let all = regions.flatMap(\.marks)
        var drawing = MapDrawing(ofRegionsOf: all.map(\.geometry))
        drawing.draw(all, style)
        for region in regions { drawing.draw(region.name, at: region.marks[0].center) }
        return "<figure><figcaption>All \(ChartText.count(all.count, "location"))</figcaption>"
            + drawing.svg(ChartText.count(all.count, "location"), width: 440) + "</figure>\n"
    }
}

/// A group of marks that are close together and far from all others.
struct MapRegion {
    static let mostNamed = 6
    /// The sizes of squares in degrees, and the width or height of a map that is split into regions of such squares.
    ///
    /// Marks in one square, or in squares that touch, belong to the same region. The first size is used if the named
    /// regions have most of the marks. Otherwise the marks are scattered, and regions are larger.
    private static let scales = [(square: 0.5, wide: 1.5), (square: 4.0, wide: 20.0)]
    /// The least share of the marks in named regions of the first size.
    private static let leastShare = 0.75
    /// Maximum width and height in degrees of a map that is named after a city.
    static let mostOfCity = 2.0

    var name = ""
    var marks: [MapChart.Mark] = []

    /// The name of the region, its nearest city, and the number of visits or locations.
    ///
    /// The coordinates replace the city if it is too far away.
    var caption: String {
        let center = marks[0].center
        let coordinates =
            "\(Degrees.latitude(center.latitude, decimals: 2)) \(Degrees.longitude(center.longitude, decimals: 2))"
        let visits = marks.compactMap(\.visits)
        let count =
            visits.isEmpty
            ? ChartText.count(marks.count, "location") : ChartText.count(visits.reduce(0, &+), "visit")
        return [name, CityName(nearestTo: center)?.text ?? coordinates, count].joined(separator: " · ")
    }

    private struct Square: Hashable {
        var column: Int
        var row: Int

        init(_ position: Position, size: Double) {
            column = Int((position.longitude + 180) / size) % Square.count(size)
            row = Int((position.latitude + 90) / size)
        }

        /// Returns the number of columns of squares around the Earth.
        private static func count(_ size: Double) -> Int { Int(360 / size) }

        func neighbors(size: Double) -> [Square] {
            let count = Square.count(size)
            return [-1, 0, 1].flatMap { dx in
                [-1, 0, 1].map { dy in
                    var square = self
                    square.column = (column + dx + count) % count
                    square.row = row + dy
                    return square
                }
            }
        }
    }

    /// Returns the regions in descending order of their number of marks.
    ///
    /// The first six are named A, B, and so on. The result is empty if all marks are close together, around a pole, or
    /// in one region.
    static func split(_ marks: [MapChart.Mark]) -> [MapRegion] {
        var extent = Extent()
        for mark in marks { extent.add(mark.geometry) }
        guard let box = extent.box, PolarMap(around: box) == nil else { return [] }
        let size = max(box.width, box.north - box.south)
        for scale in scales where size > scale.wide {
            let regions = split(marks, square: scale.square)
            guard regions.count > 1 else { continue }
            let named = regions.prefix(mostNamed).reduce(0) { $0 + $1.marks.count }
            if scale.square == scales[0].square, Double(named) < leastShare * Double(marks.count) { continue }
            return regions
        }
        return []
    }

    /// Returns the regions of squares of a size, named and sorted.
    private static func split(_ marks: [MapChart.Mark], square size: Double) -> [MapRegion] {
        var regionOf: [Square: Int] = [:]
        let taken = Set(marks.map { Square($0.center, size: size) })
        var regions: [MapRegion] = []
        for mark in marks {
            let square = Square(mark.center, size: size)
            if regionOf[square] == nil {
                flood(from: square, over: taken, as: regions.count, size: size, into: &regionOf)
                regions.append(MapRegion())
            }
            regions[regionOf[square] ?? 0].marks.append(mark)
        }
        // Regions of the same size keep their order.
        regions = regions.enumerated()
            .sorted { ($1.element.marks.count, $0.offset) < ($0.element.marks.count, $1.offset) }.map(\.element)
        for (i, letter) in zip(0..<min(mostNamed, regions.count), "ABCDEF") { regions[i].name = String(letter) }
        return regions
    }

    private static func flood(
        from square: Square, over taken: Set<Square>, as region: Int, size: Double, into all: inout [Square: Int]
    ) {
        var open = [square]
        all[square] = region
        while let next = open.popLast() {
            for neighbor in next.neighbors(size: size) where taken.contains(neighbor) && all[neighbor] == nil {
                all[neighbor] = region
                open.append(neighbor)
            }
        }
    }
}

extension FeatureGeometry {
    /// The point itself, or the center of the box.
    var center: Position? {
        switch self {
        case .point(let position): position
        case .box(let box): box.center
        }
    }
}

/// The name of the city nearest to a position, with the distance if the position is outside of the city.
struct CityName {
    /// Distance up to which a position is named after the city.
    private static let inside = Distance.kilometers(30)
    /// Distance from which on no city is named.
    private static let farthest = Distance.kilometers(250)

    /// The text, such as `Lisbon` or `120 km from Lisbon`.
    let text: String

    /// Creates a name, or returns `nil` if no city is within 250 km.
    init?(nearestTo position: Position) {
        guard let (city, distance) = City.nearest(to: position, within: Self.farthest) else { return nil }
        let kilometers = Int((distance.meters / 10_000).rounded()) * 10
        text = distance.meters <= Self.inside.meters ? city.name : "\(kilometers) km from \(city.name)"
    }
}
