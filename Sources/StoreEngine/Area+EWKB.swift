import Geo

/// The binary form of an area in bindings: an OGC MultiPolygon with the SRID 4326, little-endian (PostGIS EWKB).
extension Area {
    /// Byte order, class "multipolygon with SRID", SRID 4326.
    private static let head: [UInt8] = [1, 6, 0, 0, 0x20, 0xE6, 0x10, 0, 0]
    /// Byte order, class "polygon".
    private static let polygonHead: [UInt8] = [1, 3, 0, 0, 0]

    /// The area in its binary form.
    package var ewkb: [UInt8] {
        var bytes = Self.head
        func append(_ value: some FixedWidthInteger) {
            withUnsafeBytes(of: value.littleEndian) { memory in
                bytes.append(contentsOf: memory)
            }
        }
        append(UInt32(clamping: polygons.count))
        for polygon in polygons {
            bytes += Self.polygonHead
            append(UInt32(clamping: polygon.rings.count))
            for ring in polygon.rings {
                append(UInt32(clamping: ring.count))
                for position in ring {
                    append(position.longitude.bitPattern)
                    append(position.latitude.bitPattern)
                }
            }
        }
        return bytes
    }

    /// Decodes the binary form, or returns `nil` for any other bytes.
    package init?(ewkb bytes: [UInt8]) {
        var reader = EWKBReader(bytes: bytes)
        guard reader.take(Self.head), let count = reader.next(UInt32.self) else {
            return nil
        }
        var polygons: [Polygon] = []
        for _ in 0..<count {
            guard reader.take(Self.polygonHead), let polygon = reader.polygon() else {
                return nil
            }
            polygons.append(polygon)
        }
        guard reader.isAtEnd else {
            return nil
        }
        self.init(polygons)
    }
}

/// A reader of the values of a binary geometry.
private struct EWKBReader {
    let bytes: [UInt8]
    private var offset = 0

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    var isAtEnd: Bool {
        offset == bytes.count
    }

    /// Skips `head`, or returns `false` if other bytes follow.
    mutating func take(_ head: [UInt8]) -> Bool {
        guard bytes[offset...].starts(with: head) else {
            return false
        }
        offset += head.count
        return true
    }

    mutating func next<Number: FixedWidthInteger>(_: Number.Type) -> Number? {
        let size = MemoryLayout<Number>.size
        guard bytes.count - offset >= size else {
            return nil
        }
        let value = bytes.withUnsafeBytes { memory in
            memory.loadUnaligned(fromByteOffset: offset, as: Number.self)
        }
        offset += size
        return Number(littleEndian: value)
    }

    mutating func polygon() -> Polygon? {
        var rings: [[Position]] = []
        guard let count = next(UInt32.self) else {
            return nil
        }
        for _ in 0..<count {
            guard let ring = ring() else {
                return nil
            }
            rings.append(ring)
        }
        return Polygon(rings: rings)
    }

    private mutating func ring() -> [Position]? {
        var ring: [Position] = []
        guard let count = next(UInt32.self) else {
            return nil
        }
        for _ in 0..<count {
            guard let position = position() else {
                return nil
            }
            ring.append(position)
        }
        return ring
    }

    private mutating func position() -> Position? {
        guard let longitude = next(UInt64.self), let latitude = next(UInt64.self) else {
            return nil
        }
        return Position(
            longitude: Double(bitPattern: longitude),
            latitude: Double(bitPattern: latitude))
    }
}
