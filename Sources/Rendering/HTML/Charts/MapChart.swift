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
    private let circle: RenderOptions.PageContent.Circle?
    private var marks: [Mark] = []
    private var omittedCount = 0

    init(
        _ geometry: Geometry,
        color: Column?,
        shade: Column?,
        visits: Column?,
        circle: RenderOptions.PageContent.Circle?
    ) {
        self.geometry = geometry
        self.color = color
        self.visits = visits
        self.circle = circle
        if case .box = geometry { self.shade = shade } else { self.shade = nil }
    }

    /// Creates a map whose marks are added without rows.
    init() {
        self.init(.point(0), color: nil, shade: nil, visits: nil, circle: nil)
    }

    /// Returns the first numeric column that is not a side of the boxes.
    static func shade(of shape: ResultShape) -> Column? {
        guard case .box(let west, let south, let east, let north)? = shape.geometry else { return nil }
        let sides = [west, south, east, north]
        return shape.columns.first { column in
            guard !sides.contains(column.index) else { return false }
            return switch column.value {
            case .integer, .number: true
            default: false
            }
        }
    }

    mutating func add(_ row: some Row) {
        guard let drawnGeometry = FeatureGeometry(geometry, of: row),
            let center = drawnGeometry.center
        else { return }
        let mark = Mark(
            geometry: drawnGeometry,
            center: center,
            swatch: color?.text(of: row).flatMap(Swatch.init),
            shade: shade?.number(of: row),
            visits: visits?.number(of: row).flatMap(Int.init(exactly:)))
        add(mark)
    }

    /// Adds a mark, unless the map has the maximum number of marks.
    mutating func add(_ mark: Mark) {
        guard marks.count < ChartLimit.points else {
            omittedCount += 1
            return
        }
        marks.append(mark)
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
        let rest: HTML = "<p class=\"note\">\(HTMLText.Map.enlarged(MapRegion.mostNamed))</p>"
        return """
            <figure class="chart map"><figcaption>\(HTMLText.Map.title)\(regions.isEmpty ? cityName : "")</figcaption>
            \(style.legend)<div class="multiples">
            \(panels)</div>
            \(unnamed ? rest : "")\(ChartText.note(omittedCount: omittedCount, HTMLText.Map.locations))</figure>

            """
    }

    /// The name of the city of a map with one panel, after a separator.
    ///
    /// It is empty if the map is far from a city, or so large that the city does not identify it.
    private var cityName: HTML {
        guard let box = extent.box,
            box.longestSide < MapRegion.mostOfCity,
            let center,
            let name = CityName(nearestTo: center)
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
        let label = HTMLText.Map.locations(marks.count)
        if let caption {
            let svg = drawing.svg(label, width: 440)
            return "<figure><figcaption>\(caption)</figcaption>\(svg)</figure>\n"
        }
        let svg = drawing.svg(label, width: 560)
        let rest = drawing.hasBaseMap ? "" : surroundings
        return "<figure>\(svg)</figure>\n\(rest)"
    }

    /// A panel of the area within 250 km of the center of the map, which has a cross.
    private var surroundings: HTML {
        guard let center else { return "" }
        let box = BoundingBox.around(center, within: .kilometers(250))
        var drawing = MapDrawing(around: [.box(box)])
        drawing.drawCross(at: center)
        let svg = drawing.svg(HTMLText.Map.surroundingsLabel, width: 340)
        return "<figure><figcaption>\(HTMLText.Map.surroundings)</figcaption>\(svg)</figure>\n"
    }

    private func overview(_ regions: [MapRegion], _ style: MapStyle) -> HTML {
        let all = regions.flatMap(\.marks)
        var drawing = MapDrawing(ofRegionsOf: all.map(\.geometry))
        drawing.draw(all, style)
        for region in regions {
            drawing.draw(region.name, at: region.marks[0].center)
        }
        let label = HTMLText.Map.locations(all.count)
        let svg = drawing.svg(label, width: 440)
        return "<figure><figcaption>\(HTMLText.Map.all(label))</figcaption>\(svg)</figure>\n"
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
        let parts = [name, place, count]
        return parts.joined(separator: " · ")
    }

    /// The nearest city, or coordinates.
    private var place: String {
        let center = marks[0].center
        if let city = CityName(nearestTo: center) { return city.text }
        let latitude = Degrees.latitude(center.latitude, decimals: 2)
        let longitude = Degrees.longitude(center.longitude, decimals: 2)
        return "\(latitude) \(longitude)"
    }

    /// The number of visits, or of locations if the rows have no visits.
    private var count: String {
        let visits = marks.compactMap(\.visits)
        if visits.isEmpty { return HTMLText.Map.locations(marks.count) }
        let sum = visits.reduce(0, &+)
        return HTMLText.Map.visits(sum)
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
        for scale in scales where box.longestSide > scale.wide {
            let regions = split(marks, square: scale.square)
            guard regions.count > 1 else { continue }
            let named = regions.prefix(mostNamed).reduce(0) { sum, region in
                sum + region.marks.count
            }
            let areScattered = Double(named) < leastShare * Double(marks.count)
            if scale.square == scales[0].square, areScattered { continue }
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
        return named(sorted(regions))
    }

    /// Returns the regions in descending order of their number of marks.
    ///
    /// Regions of the same size keep their order.
    private static func sorted(_ regions: [MapRegion]) -> [MapRegion] {
        let sorted = regions.enumerated().sorted { one, other in
            let count = one.element.marks.count
            let otherCount = other.element.marks.count
            return count == otherCount ? one.offset < other.offset : count > otherCount
        }
        return sorted.map(\.element)
    }

    /// Returns the regions with letters as the names of the first ones.
    private static func named(_ regions: [MapRegion]) -> [MapRegion] {
        var regions = regions
        let named = 0..<min(mostNamed, regions.count)
        for (i, letter) in zip(named, "ABCDEF") {
            regions[i].name = String(letter)
        }
        return regions
    }

    private static func flood(
        from square: Square,
        over taken: Set<Square>,
        as region: Int,
        size: Double,
        into all: inout [Square: Int]
    ) {
        var open = [square]
        all[square] = region
        while let next = open.popLast() {
            for neighbor in next.neighbors(size: size) {
                guard taken.contains(neighbor), all[neighbor] == nil else { continue }
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
        if distance.meters <= Self.inside.meters {
            text = city.name
        } else {
            let kilometers = Int((distance.meters / 10_000).rounded()) * 10
            text = HTMLText.Map.distance(kilometers, from: city.name)
        }
    }
}
