/// The geometry types of a file, with their numbers in well-known binary form (OGC 06-103r4, section 8).
enum GeometryKind: UInt32, CaseIterable {
    case point = 1
    case polygon = 3
    case multiPolygon = 6

    /// The bit of the type in a set of types.
    var bit: UInt32 { 1 << rawValue }

    /// The name in GeoJSON and GeoParquet.
    var name: String {
        switch self {
        case .point: "Point"
        case .polygon: "Polygon"
        case .multiPolygon: "MultiPolygon"
        }
    }

    /// Returns the types of a set.
    static func kinds(in bits: UInt32) -> [GeometryKind] {
        allCases.filter { kind in bits & kind.bit != 0 }
    }
}
