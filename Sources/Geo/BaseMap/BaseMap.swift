/// A map of the world that is part of the program: land, borders and large cities, from Natural Earth.
///
/// The program decodes a level when it first draws it, and then keeps it in memory.
package struct BaseMap: Sendable {
    /// The outline of land, or a border.
    package struct Line: Sendable {
        /// The vertices in degrees.
        ///
        /// The last vertex of an outline is its first. No edge crosses the antimeridian: land on both sides of it has
        /// two outlines.
        package let points: [(longitude: Double, latitude: Double)]
        /// The smallest box with all vertices.
        package let box: BoundingBox
    }

    /// The detail of a map.
    package enum Level: String, CaseIterable, Sendable {
        /// For a continent or the world: the lines of a map at about 1:110 million, and the most important cities.
        case coarse
        /// For a country or a city: the lines of a map at about 1:50 million, and all cities.
        case fine

        /// The outlines of land: one encoded line in each line of the text.
        package var encodedLand: String { self == .coarse ? BaseMapData.coarseLand : BaseMapData.fineLand }
        /// The borders of countries on land: one encoded line in each line of the text.
        package var encodedBorders: String { self == .coarse ? BaseMapData.coarseBorders : BaseMapData.fineBorders }
        /// The largest cities, the most important first.
        package var cities: ArraySlice<City> { self == .coarse ? City.all.prefix(60) : City.all[...] }
    }

    /// Units of the encoded coordinates per degree.
    package static let unitsPerDegree = BaseMapData.unitsPerDegree

    /// The outlines of land.
    ///
    /// An outline inside another is the shore of an inland sea, so that the even-odd rule fills the land.
    package let land: [Line]
    /// The borders of countries on land.
    package let borders: [Line]
    /// The largest cities, the most important first.
    package let cities: ArraySlice<City>

    private static let coarse = BaseMap(decoding: .coarse)
    private static let fine = BaseMap(decoding: .fine)

    /// Returns the map of a level.
    package static func level(_ level: Level) -> BaseMap {
        switch level {
        case .coarse: coarse
        case .fine: fine
        }
    }

    private init(decoding level: Level) {
        land = Self.lines(level.encodedLand)
        borders = Self.lines(level.encodedBorders)
        cities = level.cities
    }

    /// Decodes one line of the map from each line of the text.
    ///
    /// `encoded` in `Packaging/base-map/make` describes the encoding.
    private static func lines(_ text: String) -> [Line] {
        let lines = text.utf8.split(separator: UInt8(ascii: "\n"))
        return lines.compactMap { line in Line(encoded: line) }
    }
}

extension BaseMap.Line {
    /// Decodes a line, or returns `nil` if the text is malformed.
    fileprivate init?(encoded text: Substring.UTF8View) {
        guard let points = Self.points(encoded: text) else { return nil }
        guard let box = Self.box(around: points) else { return nil }
        self.points = points
        self.box = box
    }

    /// Decodes the vertices of a line, or returns `nil` if the text is malformed.
    ///
    /// Longitudes and latitudes alternate, as differences from the previous vertex. A number has five bits in each
    /// byte, the lowest first, and a sixth bit that announces more. Its lowest bit is the sign.
    private static func points(encoded text: Substring.UTF8View) -> [(longitude: Double, latitude: Double)]? {
        var points: [(longitude: Double, latitude: Double)] = []
        points.reserveCapacity(text.count / 3)
        let perDegree = Double(BaseMap.unitsPerDegree)
        var longitude = 0
        var latitude = 0
        var number = 0
        var shift = 0
        var isLatitude = false
        for byte in text {
            let firstDigit = byte > UInt8(ascii: "\\") ? 36 : 35
            let digit = Int(byte) - firstDigit
            guard (0..<64).contains(digit), shift < 30 else { return nil }
            number += (digit & 31) << shift
            shift += 5
            let isLastDigit = digit < 32
            guard isLastDigit else { continue }
            let difference = number & 1 == 0 ? number / 2 : -(number + 1) / 2
            if isLatitude {
                latitude += difference
                points.append((Double(longitude) / perDegree, Double(latitude) / perDegree))
            } else {
                longitude += difference
            }
            number = 0
            shift = 0
            isLatitude.toggle()
        }
        guard shift == 0, !isLatitude else { return nil }
        return points
    }

    /// Returns the smallest box with all points, or `nil` if there are no points or one of them is out of range.
    private static func box(around points: [(longitude: Double, latitude: Double)]) -> BoundingBox? {
        guard let first = points.first else { return nil }
        var west = first.longitude
        var south = first.latitude
        var east = first.longitude
        var north = first.latitude
        for point in points {
            west = min(west, point.longitude)
            south = min(south, point.latitude)
            east = max(east, point.longitude)
            north = max(north, point.latitude)
        }
        return BoundingBox(west: west, south: south, east: east, north: north)
    }
}
