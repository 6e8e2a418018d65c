import CZlib

/// PNG: ISO/IEC 15948 (third edition, W3C 2025), chapters 5 and 11.
extension PhotoStructure {
    /// The ancillary chunks that affect the appearance or the animation of the image.
    private static let pngLooks: Set = [
        "tRNS", "gAMA", "cHRM", "sRGB", "sBIT", "cICP", "mDCV", "cLLI", "pHYs", "bKGD", "hIST", "sPLT", "acTL",
        "fcTL", "fdAT",
    ]

    /// Reads the chunks of a PNG file.
    mutating func readPNG(_ bytes: [UInt8]) throws(PhotoError) {
        var reader = PhotoReader(bytes, bytes.indices)
        let signature = try reader.range(8)
        parts.append(Part(kind: .picture, range: signature, payload: signature))
        repeat {
            let chunk = try Self.pngChunk(&reader)
            let previous = parts.last?.name ?? ""
            guard (chunk.name == "IHDR") == (parts.count == 1) else {
                throw .damaged("the PNG does not begin with a header")
            }
            if chunk.name == "IHDR" { try readPNGHeader(bytes, chunk.payload) }
            if chunk.name == "IDAT", previous != "IDAT" {
                guard frames.isEmpty else { throw .damaged("the PNG data is not contiguous") }
                frames = [Frame(size: size, data: chunk.payload)]
            }
            parts.append(chunk)
        } while parts.last?.name != "IEND"
    }

    /// Reads a chunk and verifies its name and checksum.
    private static func pngChunk(_ reader: inout PhotoReader) throws(PhotoError) -> Part {
        let start = reader.offset
        let length = try reader.bigEndian(4)
        let name = try reader.name()
        let payload = try reader.range(length)
        let checksum = try reader.bigEndian(4)
        let isName = name.unicodeScalars.allSatisfy { scalar in
            scalar.isASCII && scalar.properties.isAlphabetic
        }
        guard isName else {
            throw .damaged("the name of a PNG chunk is invalid")
        }
        guard checksum == pngChecksum(reader.bytes, payload.lowerBound - 4..<payload.upperBound) else {
            throw .damaged("the checksum of a PNG chunk is wrong")
        }
        return Part(
            kind: kind(ofChunk: name, reader.bytes[payload]), range: start..<reader.offset, payload: payload, name: name
        )
    }

    /// Classifies a chunk by its name and its content.
    private static func kind(ofChunk name: String, _ content: ArraySlice<UInt8>) -> Part.Kind {
        switch name {
        case "eXIf": return .exif
        case "iCCP": return .colorProfile
        case "tEXt", "zTXt", "iTXt":
            // ImageMagick and ExifTool stored EXIF in these text chunks before PNG had a chunk for EXIF.
            let hasEXIF = ["exif", "APP1"].contains { type in
                content.starts(with: "Raw profile type \(type)\0".utf8)
            }
            return hasEXIF ? .exif : .metadata
        default:
            let isCritical = name.first?.isUppercase == true
            return isCritical || pngLooks.contains(name) ? .picture : .metadata
        }
    }

    /// Computes the CRC-32 of the name and content of a chunk.
    static func pngChecksum(_ bytes: [UInt8], _ range: Range<Int>) -> Int {
        bytes[range].withUnsafeBufferPointer { bytes in
            Int(crc32_z(0, bytes.baseAddress, bytes.count))
        }
    }

    /// Reads the dimensions from the IHDR chunk.
    private mutating func readPNGHeader(_ bytes: [UInt8], _ payload: Range<Int>) throws(PhotoError) {
        let header = try PNGHeader(bytes, payload)
        size = header.size
        isInterlaced = header.isInterlaced
        rowBytes = header.dataLength
        try size.check()
    }
}

/// The content of the IHDR chunk.
struct PNGHeader {
    let size: PixelSize
    /// Bits per sample, or per palette index: 1, 2, 4, 8 or 16.
    let bitDepth: Int
    /// The PNG color type: 0, 2, 3, 4 or 6.
    let colorType: UInt8
    let isInterlaced: Bool

    /// The color type of images with a palette.
    static let palette: UInt8 = 3

    /// Parses the content of an IHDR chunk.
    ///
    /// - Throws: ``PhotoError`` if the content is truncated or invalid.
    init(_ bytes: [UInt8], _ payload: Range<Int>) throws(PhotoError) {
        var reader = PhotoReader(bytes, payload)
        let width = try reader.bigEndian(4)
        size = PixelSize(width: width, height: try reader.bigEndian(4))
        bitDepth = Int(try reader.byte())
        colorType = try reader.byte()
        let methods = [try reader.byte(), try reader.byte()]
        let interlacing = try reader.byte()
        isInterlaced = interlacing == 1
        guard reader.isAtEnd, methods == [0, 0], interlacing <= 1, Self.depths(colorType).contains(bitDepth) else {
            throw .damaged("the PNG header is invalid")
        }
    }

    /// Returns the bit depths that are valid for a color type.
    private static func depths(_ colorType: UInt8) -> [Int] {
        switch colorType {
        case 0: [1, 2, 4, 8, 16]
        case palette: [1, 2, 4, 8]
        case 2, 4, 6: [8, 16]
        default: []
        }
    }

    /// The number of bits of a pixel.
    var bitsPerPixel: Int {
        switch colorType {
        case 2: 3 * bitDepth
        case 4: 2 * bitDepth
        case 6: 4 * bitDepth
        default: bitDepth
        }
    }

    /// The number of bytes of the filtered rows: one filter byte per row plus the pixels.
    ///
    /// An interlaced image has the rows of its seven Adam7 passes.
    var dataLength: Int {
        func rows(_ width: Int, _ height: Int) -> Int {
            width == 0 ? 0 : height * (1 + (width * bitsPerPixel + 7) / 8)
        }
        guard isInterlaced else { return rows(size.width, size.height) }
        return Self.passes.reduce(0) { sum, pass in
            let width = pass.columns.count(upTo: size.width)
            let height = pass.rows.count(upTo: size.height)
            return sum + rows(width, height)
        }
    }

    /// The columns or the rows of a pass: the first one, and the distance between two of them.
    private struct PassLines {
        let first: Int
        let distance: Int

        /// Returns the number of columns or rows of the pass in an image with `side` columns or rows.
        func count(upTo side: Int) -> Int {
            (side - first + distance - 1) / distance
        }
    }

    /// The seven passes of Adam7.
    private static let passes: [(columns: PassLines, rows: PassLines)] = [
        (PassLines(first: 0, distance: 8), PassLines(first: 0, distance: 8)),
        (PassLines(first: 4, distance: 8), PassLines(first: 0, distance: 8)),
        (PassLines(first: 0, distance: 4), PassLines(first: 4, distance: 8)),
        (PassLines(first: 2, distance: 4), PassLines(first: 0, distance: 4)),
        (PassLines(first: 0, distance: 2), PassLines(first: 2, distance: 4)),
        (PassLines(first: 1, distance: 2), PassLines(first: 0, distance: 2)),
        (PassLines(first: 0, distance: 1), PassLines(first: 1, distance: 2)),
    ]
}
