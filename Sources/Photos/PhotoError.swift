/// The reason why a photo cannot be used.
public enum PhotoError: Error, Sendable, Equatable {
    /// The bytes are not a complete photo of a format and size that can be stored. The text describes the problem.
    case invalid(String)
    /// The file has more than ``PhotoFile/sizeLimit`` bytes.
    case tooLargeToRead(size: Int)
    /// The photo has ``Photo/sizeLimit`` or more bytes. `canShrink`: ``PhotoFile`` can make a smaller one.
    case tooLarge(size: Int, canShrink: Bool)
    /// The photo has to be shrunk, which removes the EXIF data that was to be kept.
    case tooLargeWithEXIF(size: Int)
    /// A library failed, for example because the memory is exhausted.
    case failed(String)

    static let truncated = PhotoError.invalid(
        "the photo is truncated: its file ends before the picture does; copy or download it again")

    static func damaged(_ reason: String) -> PhotoError {
        .invalid("the photo is damaged: \(reason); open it in a picture program and save it again")
    }
}
