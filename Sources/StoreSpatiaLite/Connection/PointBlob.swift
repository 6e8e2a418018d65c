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
        let longitude = position.longitude.bitPattern.littleEndian
        let latitude = position.latitude.bitPattern.littleEndian
        for offset in [6, 22, 43] {
            bytes.storeBytes(of: longitude, toByteOffset: offset, as: UInt64.self)
            bytes.storeBytes(of: latitude, toByteOffset: offset + 8, as: UInt64.self)
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
        guard bytes.count == length else { return nil }
        let hasMarks = bytes[0] == 0x00 && bytes[1] == 0x01 && bytes[38] == 0x7c && bytes[59] == 0xfe
        guard hasMarks else { return nil }
        let srid = bytes.loadUnaligned(fromByteOffset: 2, as: Int32.self).littleEndian
        let geometryClass = bytes.loadUnaligned(fromByteOffset: 39, as: Int32.self).littleEndian
        guard srid == 4326, geometryClass == 1 else { return nil }
        let longitude = double(bytes, at: 43)
        let latitude = double(bytes, at: 51)
        return Position(longitude: longitude, latitude: latitude)
    }

    /// Returns the position in an SQL value, or `nil` if it is not a point on WGS 84.
    static func position(of value: OpaquePointer?) -> Position? {
        guard let blob = sqlite3_value_blob(value) else { return nil }
        let count = Int(sqlite3_value_bytes(value))
        return position(UnsafeRawBufferPointer(start: blob, count: count))
    }

    private static func double(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Double {
        let bits = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        return Double(bitPattern: bits.littleEndian)
    }
}
