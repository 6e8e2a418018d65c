import CZlib
import HabitModel
import HabitReport
import Rendering

/// A sink that compresses its input (RFC 1952) in constant memory and passes the result to another sink.
final class GzipSink: OutputSink {
    private let sink: any OutputSink
    private var stream = z_stream()
    private var block = [UInt8](repeating: 0, count: OutputBuffer.flushSize)
    private var filled = 0

    init(into sink: any OutputSink) throws {
        self.sink = sink
        // Window bits of 15 + 16 select the largest window and the gzip format.
        let status = deflateInit2_(
            &stream, 5, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard status == Z_OK else { throw HabitError(.internal, "cannot start compression") }
    }

    deinit { deflateEnd(&stream) }

    func write(_ bytes: RawSpan) throws { try compress(bytes, Z_NO_FLUSH) }

    func commit() throws {
        try compress(RawSpan(), Z_FINISH)
        if filled > 0 { try flush() }
        try sink.commit()
    }

    private func compress(_ bytes: RawSpan, _ flag: Int32) throws {
        try bytes.withUnsafeBytes { bytes in
            // zlib does not write to its input.
            stream.next_in = UnsafeMutableRawPointer(mutating: bytes.baseAddress)?.assumingMemoryBound(to: UInt8.self)
            stream.avail_in = UInt32(bytes.count)
            while true {
                let status = block.withUnsafeMutableBufferPointer { block in
                    stream.next_out = block.baseAddress.map { $0 + filled }
                    stream.avail_out = UInt32(block.count - filled)
                    let status = deflate(&stream, flag)
                    filled = block.count - Int(stream.avail_out)
                    return status
                }
                guard status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR else {
                    throw HabitError(.internal, "compression failed")
                }
                if filled == block.count { try flush() } else { break }
            }
        }
    }

    private func flush() throws {
        let block = block
        try sink.write(block.span.bytes.extracting(first: filled))
        filled = 0
    }
}
