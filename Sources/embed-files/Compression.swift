import CZlib
import Foundation

/// The format of compressed bytes.
enum CompressedFormat: Int32 {
    /// RFC 1952, for responses of the server.
    case gzip = 31
    /// RFC 1950, for the pixels of a PNG picture.
    case zlib = 15

    /// The parameter `windowBits` of zlib, which selects the largest window and the format.
    var windowBits: Int32 { rawValue }
}

extension Data {
    /// Returns the bytes in a compressed format.
    ///
    /// Equal bytes have equal forms, because the header has no time.
    ///
    /// - Parameter format: The format.
    /// - Returns: The compressed bytes, or `nil` if zlib fails.
    func compressed(_ format: CompressedFormat) -> Data? {
        var stream = z_stream()
        // zlib keeps a pointer to the stream.
        return withUnsafeMutablePointer(to: &stream) { stream in compressed(format, with: stream) }
    }

    private func compressed(_ format: CompressedFormat, with stream: UnsafeMutablePointer<z_stream>) -> Data? {
        let size = Int32(MemoryLayout<z_stream>.size)
        let level = Z_BEST_COMPRESSION
        let strategy = Z_DEFAULT_STRATEGY
        let bits = format.windowBits
        guard deflateInit2_(stream, level, Z_DEFLATED, bits, 8, strategy, ZLIB_VERSION, size) == Z_OK else {
            return nil
        }
        defer { deflateEnd(stream) }
        var input = [UInt8](self)
        let limit = deflateBound(stream, UInt(input.count))
        var output = [UInt8](repeating: 0, count: Int(limit))
        let status = input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                stream.pointee.next_in = input.baseAddress
                stream.pointee.avail_in = UInt32(input.count)
                stream.pointee.next_out = output.baseAddress
                stream.pointee.avail_out = UInt32(output.count)
                return deflate(stream, Z_FINISH)
            }
        }
        guard status == Z_STREAM_END else { return nil }
        return Data(output.prefix(Int(stream.pointee.total_out)))
    }
}
