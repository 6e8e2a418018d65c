import Base
import CZlib

/// A sink that compresses its input in constant memory and passes the result to another sink.
public final class DeflateSink: OutputSink {
    /// The form of the compressed data.
    public enum Form: Sendable {
        /// A gzip member (RFC 1952).
        case gzip
        /// A DEFLATE stream without a header (RFC 1951).
        case raw

        /// The window bits of zlib: 15 for the largest window, and the value that selects the form.
        fileprivate var windowBits: Int32 {
            switch self {
            case .gzip: 15 + 16
            case .raw: -15
            }
        }
    }

    private let sink: any OutputSink
    private var stream = z_stream()
    private var block = [UInt8](repeating: 0, count: OutputBuffer.flushSize)
    private var filled = 0

    /// Creates a sink that compresses into another sink.
    ///
    /// - Parameters:
    ///   - sink: The sink of the compressed bytes.
    ///   - form: The form of the compressed data.
    /// - Throws: `internal` if zlib cannot allocate memory.
    public init(into sink: any OutputSink, _ form: Form) throws {
        self.sink = sink
        let status = deflateInit2_(
            &stream, 5, Z_DEFLATED, form.windowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        guard status == Z_OK else { throw HabitError(.internal, "cannot start compression") }
    }

    deinit { deflateEnd(&stream) }

    /// Compresses `bytes`.
    ///
    /// - Throws: The errors of the other sink.
    public func write(_ bytes: RawSpan) throws { try compress(bytes, Z_NO_FLUSH) }

    /// Writes the end of the compressed data and commits the other sink.
    ///
    /// - Throws: The errors of the other sink.
    public func commit() throws {
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
