import Photos

extension HabitError {
    /// Creates the error of a record whose photo cannot be used.
    public init(_ error: PhotoError) {
        let field = Field.photo.name
        switch error {
        case .invalid(let problem):
            self.init(.photoInvalid, problem, field: field)
        case .tooLargeToRead(let size):
            self.init(
                .photoTooLarge,
                "the photo has \(size) bytes; at most \(PhotoFile.sizeLimit) are accepted: use a smaller photo",
                field: field)
        case .tooLarge(let size, canShrink: true):
            self.init(
                .photoTooLarge, "the photo has \(size) bytes and must have fewer than \(Photo.sizeLimit)", field: field,
                .give(.shrinkPhoto), .advice("use a smaller photo"))
        case .tooLarge(let size, canShrink: false):
            self.init(
                .photoTooLarge,
                "the photo has \(size) bytes and must have fewer than \(Photo.sizeLimit): use a smaller photo",
                field: field)
        case .tooLargeWithEXIF(let size):
            self.init(
                .usage,
                "the photo has \(size) bytes and must have fewer than \(Photo.sizeLimit), and shrinking it removes its EXIF data",
                field: field, .omit(.keepEXIF), .advice("use a smaller photo"))
        case .failed(let problem):
            self.init(.internal, problem, field: field)
        }
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
