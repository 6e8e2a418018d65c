import CSQLite
import Geo

/// SpatiaLite's binary form of a point on WGS 84: 60 bytes, little-endian.
///
/// SpatiaLite's documentation calls the format "BLOB-Geometry": 00, byte order 01, SRID, bounding box (4 doubles), 7C,
/// class 1, x, y, FE.
enum PointBlob {
    /// The length of the binary form in bytes.
    static let length = 60

    /// Writes the binary form of `position` into ``length`` bytes.
    static func write(_ position: Position, into bytes: UnsafeMutableRawBufferPointer) {
        bytes.storeBytes(of: UInt16(0x0100).littleEndian, as: UInt16.self)
        bytes.storeBytes(of: Int32(4326).littleEndian, toByteOffset: 2, as: Int32.self)
        bytes[38] = 0x7c
        bytes.storeBytes(of: Int32(1).littleEndian, toByteOffset: 39, as: Int32.self)
        for offset in [6, 22, 43] {
            bytes.storeBytes(
                of: position.longitude.bitPattern.littleEndian, toByteOffset: offset, as: UInt64.self)
            bytes.storeBytes(
                of: position.latitude.bitPattern.littleEndian, toByteOffset: offset + 8, as: UInt64.self)
        }
        bytes[59] = 0xfe
    }

    static func bytes(_ position: Position) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: length) { bytes, count in
            write(position, into: UnsafeMutableRawBufferPointer(bytes))
            count = length
        }
    }

    /// Returns the position of a point on WGS 84, or `nil` for any other bytes.
    static func position(_ bytes: UnsafeRawBufferPointer) -> Position? {
        guard bytes.count == length, bytes[0] == 0x00, bytes[1] == 0x01, bytes[38] == 0x7c, bytes[59] == 0xfe,
            bytes.loadUnaligned(fromByteOffset: 2, as: Int32.self).littleEndian == 4326,
            bytes.loadUnaligned(fromByteOffset: 39, as: Int32.self).littleEndian == 1
        else { return nil }
        return Position(longitude: double(bytes, at: 43), latitude: double(bytes, at: 51))
    }

    /// Returns the position in an SQL value, or `nil` if it is not a point on WGS 84.
    static func position(of value: OpaquePointer?) -> Position? {
        guard let blob = sqlite3_value_blob(value) else { return nil }
        return position(UnsafeRawBufferPointer(start: blob, count: Int(sqlite3_value_bytes(value))))
    }

    private static func double(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Double {
        Double(bitPattern: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian)
    }
}
