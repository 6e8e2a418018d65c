/// What a photo's file consists of, read without decoding.
struct PhotoStructure {
    /// A segment, chunk or block.
    struct Part {
        enum Kind: Equatable {
            /// Needed to show the picture as it is meant.
            case picture
            /// A color profile that a JPEG carries along.
            case colorProfile
            case exif
            /// Anything else: of no use for showing the picture.
            case metadata
        }

        var kind: Kind
        /// All of it, with its marker or name.
        var range: Range<Int>
        /// Its content.
        var payload: Range<Int>
        /// The name of a chunk.
        var name = ""
        /// What to write in its place where the metadata is taken out.
        var replacement: [UInt8]?
    }

    /// A still picture has one, as large as itself.
    struct Frame {
        var left = 0
        var top = 0
        var size: PixelSize
        /// Where its data is in the file.
        var data: Range<Int>
    }

    let format: PhotoFormat
    var size = PixelSize(width: 0, height: 0)
    var parts: [Part] = []
    var frames: [Frame] = []
    /// Where the picture ends; what is behind it belongs to something else.
    var end: Int { parts.last?.range.upperBound ?? 0 }

    var hasEXIF: Bool { parts.contains { $0.kind == .exif } }

    /// - Throws: ``PhotoError``.
    init(_ bytes: [UInt8]) throws(PhotoError) {
        guard let format = PhotoFormat(signatureOf: bytes) else {
            throw .invalid("the photo is not a JPEG, PNG, WebP or GIF file")
        }
        self.format = format
        switch format {
        case .jpeg: try readJPEG(bytes)
        case .png: try readPNG(bytes)
        case .gif: try readGIF(bytes)
        case .webp: try readWebP(bytes)
        }
        guard !frames.isEmpty else { throw .invalid("there is no picture in the photo's file") }
    }

    /// The file without metadata, and without what is behind its end; each byte of the picture is as it was.
    func stripped(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(end)
        for part in parts where part.kind == .picture || part.kind == .colorProfile {
            result += part.replacement ?? Array(bytes[part.range])
        }
        if format == .webp { Self.setRIFFSize(&result) }
        return result
    }
}
