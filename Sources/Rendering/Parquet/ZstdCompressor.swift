import CZstd
import HabitModel

/// A compressor of blocks with Zstandard (RFC 8878).
final class ZstdCompressor {
    // Higher levels need more time than the rest of an export. Level 2 makes files 2 % smaller.
    private static let level: Int32 = 1
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
    /// - Throws: `internal` if the compression fails.
    func compress(_ input: UnsafeBufferPointer<UInt8>, into output: OutputBuffer) throws {
        let bound = ZSTD_compressBound(input.count)
        let size = ZSTD_compressCCtx(
            context, output.reserve(bound), bound, input.baseAddress, input.count, Self.level)
        guard ZSTD_isError(size) == 0 else { throw HabitError(.internal, "compression failed") }
        output.advance(size)
    }
}
