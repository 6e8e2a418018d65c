import Base
import CZlib
import HabitModel

/// A streaming gzip decoder (RFC 1952), which decompresses all members of the input.
final class Gunzip {
    private let name: String
    private let pull: ByteSource.Origin
    /// The zlib stream.
    ///
    /// It has a fixed address, because zlib keeps a pointer to it.
    private let stream: UnsafeMutablePointer<z_stream>
    private let input: UnsafeMutablePointer<UInt8>
    private static let inputSize = 1 << 16
    private var isBetweenMembers = false
    private var hasEnded = false

    /// Creates a decoder.
    ///
    /// - Parameters:
    ///   - head: The bytes that were already read from the source.
    ///   - name: The name of the input in messages.
    ///   - pull: Fills the beginning of a buffer with compressed bytes and returns their number, 0 at the end.
    /// - Throws: `internal` if zlib cannot be initialized.
    init(head: [UInt8], name: String, pull: @escaping ByteSource.Origin) throws {
        self.name = name
        self.pull = pull
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        input = .allocate(capacity: Self.inputSize)
        let count = min(head.count, Self.inputSize)
        for i in 0..<count { input[i] = head[i] }
        stream.pointee.next_in = input
        stream.pointee.avail_in = UInt32(count)
        // 15 selects the largest window, and 16 restricts the input to the gzip format.
        guard inflateInit2_(stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            throw HabitError(.internal, "zlib cannot be initialized: free some memory and try again", file: name)
        }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
        input.deallocate()
    }

    /// Fills the beginning of `buffer` and returns the number of bytes, which is 0 at the end of the last member.
    func read(into buffer: inout MutableRawSpan) throws -> Int {
        guard !buffer.isEmpty, !hasEnded else { return 0 }
        return try buffer.withUnsafeMutableBytes { buffer in
            let room = UInt32(clamping: buffer.count)
            stream.pointee.next_out = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
            stream.pointee.avail_out = room
            while stream.pointee.avail_out == room, !hasEnded {
                if isBetweenMembers { try beginMember() } else { try inflateSome() }
            }
            return Int(room - stream.pointee.avail_out)
        }
    }

    private func inflateSome() throws {
        if stream.pointee.avail_in == 0, try refill() == 0 {
            throw HabitError(
                .gzipTruncated, "the gzip data is truncated: copy or download the file again", file: name)
        }
        switch inflate(stream, Z_NO_FLUSH) {
        case Z_OK, Z_BUF_ERROR: break
        case Z_STREAM_END: isBetweenMembers = true
        default:
            throw HabitError(
                .archiveUnreadable, "the gzip data is damaged: copy or download the file again", file: name)
        }
    }

    private func beginMember() throws {
        var count = Int(stream.pointee.avail_in)
        if count < 2 {
            let rest = stream.pointee.next_in
            for i in 0..<count { input[i] = rest?[i] ?? 0 }
            while count < 2 {
                let more = try pullInput(from: count)
                if more == 0 { break }
                count += more
            }
            stream.pointee.next_in = input
            stream.pointee.avail_in = UInt32(count)
        }
        if count == 0 {
            hasEnded = true
            return
        }
        guard count >= 2, let next = stream.pointee.next_in, Self.isMagic(next[0], next[1]),
            inflateReset(stream) == Z_OK
        else {
            throw HabitError(
                .archiveUnreadable, "there is other data after the gzip data: remove it, or decompress the file first",
                file: name)
        }
        isBetweenMembers = false
    }

    /// Fills the input from an offset and returns the number of bytes.
    private func pullInput(from offset: Int) throws -> Int {
        var bytes = MutableSpan(_unsafeStart: input + offset, count: Self.inputSize - offset)
        var room = bytes.mutableBytes
        return try pull(&room)
    }

    private func refill() throws -> Int {
        let count = try pullInput(from: 0)
        stream.pointee.next_in = input
        stream.pointee.avail_in = UInt32(count)
        return count
    }

    static func isMagic(_ first: UInt8, _ second: UInt8) -> Bool { first == 0x1F && second == 0x8B }
}
