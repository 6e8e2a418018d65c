/// A picture's file as it is stored: under 65,536 bytes, a whole JPEG, PNG, GIF or WebP file by its structure.
public struct Photo: Sendable, Equatable {
    /// The bytes a photo must stay below.
    public static let sizeLimit = 65_536

    public let bytes: [UInt8]
    public let mediaType: String
    /// As the file has it: an EXIF orientation is not applied.
    public let dimensions: PixelSize
    /// Whether there is any EXIF in the file, be it readable or not.
    public let hasEXIF: Bool
    /// Whether ``verified()`` has returned this photo, so that the photo need not be decoded again.
    public private(set) var isVerified = false

    public static func == (first: Photo, second: Photo) -> Bool { first.bytes == second.bytes }

    /// Reads the structure and the dimensions without decoding, in microseconds: ``verify()`` does the rest.
    ///
    /// - Throws: ``PhotoError`` if the bytes are too many, are not a photo, are truncated, or have an impossible size.
    public init(_ bytes: [UInt8]) throws(PhotoError) {
        guard bytes.count < Self.sizeLimit else { throw .tooLarge(size: bytes.count, canShrink: false) }
        let structure = try PhotoStructure(bytes)
        self.bytes = bytes
        mediaType = structure.format.rawValue
        dimensions = structure.size
        hasEXIF = structure.hasEXIF
    }

    /// Decodes the complete image.
    ///
    /// Takes some milliseconds, and 4 to 10 bytes of memory per pixel while it runs.
    /// - Throws: ``PhotoError/invalid(_:)`` if the image cannot be decoded.
    public func verify() throws(PhotoError) {
        guard !isVerified else { return }
        _ = try PhotoStructure(bytes).decode(bytes)
    }

    /// The same photo, decoded once by ``verify()``.
    public func verified() throws(PhotoError) -> Photo {
        try verify()
        var photo = self
        photo.isVerified = true
        return photo
    }

    /// `jpg`, `png`, `gif` or `webp`.
    public var fileExtension: String { Self.fileExtension(of: mediaType) }

    /// The file extension of a photo's media type; `bin` for a type that no photo has.
    public static func fileExtension(of mediaType: String) -> String {
        PhotoFormat(rawValue: mediaType)?.fileExtension ?? "bin"
    }

    /// The type that the signature at the beginning of a file tells.
    public static func mediaType(of bytes: some Collection<UInt8>) -> String? {
        PhotoFormat(signatureOf: bytes)?.rawValue
    }
}

/// Width and height in pixels.
public struct PixelSize: Sendable, Hashable {
    public let width: Int
    public let height: Int

    /// What a photo may have: more than any camera's picture needs, less than what would fill the memory.
    static let maximumSide = 16_384
    static let maximumArea = 50_000_000

    var area: Int { width * height }

    /// - Throws: ``PhotoError/invalid(_:)``, which names the size.
    func check() throws(PhotoError) {
        let sides = 1...Self.maximumSide
        guard sides.contains(width), sides.contains(height), area <= Self.maximumArea else {
            throw .invalid(
                """
                the photo says that it has \(width) × \(height) pixels: it must have 1 to \(Self.maximumSide) a side, \
                and \(Self.maximumArea / 1_000_000) megapixels at most
                """)
        }
    }
}
