import Geo

/// The position, the time and the description in the EXIF data of a photo.
public struct PhotoMetadata: Sendable, Equatable {
    /// The position, or `nil` if a coordinate is missing or invalid.
    public private(set) var position: Position?
    /// Whether the EXIF data has a position that cannot be read.
    public private(set) var hasUnreadablePosition = false
    /// The local time in the form `YYYY:MM:DD HH:MM:SS`, or `nil` if the tag is missing.
    public private(set) var taken: String?
    /// The UTC offset of ``taken`` as the camera writes it, usually in the form `+HH:MM`, or `nil` if the tag is missing.
    public private(set) var offset: String?
    /// The UTC date of the position in the form `YYYY:MM:DD`, or `nil` if the tag is missing.
    public private(set) var gpsDate: String?
    /// The UTC hours, minutes and seconds of the position, or `nil` if the tag is missing or has a denominator of 0.
    public private(set) var gpsTime: [Double]?
    /// Whether the EXIF data has a UTC time of the position that cannot be read.
    public private(set) var hasUnreadableGPSTime = false
    /// The description, or `nil` if the tag is missing.
    public private(set) var description: String?
    /// Whether ``PhotoFile`` can read the image.
    ///
    /// It cannot read HEIC and AVIF.
    public let isReadable: Bool

    /// Reads the EXIF data of a JPEG, PNG, GIF, WebP, HEIC or AVIF file, without decoding the image.
    ///
    /// - Throws: ``PhotoError`` if the bytes are not a photo, or if the photo is truncated or damaged.
    public init(_ bytes: [UInt8]) throws(PhotoError) {
        isReadable = !HEIFStructure.isHEIF(bytes)
        let exif =
            try isReadable ? PhotoStructure(bytes).exif(in: bytes) : HEIFStructure(bytes).exif.map { EXIF($0[...]) }
        guard let exif else { return }
        position = exif.position
        hasUnreadablePosition = exif.hasUnreadablePosition
        taken = exif.taken
        offset = exif.offset
        gpsDate = exif.gpsDate
        gpsTime = exif.gpsTime
        hasUnreadableGPSTime = exif.hasUnreadableGPSTime
        description = exif.description
    }
}

extension PhotoStructure {
    /// Parses the EXIF data of the file, or returns `nil` if the file has no EXIF data.
    func exif(in bytes: [UInt8]) -> EXIF? {
        // EXIF data that ImageMagick stores in a PNG text chunk is removed from stored photos. It is not evaluated
        // here, because no program rotates an image by it.
        parts.first { $0.kind == .exif && !$0.name.hasSuffix("Xt") }.map { EXIF(bytes[$0.payload]) }
    }
}
