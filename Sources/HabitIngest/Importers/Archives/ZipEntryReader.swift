import Base
import CZlib
import HabitModel

/// A stream of the decompressed bytes of an entry of a ZIP archive.
///
/// The stream checks the declared size and the checksum. It uses about 100 KB of memory for entries of any size.
final class ZipEntryReader {
    private let file: RandomAccessFile
    private let entry: ZipArchive.Entry
    private var offset = 0
    private var compressedRest: Int
    private var produced = 0
    private var checksum: UInt = 0
    private var hasEnded = false
    /// Whether the complete entry was read, and its size and its checksum are correct.
    private(set) var isVerified = false
    /// The zlib stream, or `nil` for a stored entry.
    ///
    /// It has a fixed address, because zlib keeps a pointer to it.
    private var stream: UnsafeMutablePointer<z_stream>?
    private var input: [UInt8] = []
    private static let inputSize = 1 << 16

    /// Whether the compression method of an entry is supported.
    static func supports(_ entry: ZipArchive.Entry) -> Bool { entry.method == 0 || entry.method == 8 }

    /// Opens an entry.
    ///
    /// - Throws: `archive-unreadable` if the local header is damaged or the compression method is not supported.
    init(_ entry: ZipArchive.Entry, in file: RandomAccessFile) throws {
        self.file = file
        self.entry = entry
        compressedRest = entry.compressedSize
        let header = try file.bytes(at: entry.offset, count: 30)
        guard header.count == 30, header.number32(0) == 0x0403_4B50 else {
            throw unreadable("its header is damaged")
        }
        offset = entry.offset + 30 + Int(header.number16(26)) + Int(header.number16(28))
        guard compressedRest >= 0, compressedRest <= file.size - offset else { throw unreadable("it is truncated") }
        switch entry.method {
        case 0:
            guard entry.size == entry.compressedSize else { throw unreadable("its sizes differ") }
        case 8: try openStream()
        default: throw unreadable("it uses the unsupported compression method \(entry.method)")
        }
    }

    deinit {
        guard let stream else { return }
        inflateEnd(stream)
        stream.deallocate()
    }

    private func openStream() throws {
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        // A negative number selects raw data without a header, with the largest window.
        guard inflateInit2_(stream, -15, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            stream.deallocate()
            throw HabitError(.internal, "zlib cannot be initialized: free some memory and try again", file: file.name)
        }
        self.stream = stream
        input = [UInt8](repeating: 0, count: Self.inputSize)
    }

    /// Fills the beginning of a buffer.
    ///
    /// - Returns: The number of bytes, or 0 at the end of the entry.
    /// - Throws: `archive-unreadable` if the entry is damaged.
    func read(into buffer: inout MutableRawSpan) throws -> Int {
        guard !buffer.isEmpty, !hasEnded else { return 0 }
        let count: Int
        if let stream {
            count = try inflate(into: &buffer, stream)
        } else {
            count = try copy(into: &buffer)
        }
        produced += count
        guard produced <= entry.size else { throw unreadable("it has more bytes than its directory declares") }
        checksum = buffer.withUnsafeMutableBytes { buffer in
            crc32_z(checksum, buffer.baseAddress, count)
        }
        let isCopied = stream == nil && compressedRest == 0
        if count == 0 || hasEnded || isCopied { try checkEnd() }
        return count
    }

    /// Fills the beginning of a buffer with the next stored bytes of the entry.
    private func copy(into buffer: inout MutableRawSpan) throws -> Int {
        let count = try file.read(at: offset, most: compressedRest, into: &buffer)
        guard count == min(buffer.byteCount, compressedRest) else { throw unreadable("it is truncated") }
        offset += count
        compressedRest -= count
        return count
    }

    private func inflate(into buffer: inout MutableRawSpan, _ stream: UnsafeMutablePointer<z_stream>) throws -> Int {
        try buffer.withUnsafeMutableBytes { buffer in
            let size = UInt32(min(buffer.count, 1 << 30))
            stream.pointee.next_out = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
            stream.pointee.avail_out = size
            while stream.pointee.avail_out == size, !hasEnded {
                if stream.pointee.avail_in == 0 { try refill(stream) }
                switch inflateSome(stream) {
                case Z_STREAM_END: hasEnded = true
                case Z_OK: break
                case Z_BUF_ERROR where stream.pointee.avail_in == 0 && compressedRest > 0: break
                default: throw unreadable("its data is damaged")
                }
            }
            return Int(size - stream.pointee.avail_out)
        }
    }

    private func refill(_ stream: UnsafeMutablePointer<z_stream>) throws {
        let count = try input.withMutableBytes { buffer in try copy(into: &buffer) }
        stream.pointee.avail_in = UInt32(count)
        consumed = 0
    }

    /// Calls zlib once and returns its status.
    private func inflateSome(_ stream: UnsafeMutablePointer<z_stream>) -> Int32 {
        input.withUnsafeMutableBufferPointer { input in
            // The address of the array may change between two calls.
            stream.pointee.next_in = input.baseAddress?.advanced(by: consumed)
            let available = stream.pointee.avail_in
            let status = CZlib.inflate(stream, Z_NO_FLUSH)
            consumed += Int(available - stream.pointee.avail_in)
            return status
        }
    }

    /// The number of bytes of the input that zlib has consumed.
    private var consumed = 0

    private func checkEnd() throws {
        hasEnded = true
        guard produced == entry.size else { throw unreadable("it has fewer bytes than its directory declares") }
        guard checksum == UInt(entry.checksum) else { throw unreadable("its checksum is wrong") }
        isVerified = true
    }

    private func unreadable(_ reason: String) -> HabitError {
        HabitError(
            .archiveUnreadable,
            "the entry '\(entry.name.withoutControls)' of the archive cannot be read, because \(reason): copy or download the archive again",
            file: file.name)
    }
}
