import Geo
import StoreEngine

/// The geometry column of a GeoParquet file and the column with the bounding box of each geometry.
///
/// Source: OGC GeoParquet 1.1.
final class GeoParquetColumns {
    /// The source of the geometry in the rows.
    private let source: Geometry
    private let precision: Int?
    /// 10 to the power of the precision.
    private let scale: Double
    private let geometry = ParquetColumn(["geometry"], .wkb)
    private let sides = ["xmin", "ymin", "xmax", "ymax"].map { ParquetColumn(["bbox", $0], .float) }
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
    /// - Parameters:
    ///   - source: The source of the geometry in the rows.
    ///   - precision: Maximum number of decimals of a degree. `nil` writes all bits of the position.
    init(_ source: Geometry, precision: Int?) {
        self.source = source
        // With 16 decimals, the rounded position would be the position.
        self.precision = precision.flatMap { $0 < 16 ? max(0, $0) : nil }
        scale = (0..<(self.precision ?? 0)).reduce(1) { scale, _ in scale * 10 }
    }

    /// The columns in the order of the schema.
    var columns: [ParquetColumn] { [geometry] + sides }

    /// Appends the geometry of a row, or a null.
    ///
    /// - Parameters:
    ///   - row: The row.
    ///   - index: The index of the row in the row group.
    @inline(__always)
    func append(_ row: some Row, at index: Int) {
        switch FeatureGeometry(source, of: row) {
        case nil: geometry.appendNull(at: index)
        case .point(let position): append(rounded(position))
        case .box(let box): append(rounded(box))
        }
    }

    /// Appends the geometries of rows that have been appended to other columns of the same source.
    ///
    /// - Parameters:
    ///   - rows: The indexes of the rows in `other`.
    ///   - other: The other columns.
    ///   - index: The index in the row group of the first appended row.
    func append(_ rows: Range<Int>, of other: GeoParquetColumns, at index: Int) {
        types |= other.types
        extent.add(other.extent)
        geometry.append(rows, of: other.geometry, at: index)
        guard case .box = source else { return }
        let values = other.geometry.valueRange(of: rows)
        for (column, otherColumn) in zip(sides, other.sides) { column.appendValues(values, of: otherColumn) }
    }

    private func rounded(_ position: Position) -> Position {
        guard precision != nil else { return position }
        return Position(
            longitude: position.longitude.rounded(scale: scale), latitude: position.latitude.rounded(scale: scale))
            ?? position
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
        let corners = [isWhole ? box.west : -180, box.south, isWhole ? box.east : 180, box.north]
        for (index, (column, side)) in zip(sides, corners).enumerated() {
            column.append(Self.bits(side, roundedUp: index >= 2))
        }
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

    /// Appends the bounding boxes of the points of a row group, and the nulls of all bounding boxes.
    ///
    /// Reading them from the points in one loop takes less time than appending them for each row.
    func endGroup() {
        for column in sides { column.copyNulls(of: geometry) }
        guard case .point = source else { return }
        geometry.values.withBytes { points in
            points.bytes.withUnsafeBytes { points in
                for (index, column) in sides.enumerated() {
                    let first = Self.coordinates + index % 2 * 8
                    let size = points.count / Self.pointSize * 4
                    var target = UnsafeMutableRawPointer(column.values.reserve(size))
                    for offset in stride(from: first, to: points.count, by: Self.pointSize) {
                        let bits = UInt64(littleEndian: points.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
                        let side = Self.bits(Double(bitPattern: bits), roundedUp: index >= 2)
                        target.storeBytes(of: side.littleEndian, as: UInt32.self)
                        target += 4
                    }
                    column.values.advance(size)
                }
            }
        }
    }

    /// The offset of the coordinates in a point with its length, and the size of the point.
    private static let (coordinates, pointSize) = (9, 25)

    /// Returns the bits of a side of a bounding box, rounded outward to single precision.
    @inline(__always)
    private static func bits(_ side: Double, roundedUp: Bool) -> UInt32 {
        let nearest = Float(side)
        if roundedUp { return (Double(nearest) < side ? nearest.nextUp : nearest).bitPattern }
        return (Double(nearest) > side ? nearest.nextDown : nearest).bitPattern
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
        let sides = sides.map { column in
            "\"\(column.path[1])\":[\"\(column.path[0])\",\"\(column.path[1])\"]"
        }
        output.append(sides.joined(separator: ","))
        output.append(literal: "}}}}}")
        return output.text
    }
}
