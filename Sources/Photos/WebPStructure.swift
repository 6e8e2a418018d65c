/// WebP: RFC 9649, sections 2 and 3; the frame headers of VP8 (RFC 6386, section 9.1) and VP8L.
extension PhotoStructure {
    private static let webpEXIFFlag: UInt8 = 0x08
    private static let webpXMPFlag: UInt8 = 0x04
    private static let webpAlphaFlag: UInt8 = 0x10
    private static let webpProfileFlag: UInt8 = 0x20

    /// Removes the flag of a color profile from the header that replaces the header of the file.
    mutating func clearWebPProfileFlag() {
        guard let index = parts.firstIndex(where: { $0.name == "VP8X" }) else { return }
        let flags = parts[index].payload.lowerBound - parts[index].range.lowerBound
        parts[index].replacement?[flags] &= ~Self.webpProfileFlag
    }

    /// Reads the chunks of a WebP file.
    mutating func readWebP(_ bytes: [UInt8]) throws(PhotoError) {
        var header = PhotoReader(bytes, bytes.indices)
        _ = try header.range(4)
        let content = try header.range(try header.littleEndian(4))
        var reader = PhotoReader(bytes, content)
        _ = try reader.range(4)
        parts.append(Part(kind: .picture, range: 0..<reader.offset, payload: 0..<0))
        while !reader.isAtEnd {
            let chunk = try Self.webpChunk(&reader)
            try readWebPChunk(bytes, chunk)
        }
        // Each frame of an animation is decoded completely, so the limit applies to the sum of their areas.
        let area = frames.map(\.size.area).reduce(0, +)
        guard area <= PixelSize.maximumArea else {
            throw .invalid(
                "the photo's frames have more than \(PixelSize.maximumArea / 1_000_000) megapixels: shrink the photo")
        }
    }

    /// Reads the header of a chunk and skips its content.
    private static func webpChunk(_ reader: inout PhotoReader) throws(PhotoError) -> Part {
        let start = reader.offset
        let name = try reader.name()
        let payload = try reader.range(try reader.littleEndian(4))
        // A pad byte makes the length even. Some encoders omit it at the end of the file.
        if payload.count % 2 == 1, !reader.isAtEnd { _ = try reader.byte() }
        return Part(kind: .picture, range: start..<reader.offset, payload: payload, name: name)
    }

    /// Classifies a chunk, reads its dimensions and frames, and adds it to the parts.
    private mutating func readWebPChunk(_ bytes: [UInt8], _ chunk: Part) throws(PhotoError) {
        var chunk = chunk
        switch chunk.name {
        case "VP8X" where parts.count == 1: try readWebPHeader(bytes, &chunk)
        case "VP8 ", "VP8L":
            let frame = Frame(size: try Self.webpSize(bytes, chunk), data: chunk.range)
            if parts.count == 1 { size = frame.size }
            guard frames.isEmpty, frame.size == size else {
                throw .damaged("the size of the WebP image differs from its header")
            }
            frames = [frame]
        case "ANMF": frames.append(try webpFrame(bytes, chunk))
        case "ALPH", "ANIM": break
        case "ICCP": chunk.kind = .colorProfile
        case "EXIF": chunk.kind = .exif
        default: chunk.kind = .metadata
        }
        parts.append(chunk)
    }

    /// Reads the dimensions from a VP8X chunk, and prepares a replacement without the EXIF and XMP flags.
    private mutating func readWebPHeader(_ bytes: [UInt8], _ chunk: inout Part) throws(PhotoError) {
        var reader = PhotoReader(bytes, chunk.payload)
        let flags = try reader.byte()
        _ = try reader.range(3)
        size = try Self.size24(&reader)
        try size.check()
        var replacement = Array(bytes[chunk.range])
        replacement[chunk.payload.lowerBound - chunk.range.lowerBound] =
            flags & ~(Self.webpEXIFFlag | Self.webpXMPFlag)
        chunk.replacement = replacement
    }

    /// Reads the frame of an ANMF chunk.
    private func webpFrame(_ bytes: [UInt8], _ chunk: Part) throws(PhotoError) -> Frame {
        var reader = PhotoReader(bytes, chunk.payload)
        let left = 2 * (try reader.littleEndian(3))
        let top = 2 * (try reader.littleEndian(3))
        let frameSize = try Self.size24(&reader)
        try frameSize.check()
        _ = try reader.range(4)
        guard left + frameSize.width <= size.width, top + frameSize.height <= size.height else {
            throw .damaged("a frame of the WebP animation extends beyond the canvas")
        }
        let frame = Frame(left: left, top: top, size: frameSize, data: reader.offset..<chunk.payload.upperBound)
        while !reader.isAtEnd {
            let part = try Self.webpChunk(&reader)
            guard part.name == "VP8 " || part.name == "VP8L" else { continue }
            guard try Self.webpSize(bytes, part) == frameSize else {
                throw .damaged("the size of a WebP frame differs from its header")
            }
        }
        return frame
    }

    /// Reads dimensions that are stored as two 24-bit numbers, each one less than the dimension.
    private static func size24(_ reader: inout PhotoReader) throws(PhotoError) -> PixelSize {
        let width = try reader.littleEndian(3) + 1
        return PixelSize(width: width, height: try reader.littleEndian(3) + 1)
    }

    /// Reads the dimensions from the header of a VP8 or VP8L bitstream.
    private static func webpSize(_ bytes: [UInt8], _ chunk: Part) throws(PhotoError) -> PixelSize {
        var reader = PhotoReader(bytes, chunk.payload)
        let size: PixelSize
        if chunk.name == "VP8L" {
            _ = try reader.byte()
            let bits = try reader.littleEndian(4)
            size = PixelSize(width: bits & 0x3fff + 1, height: bits >> 14 & 0x3fff + 1)
        } else {
            _ = try reader.range(6)
            let width = try reader.littleEndian(2) & 0x3fff
            size = PixelSize(width: width, height: try reader.littleEndian(2) & 0x3fff)
        }
        try size.check()
        return size
    }

    /// Updates the file size in the RIFF header.
    static func setRIFFSize(_ file: inout [UInt8]) {
        let size = UInt32(truncatingIfNeeded: file.count - 8)
        guard file.count >= 12 else { return }
        for index in 0..<4 {
            file[4 + index] = UInt8(truncatingIfNeeded: size >> UInt32(8 * index))
        }
    }

    /// Returns a frame of an animation as a still image file, because gd does not decode animations.
    func webpStill(_ bytes: [UInt8], _ frame: Frame) -> [UInt8] {
        let width = frame.size.width - 1
        let height = frame.size.height - 1
        let data = bytes[frame.data]
        var file = Array("RIFF\0\0\0\0WEBP".utf8)
        if data.starts(with: "ALPH".utf8) {
            file += Array("VP8X".utf8) + [10, 0, 0, 0, Self.webpAlphaFlag, 0, 0, 0]
            for side in [width, height] {
                file += [0, 8, 16].map { shift in UInt8(truncatingIfNeeded: side >> shift) }
            }
        }
        file += data
        Self.setRIFFSize(&file)
        return file
    }
}
