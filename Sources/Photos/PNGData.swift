import CZlib

/// Checks the compressed rows of a PNG, and reduces the file to the chunks that libpng needs to decode its pixels.
///
/// libpng only warns about surplus image data and about a palette that is too short.
struct PNGData {
    private let bytes: [UInt8]
    private let parts: [PhotoStructure.Part]
    private let header: PNGHeader

    /// Creates the data of a PNG file.
    ///
    /// - Throws: ``PhotoError`` if the header is missing or invalid.
    init(_ bytes: [UInt8], _ structure: PhotoStructure) throws(PhotoError) {
        self.bytes = bytes
        parts = structure.parts
        let part = structure.parts.first { part in part.name == "IHDR" }
        guard let part else { throw .truncated }
        header = try PNGHeader(bytes, part.payload)
    }

    /// The length of the rows, in bytes, from which on only libpng inflates the image data.
    private static let checkedLength = 32 << 20

    /// Inflates the image data and compares its length with the length that the dimensions require.
    ///
    /// The error names the damage. For a large image, this would take too long, and the decoder reports the same damage
    /// without a name.
    ///
    /// - Throws: ``PhotoError`` if the data is invalid, too short or too long, or if zlib cannot be initialized.
    func check() throws(PhotoError) {
        guard header.dataLength < Self.checkedLength else { return }
        var stream = z_stream()
        guard inflateInit_(&stream, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            throw PhotoError.failed("zlib cannot be initialized: free some memory and try again")
        }
        defer { inflateEnd(&stream) }
        var status = Z_OK
        var length = 0
        for part in parts where part.name == "IDAT" && !part.payload.isEmpty {
            guard status == Z_OK else { throw .damaged("the PNG has more data than its dimensions require") }
            status = inflate(part.payload, by: &stream, addingTo: &length)
        }
        if status == Z_OK { throw .damaged("pixels are missing") }
        guard status == Z_STREAM_END else { throw .damaged("the compressed data of the PNG is invalid") }
        guard length == header.dataLength else {
            throw .damaged("the number of pixels differs from the dimensions of the PNG")
        }
    }

    /// Inflates a chunk, adds the number of output bytes to `length` and discards the bytes.
    ///
    /// Stops as soon as the output is longer than the image. Returns a zlib status, which is `Z_DATA_ERROR` if input
    /// remains.
    private func inflate(
        _ range: Range<Int>, by stream: inout z_stream, addingTo length: inout Int
    ) -> Int32 {
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
                // zlib reports this status if it has consumed all input, which is not an error here.
                if status == Z_BUF_ERROR, stream.avail_in == 0 { status = Z_OK }
                return stream.avail_in > 0 ? Z_DATA_ERROR : status
            }
        }
    }

    /// The file with only the chunks that determine the pixels: `IHDR`, `PLTE`, `tRNS`, `IDAT` and `IEND`.
    ///
    /// All data is in one chunk. libpng does not report chunks after the end of the compressed data.
    var decodable: [UInt8] {
        var file = Array(bytes.prefix(8))
        if let part = parts.first(where: { $0.name == "IHDR" }) { file += bytes[part.range] }
        file += colors
        var data: [UInt8] = []
        for part in parts where part.name == "IDAT" { data += bytes[part.payload] }
        return file + chunk("IDAT", data) + chunk("IEND", [])
    }

    /// The `PLTE` and `tRNS` chunks.
    ///
    /// The palette is padded with black to the number of colors that a pixel can address.
    ///
    /// An invalid `tRNS` chunk is omitted. The result is empty if the image needs a palette and the file has no `PLTE`
    /// chunk.
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

    /// Whether the content of a `tRNS` chunk is valid for the color type and the number of palette colors.
    private func isTransparencyValid(_ content: ArraySlice<UInt8>, _ colorCount: Int) -> Bool {
        let highBytes = stride(from: content.startIndex, to: content.endIndex, by: 2)
        switch header.colorType {
        case PNGHeader.palette: return (1...max(1, colorCount)).contains(content.count)
        case 0, 2:
            guard content.count == (header.colorType == 0 ? 2 : 6) else { return false }
            return highBytes.allSatisfy { index in
                let sample = Int(content[index]) << 8 | Int(content[index + 1])
                return sample < 1 << header.bitDepth
            }
        default: return false
        }
    }

    /// Encodes a chunk with its length and checksum.
    private func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let body = Array(name.utf8) + content
        return bigEndian(content.count) + body + bigEndian(PhotoStructure.pngChecksum(body, body.indices))
    }

    /// Encodes a number as four bytes.
    private func bigEndian(_ number: Int) -> [UInt8] {
        [24, 16, 8, 0].map { shift in UInt8(truncatingIfNeeded: number >> shift) }
    }
}
