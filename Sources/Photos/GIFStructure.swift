/// GIF: GIF89a, sections 17 to 27.
extension PhotoStructure {
    /// Reads the blocks of a GIF file.
    mutating func readGIF(_ bytes: [UInt8]) throws(PhotoError) {
        var reader = PhotoReader(bytes, bytes.indices)
        _ = try reader.range(6)
        let width = try reader.littleEndian(2)
        size = PixelSize(width: width, height: try reader.littleEndian(2))
        try size.check()
        let flags = try reader.byte()
        _ = try reader.range(2)
        try reader.skipGIFColors(flags)
        parts.append(Part(kind: .picture, range: 0..<reader.offset, payload: 0..<reader.offset))
        while true {
            let start = reader.offset
            var kind = Part.Kind.picture
            switch try reader.byte() {
            case 0x21: kind = try Self.skipGIFExtension(&reader)
            case 0x2c: frames.append(try gifFrame(&reader))
            case 0x3b:
                parts.append(Part(kind: .picture, range: start..<reader.offset, payload: start..<start))
                return
            default: throw .damaged("the GIF has a block of unknown type")
            }
            parts.append(Part(kind: kind, range: start..<reader.offset, payload: start..<reader.offset))
        }
    }

    /// Skips an extension and returns its kind.
    ///
    /// Comments, unknown extensions and most application extensions are metadata. Looping is not.
    private static func skipGIFExtension(_ reader: inout PhotoReader) throws(PhotoError) -> Part.Kind {
        let label = try reader.byte()
        let start = reader.offset
        try reader.skipGIFBlocks()
        let content = reader.bytes[start..<reader.offset].dropFirst()
        switch label {
        case 0xf9, 0x01: return .picture
        case 0xff:
            let isKept = ["NETSCAPE2.0", "ANIMEXTS1.0"].contains { content.starts(with: $0.utf8) }
            return isKept ? .picture : .metadata
        default: return .metadata
        }
    }

    /// Reads an image descriptor and skips its color table and data.
    private func gifFrame(_ reader: inout PhotoReader) throws(PhotoError) -> Frame {
        let left = try reader.littleEndian(2)
        let top = try reader.littleEndian(2)
        let width = try reader.littleEndian(2)
        let frameSize = PixelSize(width: width, height: try reader.littleEndian(2))
        try frameSize.check()
        guard left + frameSize.width <= size.width, top + frameSize.height <= size.height else {
            throw .damaged("a frame of the GIF extends beyond the canvas")
        }
        try reader.skipGIFColors(try reader.byte())
        let start = reader.offset
        _ = try reader.byte()
        try reader.skipGIFBlocks()
        return Frame(left: left, top: top, size: frameSize, data: start..<reader.offset)
    }
}

extension PhotoReader {
    /// Skips a color table if `flags` indicates that it is present.
    fileprivate mutating func skipGIFColors(_ flags: UInt8) throws(PhotoError) {
        if flags & 0x80 != 0 { _ = try range(3 << (Int(flags & 7) + 1)) }
    }

    /// Skips data sub-blocks up to and including the terminator.
    fileprivate mutating func skipGIFBlocks() throws(PhotoError) {
        while true {
            let length = Int(try byte())
            guard length > 0 else { return }
            _ = try range(length)
        }
    }
}
