/// The reason why a photo cannot be used.
public enum PhotoError: Error, Sendable, Equatable {
    /// The bytes are not a complete photo of a supported format and size. The text describes the problem.
    case invalid(String)
    /// The file has more than ``PhotoFile/sizeLimit`` bytes.
    case tooLargeToRead(size: Int)
    /// The photo has more bytes than `limit`. `canShrink`: whether ``PhotoFile`` can create a smaller photo.
    case tooLarge(size: Int, limit: Int, canShrink: Bool)
    /// The photo has too many pixels: decoding it needs more memory or time than the program uses.
    case tooManyPixels(PixelSize)
    /// The photo must be shrunk, which removes the EXIF data that the caller requested to keep.
    case tooLargeWithEXIF(size: Int, limit: Int)
    /// A library failed, for example because the memory is exhausted.
    case failed(String)

    /// The error for a file that ends before the image is complete.
    static let truncated = PhotoError.invalid(
        "the photo is truncated (the file ends before the image is complete): copy or download the file again")

    /// Creates the error of a damaged file.
    ///
    /// - Parameter reason: A clause that describes the damage.
    /// - Returns: An ``invalid(_:)`` error whose text contains the reason and a remedy.
    static func damaged(_ reason: String) -> PhotoError {
        .invalid("the photo is damaged (\(reason)): open it in an image editor and save it again")
    }
}
