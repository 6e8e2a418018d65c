/// JPEG: ITU-T T.81, annex B; JFIF 1.02; Exif 2.32, section 4.7; ICC.1:2010, section B.4.
extension PhotoStructure {
    /// Maximum number of scans.
    ///
    /// Encoders produce about ten. A malicious file could require thousands of scans of a large image.
    private static let maximumScans = 64

    /// Reads the segments of a JPEG file.
    mutating func readJPEG(_ bytes: [UInt8]) throws(PhotoError) {
        var reader = PhotoReader(bytes, bytes.indices)
        let signature = try reader.range(2)
        parts.append(Part(kind: .picture, range: signature, payload: signature))
        while true {
            let start = reader.offset
            let marker = try reader.jpegMarker()
            switch marker {
            case 0xd9:
                parts.append(Part(kind: .picture, range: start..<reader.offset, payload: start..<start))
                guard scanCount > 0 else { throw .invalid("the photo's file contains no image: choose another file") }
                return
            case 0x00, 0x01, 0xd0...0xd8:
                throw .damaged("the JPEG has a marker at an invalid position")
            default:
                let payload = try reader.range(max(0, try reader.bigEndian(2) - 2))
                try readFrameSize(marker, in: bytes, payload: payload)
                if marker == 0xda {
                    scanCount += 1
                    guard scanCount <= Self.maximumScans, !frames.isEmpty else {
                        throw .damaged("the JPEG scans are invalid")
                    }
                    try reader.skipJPEGScan()
                }
                parts.append(Self.jpegPart(marker, in: bytes, range: start..<reader.offset, payload: payload))
            }
        }
    }

    /// Reads the dimensions from a frame header (SOF0 to SOF15).
    ///
    /// The markers DHT, JPG and DAC are in the same range.
    private mutating func readFrameSize(
        _ marker: UInt8, in bytes: [UInt8], payload: Range<Int>
    ) throws(PhotoError) {
        guard (0xc0...0xcf).contains(marker), marker != 0xc4, marker != 0xc8, marker != 0xcc else { return }
        guard frames.isEmpty else { throw .damaged("the JPEG has two frames") }
        var header = PhotoReader(bytes, payload)
        _ = try header.byte()
        let height = try header.bigEndian(2)
        size = PixelSize(width: try header.bigEndian(2), height: height)
        try size.check()
        frames = [Frame(size: size, data: payload)]
        sampleCount = try Self.sampleCount(&header, size)
    }

    /// Reads the sampling factors of the components and returns the number of samples of the image.
    private static func sampleCount(_ header: inout PhotoReader, _ size: PixelSize) throws(PhotoError) -> Int {
        var factors: [Int] = []
        var largest = PixelSize(width: 1, height: 1)
        for _ in 0..<Int(try header.byte()) {
            _ = try header.byte()
            let sampling = Int(try header.byte())
            _ = try header.byte()
            let columns = sampling >> 4
            let rows = sampling & 15
            factors.append(columns * rows)
            largest = PixelSize(width: max(largest.width, columns), height: max(largest.height, rows))
        }
        return factors.reduce(0) { sum, factor in
            sum + size.area * factor / largest.area
        }
    }

    /// Classifies a segment by its marker and its content.
    private static func jpegPart(
        _ marker: UInt8, in bytes: [UInt8], range: Range<Int>, payload: Range<Int>
    ) -> Part {
        var part = Part(kind: .picture, range: range, payload: payload)
        let content = bytes[payload]
        switch marker {
        case 0xe0 where content.starts(with: "JFIF\0".utf8) && content.count >= 14:
            // The JFIF thumbnail is removed, because it can show parts of the image that were edited out.
            if content.count > 14 { part.replacement = [0xff, 0xe0, 0, 16] + content.prefix(12) + [0, 0] }
        case 0xe1 where content.starts(with: "Exif\0".utf8):
            part.kind = .exif
            part.payload = min(payload.lowerBound + 6, payload.upperBound)..<payload.upperBound
        case 0xe2 where content.starts(with: "ICC_PROFILE\0".utf8): part.kind = .colorProfile
        case 0xee where content.starts(with: "Adobe".utf8): break
        case 0xe0...0xef, 0xfe: part.kind = .metadata
        default: break
        }
        return part
    }

    /// The color profile segment of a JPEG, for insertion into another JPEG, or nothing if the file has no known profile.
    var profileSegment: [UInt8] {
        guard format == .jpeg else { return [] }
        let profile = parts.first { part in part.kind == .colorProfile }
        return profile?.replacement ?? []
    }
}

extension PhotoReader {
    /// Reads the next marker, after any number of fill bytes.
    fileprivate mutating func jpegMarker() throws(PhotoError) -> UInt8 {
        guard try byte() == 0xff else { throw .damaged("a JPEG marker is missing") }
        var marker = try byte()
        while marker == 0xff { marker = try byte() }
        return marker
    }

    /// Skips entropy-coded data up to the next marker.
    ///
    /// Restart markers are part of the data.
    fileprivate mutating func skipJPEGScan() throws(PhotoError) {
        var index = offset
        while index < end - 1 {
            if bytes[index] != 0xff {
                index += 1
            } else if bytes[index + 1] == 0 || (0xd0...0xd7).contains(bytes[index + 1]) {
                index += 2
            } else {
                _ = try range(index - offset)
                return
            }
        }
        throw .truncated
    }
}
