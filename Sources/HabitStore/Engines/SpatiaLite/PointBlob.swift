import CSpatiaLite
import Geo

/// SpatiaLite's form of a point on WGS 84: 60 bytes, little-endian.
///
/// "BLOB-Geometry" in SpatiaLite's documentation: 00, byte order 01, SRID, bounding box (4 doubles), 7C, class 1, x, y, FE.
enum PointBlob {
    static let length = 60

    static func bytes(_ position: Position) -> [UInt8] {
        var bytes = [UInt8]()
        bytes.reserveCapacity(length)
        bytes += [0x00, 0x01]
        append(Int32(4326), to: &bytes)
        for _ in 0..<2 { appendPoint(position, to: &bytes) }
        bytes.append(0x7c)
        append(Int32(1), to: &bytes)
        appendPoint(position, to: &bytes)
        bytes.append(0xfe)
        return bytes
    }

    /// Nil for anything but a point on WGS 84.
    static func position(_ bytes: UnsafeRawBufferPointer) -> Position? {
        guard bytes.count == length, bytes[0] == 0x00, bytes[1] == 0x01, bytes[38] == 0x7c, bytes[59] == 0xfe,
            bytes.loadUnaligned(fromByteOffset: 39, as: Int32.self).littleEndian == 1
        else { return nil }
        return Position(longitude: double(bytes, at: 43), latitude: double(bytes, at: 51))
    }

    static func position(of value: OpaquePointer?) -> Position? {
        guard let blob = sqlite3_value_blob(value) else { return nil }
        return position(UnsafeRawBufferPointer(start: blob, count: Int(sqlite3_value_bytes(value))))
    }

    private static func appendPoint(_ position: Position, to bytes: inout [UInt8]) {
        append(position.longitude.bitPattern, to: &bytes)
        append(position.latitude.bitPattern, to: &bytes)
    }

    private static func append(_ value: some FixedWidthInteger, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    private static func double(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Double {
        Double(bitPattern: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian)
    }
}
