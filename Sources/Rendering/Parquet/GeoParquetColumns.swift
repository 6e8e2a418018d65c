import Geo

/// The geometry column of a GeoParquet file and the column with the bounding box of each geometry.
///
/// Source: OGC GeoParquet 1.1.
final class GeoParquetColumns {
    private let precision: Int?
    private let geometry = ParquetColumn(["geometry"], .wkb)
    private let west = ParquetColumn(["bbox", "xmin"], .float)
    private let south = ParquetColumn(["bbox", "ymin"], .float)
    private let east = ParquetColumn(["bbox", "xmax"], .float)
    private let north = ParquetColumn(["bbox", "ymax"], .float)
    private var extent = Extent()
    /// A bit for each type of the written geometries.
    private var types: UInt32 = 0

    /// The geometry types with their numbers in well-known binary form.
    private enum Kind: UInt32, CaseIterable {
        case point = 1
        case polygon = 3
        case multiPolygon = 6

        var bit: UInt32 { 1 << rawValue }

        var name: String {
            switch self {
            case .point: "Point"
            case .polygon: "Polygon"
            case .multiPolygon: "MultiPolygon"
            }
        }
    }

    /// Creates the columns.
    ///
    /// - Parameter precision: Maximum number of decimals of a degree. `nil` writes all bits of the position.
    init(precision: Int?) { self.precision = precision }

    /// The columns in the order of the schema.
    var columns: [ParquetColumn] { [geometry, west, south, east, north] }

    /// Appends a geometry, or a null.
    @inline(__always)
    func append(_ place: FeatureGeometry?) {
        switch place {
        case nil: for column in columns { column.appendNull() }
        case .point(let position): append(rounded(position))
        case .box(let box): append(rounded(box))
        }
    }

    private func rounded(_ position: Position) -> Position {
        guard let precision else { return position }
        return Position(
            longitude: position.longitude.rounded(decimals: precision),
            latitude: position.latitude.rounded(decimals: precision)) ?? position
    }

    private func rounded(_ box: BoundingBox) -> BoundingBox {
        let sides = [box.west, box.south, box.east, box.north].map { $0.rounded(decimals: precision) }
        return BoundingBox(west: sides[0], south: sides[1], east: sides[2], north: sides[3]) ?? box
    }

    private func append(_ position: Position) {
        types |= Kind.point.bit
        extent.add(position)
        geometry.append {
            Self.appendHead(.point, to: $0)
            $0.append(littleEndian: position.longitude.bitPattern)
            $0.append(littleEndian: position.latitude.bitPattern)
        }
        append(position.longitude, position.latitude, position.longitude, position.latitude)
    }

    /// Appends a Polygon, or a MultiPolygon of two boxes if the box crosses the antimeridian.
    private func append(_ box: BoundingBox) {
        let halves = box.halves
        let kind = halves.count == 1 ? Kind.polygon : .multiPolygon
        types |= kind.bit
        extent.add(.box(box))
        geometry.append {
            if kind == .multiPolygon {
                Self.appendHead(kind, to: $0)
                $0.append(littleEndian: UInt32(halves.count))
            }
            for half in halves { Self.appendPolygon(half, to: $0) }
        }
        let isWhole = halves.count == 1
        append(isWhole ? box.west : -180, box.south, isWhole ? box.east : 180, box.north)
    }

    /// Appends the exterior ring in counterclockwise order.
    private static func appendPolygon(_ box: BoundingBox, to output: OutputBuffer) {
        appendHead(.polygon, to: output)
        output.append(littleEndian: UInt32(1))
        output.append(littleEndian: UInt32(5))
        let (w, s, e, n) = (box.west, box.south, box.east, box.north)
        for side in [w, s, e, s, e, n, w, n, w, s] {
            output.append(littleEndian: side.bitPattern)
        }
    }

    /// Appends the byte order and the type of a geometry.
    @inline(__always)
    private static func appendHead(_ kind: Kind, to output: OutputBuffer) {
        output.append(1 as UInt8)
        output.append(littleEndian: kind.rawValue)
    }

    /// Appends the bounding box of a geometry, rounded outward to single precision.
    @inline(__always)
    private func append(_ west: Double, _ south: Double, _ east: Double, _ north: Double) {
        self.west.append(Self.roundedDown(west))
        self.south.append(Self.roundedDown(south))
        self.east.append(-Self.roundedDown(-east))
        self.north.append(-Self.roundedDown(-north))
    }

    @inline(__always)
    private static func roundedDown(_ value: Double) -> Float {
        let nearest = Float(value)
        return Double(nearest) > value ? nearest.nextDown : nearest
    }

    /// The value of the key `geo` in the metadata of the file.
    ///
    /// The coordinates are in OGC:CRS84, the default of GeoParquet.
    var metadata: String {
        let output = OutputBuffer()
        output.append(literal: #"{"version":"1.1.0","primary_column":"geometry","columns":{"geometry":{"#)
        output.append(literal: #""encoding":"WKB","geometry_types":["#)
        let names = Kind.allCases.filter { types & $0.bit != 0 }.map { "\"\($0.name)\"" }
        output.append(names.joined(separator: ","))
        output.append(literal: #"],"orientation":"counterclockwise""#)
        if let box = extent.box {
            output.append(literal: #","bbox":["#)
            for (index, side) in [box.west, box.south, box.east, box.north].enumerated() {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                _ = output.append(side, decimals: nil)
            }
            output.append(UInt8(ascii: "]"))
        }
        output.append(literal: #","covering":{"bbox":{"#)
        let sides = [west, south, east, north].map { column in
            "\"\(column.path[1])\":[\"\(column.path[0])\",\"\(column.path[1])\"]"
        }
        output.append(sides.joined(separator: ","))
        output.append(literal: "}}}}}")
        return output.text
    }
}
