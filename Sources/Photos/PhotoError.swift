/// The reason why a photo cannot be used.
public enum PhotoError: Error, Sendable, Equatable {
    /// The bytes are not a complete photo of a supported format and size. The text describes the problem.
    case invalid(String)
    /// The file has more than ``PhotoFile/sizeLimit`` bytes.
    case tooLargeToRead(size: Int)
    /// The photo has ``Photo/sizeLimit`` or more bytes. `canShrink`: whether ``PhotoFile`` can create a smaller photo.
    case tooLarge(size: Int, canShrink: Bool)
    /// The photo must be shrunk, which removes the EXIF data that the caller asked to keep.
    case tooLargeWithEXIF(size: Int)
    /// A library failed, for example because the memory is exhausted.
    case failed(String)

    /// The error for a file that ends before the image is complete.
    static let truncated = PhotoError.invalid(
        "the photo is truncated: its file ends before the picture does; copy or download it again")

    /// Creates an error for a damaged file.
    ///
    /// - Parameter reason: A clause that describes the damage, with "it" for the photo.
    /// - Returns: An ``invalid(_:)`` error whose text contains the reason and a remedy.
    static func damaged(_ reason: String) -> PhotoError {
        .invalid("the photo is damaged: \(reason); open it in a picture program and save it again")
    }
}
