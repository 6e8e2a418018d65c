/// The bounding box and the types of the geometries of a column in a row group.
///
/// The box is the smallest one in the plane of longitude and latitude, and never crosses the antimeridian: readers
/// compare it with boxes in the same plane. Source: Apache Parquet, "Geospatial Definitions" and `parquet.thrift`.
struct GeospatialStatistics {
    private var west = Double.infinity
    private var east = -Double.infinity
    private var south = Double.infinity
    private var north = -Double.infinity
    /// A bit for each type of the geometries.
    private var types: UInt32 = 0

    /// Reads the geometries of a column, which are in the form that ``GeoParquetColumns`` writes.
    ///
    /// The result is `nil` if the column has no geometries or another type. Cost: proportional to the size of the values.
    init?(_ column: ParquetColumn) {
        guard column.type == .wkb else { return nil }
        var reader = Reader(UnsafeRawBufferPointer(column.values.bytes))
        while reader.isNotAtEnd {
            // The length of the value, which its content repeats.
            _ = reader.nextNumber()
            addGeometry(&reader)
        }
        guard types != 0 else { return nil }
    }

    private mutating func addGeometry(_ reader: inout Reader) {
        let type = reader.nextType()
        types |= 1 << type
        switch GeometryKind(rawValue: type) {
        case .multiPolygon:
            for _ in 0..<reader.nextNumber() {
                _ = reader.nextType()
                addRings(&reader)
            }
        case .polygon: addRings(&reader)
        default: addPosition(&reader)
        }
    }

    private mutating func addRings(_ reader: inout Reader) {
        for _ in 0..<reader.nextNumber() {
            for _ in 0..<reader.nextNumber() {
                addPosition(&reader)
            }
        }
    }

    @inline(__always)
    private mutating func addPosition(_ reader: inout Reader) {
        let longitude = reader.nextCoordinate()
        let latitude = reader.nextCoordinate()
        if longitude < west { west = longitude }
        if longitude > east { east = longitude }
        if latitude < south { south = latitude }
        if latitude > north { north = latitude }
    }

    /// The struct `GeospatialStatistics` of the metadata.
    var thrift: ThriftBytes {
        var box = ThriftBytes()
        box.append(1, double: west)
        box.append(2, double: east)
        box.append(3, double: south)
        box.append(4, double: north)
        var statistics = ThriftBytes()
        statistics.append(1, box)
        let kinds = GeometryKind.kinds(in: types)
        statistics.append(2, int32s: kinds.map { kind in Int(kind.rawValue) })
        return statistics
    }
}

extension GeospatialStatistics {
    /// A reader of values in the encoding PLAIN, which contain geometries in well-known binary form.
    private struct Reader {
        private let bytes: UnsafeRawBufferPointer
        private var offset = 0

        init(_ bytes: UnsafeRawBufferPointer) {
            self.bytes = bytes
        }

        var isNotAtEnd: Bool { offset < bytes.count }

        /// Reads a number of four bytes.
        @inline(__always)
        mutating func nextNumber() -> UInt32 {
            let number = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
            offset += 4
            return UInt32(littleEndian: number)
        }

        /// Reads the byte order, which is always little-endian, and the type of a geometry.
        @inline(__always)
        mutating func nextType() -> UInt32 {
            offset += 1
            return nextNumber()
        }

        /// Reads a longitude or a latitude.
        @inline(__always)
        mutating func nextCoordinate() -> Double {
            let bits = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            offset += 8
            return Double(bitPattern: UInt64(littleEndian: bits))
        }
    }
}
