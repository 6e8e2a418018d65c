import Base
import Photos

extension HabitError {
    /// Creates the error of a record whose photo cannot be used.
    public init(_ error: PhotoError) {
        let field = Field.photo.name
        switch error {
        case .invalid(let problem):
            self.init(.photoInvalid, problem, field: field)
        case .tooLargeToRead(let size):
            self.init(photoOf: size, limit: PhotoFile.sizeLimit)
        case .tooLarge(let size, let limit, let canShrink):
            self.init(photoOf: size, limit: limit)
            if canShrink { remedies.insert(.give(.shrinkPhoto), at: 0) }
        case .tooManyPixels(let size):
            self.init(
                .photoTooLarge,
                "the photo has \(size.width) × \(size.height) pixels, which need too much memory or time in this format",
                field: field,
                .advice("use a smaller photo, or a JPEG that is neither progressive nor above 50 megapixels"))
        case .tooLargeWithEXIF(let size, let limit):
            self.init(
                .usage,
                "the photo has \(size) bytes; at most \(limit) are allowed, and shrinking it removes its EXIF data",
                field: field, parameters: [.bytes(size), .limit(limit)], .omit(.keepEXIF),
                .advice("use a smaller photo"))
        case .failed(let problem):
            self.init(.internal, problem, field: field)
        }
    }

    /// Creates the error of a photo with more bytes than `limit`.
    private init(photoOf size: Int, limit: Int) {
        self.init(
            .photoTooLarge, "the photo has \(size) bytes; at most \(limit) are allowed", field: Field.photo.name,
            parameters: [.bytes(size), .limit(limit)], .advice("use a smaller photo"))
    }

    /// Runs `body` and converts its error.
    ///
    /// - Parameter body: A closure that reads or creates a photo.
    /// - Returns: The result of `body`.
    /// - Throws: The ``HabitError`` for the error of `body`.
    public static func ofPhoto<Result>(_ body: () throws(PhotoError) -> Result) throws(HabitError) -> Result {
        do { return try body() } catch { throw HabitError(error) }
    }

    /// The same error for an item: the code `picture-invalid` replaces `photo-invalid`.
    public var ofItem: HabitError {
        code == .photoInvalid ? HabitError(.pictureInvalid, message, field: field) : self
    }
}

extension Photo {
    /// The SHA-256 digest of the bytes.
    ///
    /// Photos with the same digest are stored once.
    public var sha256: [UInt8] { bytes.sha256 }
}
