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
        text.utf8.split(separator: UInt8(ascii: "\n")).compactMap { Line(encoded: $0) }
    }
}

extension BaseMap.Line {
    /// Decodes a line, or returns `nil` if the text is malformed.
    fileprivate init?(encoded text: Substring.UTF8View) {
        var points: [(longitude: Double, latitude: Double)] = []
        points.reserveCapacity(text.count / 3)
        var (longitude, latitude) = (0, 0)
        var (number, shift, isLatitude) = (0, 0, false)
        for byte in text {
            let digit = Int(byte) - (byte > UInt8(ascii: "\\") ? 36 : 35)
            guard (0..<64).contains(digit), shift < 30 else { return nil }
            number += (digit & 31) << shift
            shift += 5
            guard digit < 32 else { continue }
            let difference = number & 1 == 0 ? number / 2 : -(number + 1) / 2
            if isLatitude {
                latitude += difference
                let perDegree = Double(BaseMap.unitsPerDegree)
                points.append((Double(longitude) / perDegree, Double(latitude) / perDegree))
            } else {
                longitude += difference
            }
            (number, shift, isLatitude) = (0, 0, !isLatitude)
        }
        guard shift == 0, !isLatitude, let first = points.first else { return nil }
        var (west, south, east, north) = (first.longitude, first.latitude, first.longitude, first.latitude)
        for point in points {
            (west, east) = (min(west, point.longitude), max(east, point.longitude))
            (south, north) = (min(south, point.latitude), max(north, point.latitude))
        }
        guard let box = BoundingBox(west: west, south: south, east: east, north: north) else { return nil }
        self.points = points
        self.box = box
    }
}
