import CZlib

/// Checks a PNG's compressed rows, and leaves to libpng only what makes its pixels.
///
/// libpng takes data that is too long, and fills up what is missing of a palette, without more than a warning.
struct PNGData {
    private let bytes: [UInt8]
    private let parts: [PhotoStructure.Part]
    private let header: PNGHeader

    init(_ bytes: [UInt8], _ structure: PhotoStructure) throws(PhotoError) {
        self.bytes = bytes
        parts = structure.parts
        guard let part = structure.parts.first(where: { $0.name == "IHDR" }) else { throw .truncated }
        header = try PNGHeader(bytes, part.payload)
    }

    /// - Throws: ``PhotoError`` if the number of bytes is not the one that the dimensions require.
    func check() throws(PhotoError) {
        var stream = z_stream()
        guard inflateInit_(&stream, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            throw PhotoError.failed("zlib cannot be used")
        }
        defer { inflateEnd(&stream) }
        var status = Z_OK
        var length = 0
        for part in parts where part.name == "IDAT" && !part.payload.isEmpty {
            guard status == Z_OK else { throw .damaged("there is more data in it than its pixels") }
            status = inflate(part.payload, &stream, &length)
        }
        if status == Z_OK { throw .damaged("pixels are missing in it") }
        guard status == Z_STREAM_END else { throw .damaged("its compressed data is not valid") }
        guard length == header.dataLength else {
            throw .damaged("it has not as many pixels as it says")
        }
    }

    /// Inflates a chunk, counting the bytes and forgetting them; stops where they are too many.
    private func inflate(_ range: Range<Int>, _ stream: inout z_stream, _ length: inout Int) -> Int32 {
        let capacity = 65_536
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: capacity) { output in
            bytes[range].withUnsafeBufferPointer { input in
                stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                stream.avail_in = UInt32(clamping: input.count)
                var status = Z_OK
                repeat {
                    stream.next_out = output.baseAddress
                    stream.avail_out = UInt32(capacity)
                    status = CZlib.inflate(&stream, Z_NO_FLUSH)
                    length += capacity - Int(stream.avail_out)
                } while status == Z_OK && stream.avail_out == 0 && length <= header.dataLength
                // Nothing more to do with what was given, which is no error.
                if status == Z_BUF_ERROR, stream.avail_in == 0 { status = Z_OK }
                return stream.avail_in > 0 ? Z_DATA_ERROR : status
            }
        }
    }

    /// The picture with the chunks that make its pixels, and no others.
    var decodable: [UInt8] {
        var file = Array(bytes.prefix(8))
        for part in parts where ["IHDR", "IDAT"].contains(part.name) {
            file += bytes[part.range]
            if part.name == "IHDR" { file += colors }
        }
        return file + chunk("IEND", [])
    }

    /// The palette, filled up to as many colors as pixels can name, and the transparent colors.
    private var colors: [UInt8] {
        var palette: [UInt8] = []
        var count = 0
        if header.colorType == PNGHeader.palette {
            guard let part = parts.first(where: { $0.name == "PLTE" }) else { return [] }
            palette = Array(bytes[part.payload].prefix(3 << header.bitDepth))
            count = palette.count / 3
            palette = Array(palette.prefix(3 * count))
            palette += Array(repeating: 0, count: (3 << header.bitDepth) - palette.count)
        }
        let chunks = palette.isEmpty ? [] : chunk("PLTE", palette)
        guard let part = parts.first(where: { $0.name == "tRNS" }), isTransparencyValid(bytes[part.payload], count)
        else { return chunks }
        return chunks + bytes[part.range]
    }

    private func isTransparencyValid(_ content: ArraySlice<UInt8>, _ colorCount: Int) -> Bool {
        let highBytes = stride(from: content.startIndex, to: content.endIndex, by: 2)
        switch header.colorType {
        case PNGHeader.palette: return (1...max(1, colorCount)).contains(content.count)
        case 0, 2:
            guard content.count == (header.colorType == 0 ? 2 : 6) else { return false }
            return highBytes.allSatisfy { Int(content[$0]) << 8 | Int(content[$0 + 1]) < 1 << header.bitDepth }
        default: return false
        }
    }

    private func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let body = Array(name.utf8) + content
        return bigEndian(content.count) + body + bigEndian(PhotoStructure.pngChecksum(body, body.indices))
    }

    private func bigEndian(_ number: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}
