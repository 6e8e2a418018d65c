import Geo

/// The binary form of a polygon in bindings: OGC well-known binary with the SRID 4326, little-endian (PostGIS EWKB).
extension Polygon {
    /// Byte order, class "polygon with SRID", SRID 4326.
    private static let head: [UInt8] = [1, 3, 0, 0, 0x20, 0xE6, 0x10, 0, 0]

    /// The polygon in its binary form.
    package var ewkb: [UInt8] {
        var bytes = Self.head
        func append(_ value: some FixedWidthInteger) {
            withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
        }
        append(UInt32(clamping: rings.count))
        for ring in rings {
            append(UInt32(clamping: ring.count))
            for position in ring {
                append(position.longitude.bitPattern)
                append(position.latitude.bitPattern)
            }
        }
        return bytes
    }

    /// Decodes the binary form, or returns `nil` for any other bytes.
    package init?(ewkb bytes: [UInt8]) {
        guard bytes.starts(with: Self.head) else { return nil }
        var rest = bytes[Self.head.count...]
        func next<Number: FixedWidthInteger>(_: Number.Type) -> Number? {
            let size = MemoryLayout<Number>.size
            guard rest.count >= size else { return nil }
            defer { rest = rest.dropFirst(size) }
            return rest.prefix(size).reversed().reduce(0) { $0 << 8 | Number($1) }
        }
        var rings: [[Position]] = []
        for _ in 0..<(next(UInt32.self) ?? 0) {
            var ring: [Position] = []
            for _ in 0..<(next(UInt32.self) ?? 0) {
                guard let x = next(UInt64.self), let y = next(UInt64.self),
                    let position = Position(longitude: Double(bitPattern: x), latitude: Double(bitPattern: y))
                else { return nil }
                ring.append(position)
            }
            rings.append(ring)
        }
        self.init(rings: rings)
    }
}
