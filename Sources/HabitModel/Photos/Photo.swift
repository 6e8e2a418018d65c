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
    /// Throws `photo-too-large`, or `photo-invalid` for what is no picture, truncated, or of an impossible size.
    public init(_ bytes: [UInt8]) throws(HabitError) {
        guard bytes.count < Self.sizeLimit else { throw Self.tooLarge(bytes.count) }
        let structure = try PhotoStructure(bytes)
        self.bytes = bytes
        mediaType = structure.format.rawValue
        dimensions = structure.size
        hasEXIF = structure.hasEXIF
    }

    /// Decodes the whole picture, to be believed. Throws `photo-invalid`.
    ///
    /// Takes some milliseconds, and about 4 to 10 bytes of memory a pixel while it runs.
    public func verify() throws(HabitError) {
        guard !isVerified else { return }
        _ = try PhotoStructure(bytes).decode(bytes)
    }

    /// The same photo, decoded once by ``verify()``.
    public func verified() throws(HabitError) -> Photo {
        try verify()
        var photo = self
        photo.isVerified = true
        return photo
    }

    public static func tooLarge(_ size: Int) -> HabitError {
        HabitError(
            .photoTooLarge, "the photo has \(size) bytes and must have less than \(sizeLimit): make it smaller",
            field: Field.photo.rawValue)
    }

    /// By which equal photos are stored once.
    public var sha256: [UInt8] { bytes.sha256 }

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

    /// Throws `photo-invalid`, naming the size.
    func check() throws(HabitError) {
        let sides = 1...Self.maximumSide
        guard sides.contains(width), sides.contains(height), area <= Self.maximumArea else {
            throw .photoInvalid(
                """
                the photo says that it has \(width) × \(height) pixels: it must have 1 to \(Self.maximumSide) a side, \
                and \(Self.maximumArea / 1_000_000) megapixels at most
                """)
        }
    }
}

extension HabitError {
    /// What is no photo is no picture either, where it is that of an item: `picture-invalid`.
    public var ofItem: HabitError {
        code == .photoInvalid ? HabitError(.pictureInvalid, message, field: field) : self
    }

    static func photoInvalid(_ message: String) -> HabitError {
        HabitError(.photoInvalid, message, field: Field.photo.rawValue)
    }

    static var photoTruncated: HabitError {
        .photoInvalid("the photo is truncated: its file ends before the picture does; copy or download it again")
    }

    static func photoDamaged(_ reason: String) -> HabitError {
        .photoInvalid("the photo is damaged: \(reason); open it in a picture program and save it again")
    }
}
