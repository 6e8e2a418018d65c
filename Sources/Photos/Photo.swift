/// A photo in the form in which it is stored: a structurally complete JPEG, PNG, GIF or WebP file.
public struct Photo: Sendable, Equatable {
    /// The maximum size of a photo unless its kind has another limit, in bytes.
    public static let standardLimit = 65_535
    /// The maximum size of every photo, in bytes.
    public static let highestLimit = 1_000_000

    /// The bytes of the file.
    public let bytes: [UInt8]
    /// The media type, such as `image/jpeg`.
    public let mediaType: String
    /// The dimensions in the file, without the rotation by an EXIF orientation.
    public let dimensions: PixelSize
    /// Whether the file has EXIF data, even if it is not readable.
    public let hasEXIF: Bool
    /// Whether ``verified()`` returned this photo.
    ///
    /// If `true`, ``verify()`` does not decode the photo again.
    public private(set) var isVerified = false

    /// Compares the bytes of two photos.
    public static func == (first: Photo, second: Photo) -> Bool { first.bytes == second.bytes }

    /// Reads the structure and the dimensions in microseconds, without decoding.
    ///
    /// ``verify()`` decodes the image.
    ///
    /// - Parameters:
    ///   - bytes: The file.
    ///   - limit: The maximum size in bytes.
    /// - Throws: ``PhotoError`` if the bytes are too many, are not a photo, are truncated, or have invalid dimensions.
    public init(_ bytes: [UInt8], limit: Int = highestLimit) throws(PhotoError) {
        guard bytes.count <= limit else {
            throw .tooLarge(size: bytes.count, limit: limit, canShrink: false)
        }
        let structure = try PhotoStructure(bytes)
        self.bytes = bytes
        mediaType = structure.format.rawValue
        dimensions = structure.size
        hasEXIF = structure.hasEXIF
    }

    /// Decodes the complete image, unless ``isVerified`` is `true`.
    ///
    /// Takes a few milliseconds. A JPEG and a PNG are reduced while they are read, so that few pixels are in memory.
    ///
    /// - Throws: ``PhotoError/invalid(_:)`` if the image cannot be decoded, ``PhotoError/tooManyPixels(_:)`` if it needs
    ///   too much memory, or ``PhotoError/failed(_:)`` if a library fails.
    public func verify() throws(PhotoError) {
        guard !isVerified else { return }
        let structure = try PhotoStructure(bytes)
        _ = try structure.decode(bytes, reducedBy: structure.highestFactor)
    }

    /// Decodes the image with ``verify()`` and returns the photo with ``isVerified`` set.
    ///
    /// - Throws: ``PhotoError``, as in ``verify()``.
    public func verified() throws(PhotoError) -> Photo {
        try verify()
        var photo = self
        photo.isVerified = true
        return photo
    }

    /// Returns the photo without its metadata, or this photo if it has no metadata.
    ///
    /// - Throws: ``PhotoError`` if the photo is damaged or the rotated image is too large.
    public func withoutMetadata() throws(PhotoError) -> Photo {
        let stripped = try PhotoFile(bytes).photo(limit: Self.highestLimit, verifying: false)
        return stripped == self ? self : stripped
    }

    /// The file extension without a dot: `jpg`, `png`, `gif` or `webp`.
    public var fileExtension: String { Self.fileExtension(of: mediaType) }

    /// Returns the file extension for the media type of a photo, or `bin` for any other type.
    public static func fileExtension(of mediaType: String) -> String {
        PhotoFormat(rawValue: mediaType)?.fileExtension ?? "bin"
    }

    /// Returns the media type for the signature at the beginning of a file, or `nil` for an unsupported format.
    public static func mediaType(of bytes: some Collection<UInt8>) -> String? {
        PhotoFormat(signatureOf: bytes)?.rawValue
    }
}

/// Dimensions in pixels.
public struct PixelSize: Sendable, Hashable {
    /// The width in pixels.
    public let width: Int
    /// The height in pixels.
    public let height: Int

    /// Maximum width and height of a photo, in pixels.
    static let maximumSide = 16_384
    /// Maximum number of pixels of a photo: 8192 × 6144, the largest image of a camera with 50 megapixels.
    ///
    /// The limit bounds the time for decoding.
    static let maximumArea = 50_331_648

    /// The number of pixels.
    var area: Int { width * height }

    /// The longer side in pixels.
    var longSide: Int { max(width, height) }

    /// Returns the size of an image in which each pixel is the mean of a square of `factor` pixels a side.
    func reduced(by factor: Int) -> PixelSize {
        PixelSize(width: (width + factor - 1) / factor, height: (height + factor - 1) / factor)
    }

    /// Checks the dimensions against the limits.
    ///
    /// - Throws: ``PhotoError/invalid(_:)`` with the dimensions, if a side is 0 or a limit is exceeded.
    func check() throws(PhotoError) {
        let sides = 1...Self.maximumSide
        guard sides.contains(width), sides.contains(height), area <= Self.maximumArea else {
            throw .invalid(
                """
                the photo has \(width) × \(height) pixels: use a photo with 1 to \(Self.maximumSide) pixels a side \
                and at most \(Self.maximumArea / 1_000_000) megapixels
                """)
        }
    }
}
