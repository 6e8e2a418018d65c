import Geo
import StoreEngine

/// The geometry column of a GeoParquet file and the column with the bounding box of each geometry.
///
/// The geometries have the logical type GEOMETRY of Parquet, and the metadata of the file describes them too, for readers
/// that do not know the type. Source: OGC GeoParquet 1.1.
final class GeoParquetColumns {
    /// The source of the geometry in the rows.
    private let source: Geometry
    private let precision: Int?
    /// 10 to the power of the precision.
    private let scale: Double
    private let geometry = ParquetColumn(["geometry"], .wkb)
    private let sides = ["xmin", "ymin", "xmax", "ymax"].map { side in ParquetColumn(["bbox", side], .float) }
    private var extent = Extent()
    /// A bit for each type of the written geometries.
    private var types: UInt32 = 0

    /// Creates the columns.
    ///
    /// - Parameters:
    ///   - source: The source of the geometry in the rows.
    ///   - precision: Maximum number of decimals of a degree. `nil` writes all bits of the position.
    init(_ source: Geometry, precision: Int?) {
        self.source = source
        // With 16 decimals, the rounded position would be the position.
        if let precision, precision < 16 {
            self.precision = max(0, precision)
        } else {
            self.precision = nil
        }
        let decimals = self.precision ?? 0
        scale = (0..<decimals).reduce(1) { scale, _ in scale * 10 }
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
        for (column, otherColumn) in zip(sides, other.sides) {
            column.appendValues(values, of: otherColumn)
        }
    }

    private func rounded(_ position: Position) -> Position {
        guard precision != nil else { return position }
        let rounded = Position(
            longitude: position.longitude.rounded(scale: scale),
            latitude: position.latitude.rounded(scale: scale))
        return rounded ?? position
    }

    private func rounded(_ box: BoundingBox) -> BoundingBox {
        let rounded = BoundingBox(
            west: box.west.rounded(decimals: precision),
            south: box.south.rounded(decimals: precision),
            east: box.east.rounded(decimals: precision),
            north: box.north.rounded(decimals: precision))
        return rounded ?? box
    }

    private func append(_ position: Position) {
        types |= GeometryKind.point.bit
        extent.add(position)
        geometry.append { output in
            Self.appendHead(.point, to: output)
            output.append(littleEndian: position.longitude.bitPattern)
            output.append(littleEndian: position.latitude.bitPattern)
        }
    }

    /// Appends a Polygon, or a MultiPolygon of two boxes if the box crosses the antimeridian.
    private func append(_ box: BoundingBox) {
        let halves = box.halves
        let isWhole = halves.count == 1
        let kind = isWhole ? GeometryKind.polygon : .multiPolygon
        types |= kind.bit
        extent.add(.box(box))
        geometry.append { output in
            if kind == .multiPolygon {
                Self.appendHead(kind, to: output)
                output.append(littleEndian: UInt32(halves.count))
            }
            for half in halves {
                Self.appendPolygon(half, to: output)
            }
        }
        let west = isWhole ? box.west : -180
        let east = isWhole ? box.east : 180
        sides[0].append(Self.bits(west, roundedUp: false))
        sides[1].append(Self.bits(box.south, roundedUp: false))
        sides[2].append(Self.bits(east, roundedUp: true))
        sides[3].append(Self.bits(box.north, roundedUp: true))
    }

    /// Appends the exterior ring in counterclockwise order.
    private static func appendPolygon(_ box: BoundingBox, to output: OutputBuffer) {
        appendHead(.polygon, to: output)
        output.append(littleEndian: UInt32(1))
        output.append(littleEndian: UInt32(5))
        appendCorner(box.west, latitude: box.south, to: output)
        appendCorner(box.east, latitude: box.south, to: output)
        appendCorner(box.east, latitude: box.north, to: output)
        appendCorner(box.west, latitude: box.north, to: output)
        appendCorner(box.west, latitude: box.south, to: output)
    }

    @inline(__always)
    private static func appendCorner(_ longitude: Double, latitude: Double, to output: OutputBuffer) {
        output.append(littleEndian: longitude.bitPattern)
        output.append(littleEndian: latitude.bitPattern)
    }

    /// Appends the byte order and the type of a geometry.
    @inline(__always)
    private static func appendHead(_ kind: GeometryKind, to output: OutputBuffer) {
        output.append(1 as UInt8)
        output.append(littleEndian: kind.rawValue)
    }

    /// Appends the bounding boxes of the points of a row group, and the nulls of all bounding boxes.
    ///
    /// Reading them from the points in one loop takes less time than appending them for each row.
    func endGroup() {
        for column in sides {
            column.copyNulls(of: geometry)
        }
        guard case .point = source else { return }
        geometry.values.withBytes { points in
            points.bytes.withUnsafeBytes { points in
                for (index, column) in sides.enumerated() {
                    let isLatitude = index % 2 == 1
                    Self.append(
                        sidesOf: points,
                        at: isLatitude ? Self.latitudeOffset : Self.longitudeOffset,
                        roundedUp: index >= 2,
                        to: column.values)
                }
            }
        }
    }

    /// Appends one coordinate of each point as a side of its bounding box.
    @inline(__always)
    private static func append(
        sidesOf points: UnsafeRawBufferPointer,
        at first: Int,
        roundedUp: Bool,
        to values: OutputBuffer
    ) {
        let size = points.count / pointSize * 4
        var target = UnsafeMutableRawPointer(values.reserve(size))
        for offset in stride(from: first, to: points.count, by: pointSize) {
            let bits = points.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            let coordinate = Double(bitPattern: UInt64(littleEndian: bits))
            let side = Self.bits(coordinate, roundedUp: roundedUp)
            target.storeBytes(of: side.littleEndian, as: UInt32.self)
            target += 4
        }
        values.advance(size)
    }

    /// The offset of the longitude in a point with its length.
    private static let longitudeOffset = 9
    private static let latitudeOffset = 17
    /// The size of a point with its length.
    private static let pointSize = 25

    /// Returns the bits of a side of a bounding box, rounded outward to single precision.
    @inline(__always)
    private static func bits(_ side: Double, roundedUp: Bool) -> UInt32 {
        let nearest = Float(side)
        if roundedUp {
            let isBelow = Double(nearest) < side
            return (isBelow ? nearest.nextUp : nearest).bitPattern
        }
        let isAbove = Double(nearest) > side
        return (isAbove ? nearest.nextDown : nearest).bitPattern
    }

    /// The value of the key `geo` in the metadata of the file.
    ///
    /// The coordinates are in OGC:CRS84, the default of GeoParquet.
    var metadata: String {
        let output = OutputBuffer()
        output.append(literal: #"{"version":"1.1.0","primary_column":"geometry","columns":{"geometry":{"#)
        output.append(literal: #""encoding":"WKB","geometry_types":["#)
        let names = GeometryKind.kinds(in: types).map { kind in "\"\(kind.name)\"" }
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
            let box = column.path[0]
            let side = column.path[1]
            return "\"\(side)\":[\"\(box)\",\"\(side)\"]"
        }
        output.append(sides.joined(separator: ","))
        output.append(literal: "}}}}}")
        return output.text
    }
}
