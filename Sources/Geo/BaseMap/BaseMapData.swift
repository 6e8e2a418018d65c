import CBaseMap

/// The texts of the base map, which are embedded in the program and which ``BaseMap`` decodes.
///
/// `Packaging/base-map/make` writes them from Natural Earth data, which is in the public domain.
enum BaseMapData {
    /// Units of the coordinates per degree.
    static let unitsPerDegree = 200
    /// The outlines of land at 1:110 million: one encoded line in each line of the text.
    static let coarseLand = String(habitat_coarse_land)
    /// The borders of countries at 1:110 million.
    static let coarseBorders = String(habitat_coarse_borders)
    /// The outlines of land at 1:50 million.
    static let fineLand = String(habitat_fine_land)
    /// The borders of countries at 1:50 million.
    static let fineBorders = String(habitat_fine_borders)
    /// The longitude, latitude and name of a city in each line, the most important city first.
    static let cities = String(habitat_cities)
}

extension String {
    fileprivate init(_ text: habitat_text) {
        self.init(decoding: UnsafeBufferPointer(start: text.bytes, count: text.count), as: UTF8.self)
    }
}
