/// The parts of a photo file, read without decoding the image.
struct PhotoStructure {
    /// A segment (JPEG), chunk (PNG, WebP) or block (GIF).
    struct Part {
        /// The purpose of a part.
        enum Kind: Equatable {
            /// Data that is required to display the image correctly.
            case picture
            /// An ICC color profile.
            case colorProfile
            /// EXIF data.
            case exif
            /// Other data, which has no effect on the displayed image.
            case metadata
        }

        /// The purpose of the part.
        var kind: Kind
        /// The range of the complete part in the file, including its marker or name.
        var range: Range<Int>
        /// The range of the content in the file.
        var payload: Range<Int>
        /// The name of a PNG or WebP chunk.
        ///
        /// Empty in other formats.
        var name = ""
        /// The bytes that replace the part when the metadata is removed, or `nil` if the part is copied.
        var replacement: [UInt8]?
    }

    /// An image in the file.
    ///
    /// A still image has one frame, usually with the size of the image.
    struct Frame {
        /// Distance from the left edge of the image, in pixels.
        var left = 0
        /// Distance from the top edge of the image, in pixels.
        var top = 0
        /// The dimensions of the frame.
        var size: PixelSize
        /// The range of the frame's data in the file.
        ///
        /// Only the GIF and WebP decoders use it.
        var data: Range<Int>
    }

    /// The format of the file.
    let format: PhotoFormat
    /// The dimensions of the complete image.
    var size = PixelSize(width: 0, height: 0)
    /// The parts in file order, without gaps.
    var parts: [Part] = []
    /// The frames in file order.
    var frames: [Frame] = []
    /// The number of scans of a JPEG, otherwise 0.
    var scanCount = 0
    /// The number of samples of a JPEG, otherwise 0.
    var sampleCount = 0
    /// Whether a PNG is interlaced.
    var isInterlaced = false
    /// The number of bytes of all rows of a PNG, otherwise 0.
    var rowBytes = 0
    /// The offset of the end of the image.
    ///
    /// Bytes after it are not part of the image.
    var end: Int { parts.last?.range.upperBound ?? 0 }

    /// Whether the file has EXIF data, even if it is not readable.
    var hasEXIF: Bool { parts.contains { $0.kind == .exif } }

    /// Reads the structure of a file.
    ///
    /// - Throws: ``PhotoError`` if the format is unsupported, the structure is invalid or truncated, or the dimensions
    ///   are invalid.
    init(_ bytes: [UInt8]) throws(PhotoError) {
        guard let format = PhotoFormat(signatureOf: bytes) else {
            throw .invalid("the photo is not a JPEG, PNG, WebP or GIF file: convert it to one of these formats")
        }
        self.format = format
        switch format {
        case .jpeg: try readJPEG(bytes)
        case .png: try readPNG(bytes)
        case .gif: try readGIF(bytes)
        case .webp: try readWebP(bytes)
        }
        guard !frames.isEmpty else { throw .invalid("the photo's file contains no image: choose another file") }
        try replaceColorProfile(bytes)
    }

    /// Returns the file without metadata and without the bytes after ``end``.
    ///
    /// The image data is unchanged.
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
