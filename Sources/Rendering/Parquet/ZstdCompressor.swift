import Base
import CZstd

/// A compressor of blocks with Zstandard (RFC 8878).
final class ZstdCompressor {
    private let context: OpaquePointer

    /// Creates a compressor.
    ///
    /// - Throws: `internal` if zstd cannot allocate memory.
    init() throws {
        guard let context = ZSTD_createCCtx() else { throw HabitError(.internal, "cannot start compression") }
        self.context = context
    }

    deinit { ZSTD_freeCCtx(context) }

    /// Appends the compressed form of `input` to `output`.
    ///
    /// - Parameters:
    ///   - input: The bytes to compress.
    ///   - level: The level of zstd. Lower and negative levels are faster and make longer outputs.
    ///   - output: The buffer to append to.
    /// - Throws: `internal` if the compression fails.
    func compress(_ input: UnsafeBufferPointer<UInt8>, level: Int, into output: OutputBuffer) throws {
        let bound = ZSTD_compressBound(input.count)
        let size = ZSTD_compressCCtx(
            context, output.reserve(bound), bound, input.baseAddress, input.count, Int32(level))
        guard ZSTD_isError(size) == 0 else { throw HabitError(.internal, "compression failed") }
        output.advance(size)
    }
}
