import Geo

/// A photo file as the user uploads it: up to 64 MiB, with the metadata of the camera.
public struct PhotoFile: Sendable {
    /// Maximum file size in bytes: 64 MiB.
    public static let sizeLimit = 64 << 20

    private let bytes: [UInt8]
    let structure: PhotoStructure
    /// The EXIF orientation, or `.upright` if the file does not contain a valid orientation.
    let orientation: Orientation
    /// The position from the EXIF data, or `nil` if the EXIF data has no valid position.
    public let position: Position?
    /// Whether the EXIF data has a position that cannot be read.
    public let hasUnreadablePosition: Bool

    /// Reads the structure and the EXIF data of a file, without decoding the image.
    ///
    /// - Throws: ``PhotoError`` if the bytes are too many, are not a photo, are truncated, or have invalid dimensions.
    public init(_ bytes: [UInt8]) throws(PhotoError) {
        guard bytes.count <= Self.sizeLimit else {
            throw .tooLargeToRead(size: bytes.count)
        }
        self.bytes = bytes
        structure = try PhotoStructure(bytes)
        let exif = structure.exif(in: bytes)
        orientation = exif?.orientation ?? .upright
        position = exif?.position
        hasUnreadablePosition = exif?.hasUnreadablePosition ?? false
    }

    /// Creates the photo to store, with or without metadata.
    ///
    /// Equal bytes and options produce equal photos.
    ///
    /// If `keepingEXIF` is `false`, all metadata is removed and the image data is copied unchanged. Only an image with
    /// an EXIF rotation is rotated and encoded again: a JPEG as a JPEG of quality 90, other formats as a PNG of the
    /// first frame. If the rotated image is too large, it is encoded as if `shrinking` were `true`.
    ///
    /// Allocates up to 128 MiB of memory for pixels. A JPEG or a PNG without interlacing that is shrunk is reduced while it
    /// is read, so that its size does not matter.
    ///
    /// - Parameters:
    ///   - keepingEXIF: Whether all metadata, including the position, remains in the photo.
    ///   - limit: The maximum size of the photo in bytes, at most ``Photo/highestLimit``.
    ///   - shrinking: Whether a file that is too large is encoded as a smaller JPEG on a white background.
    ///   - verifying: Whether the photo is decoded once to verify it. Pass `false` if the caller decodes it later.
    /// - Returns: The photo.
    /// - Throws: ``PhotoError`` if the photo is damaged, or too large under these options.
    public func photo(
        keepingEXIF: Bool = false,
        limit: Int = Photo.standardLimit,
        shrinking: Bool = false,
        verifying: Bool = true
    ) throws(PhotoError) -> Photo {
        // The limit applies to the size of the file before its EXIF data is removed.
        guard shrinking || bytes.count <= limit else {
            throw .tooLarge(size: bytes.count, limit: limit, canShrink: true)
        }
        // A large rotated photo is rotated after it has been scaled down.
        if shrinking, !keepingEXIF, orientation != .upright, structure.stripped(bytes).count > limit {
            return try verified(try shrunk(to: limit))
        }
        let file = keepingEXIF ? bytes : try stripped()
        // Rotating an image can increase its size from below the limit to above it.
        guard file.count > limit else { return verifying ? try verified(file) : try Photo(file) }
        guard !keepingEXIF else {
            throw .tooLargeWithEXIF(size: file.count, limit: limit)
        }
        return try verified(try shrunk(to: limit))
    }

    /// Returns the file without its metadata.
    ///
    /// An image with an EXIF rotation is rotated and encoded again. If that is not possible, it keeps its rotation in the
    /// file.
    public func withoutMetadata() -> [UInt8] {
        if let file = try? stripped(), file.count <= Photo.highestLimit { return file }
        return structure.stripped(bytes)
    }

    /// Creates a photo and verifies it.
    private func verified(_ file: [UInt8]) throws(PhotoError) -> Photo {
        try Photo(file).verified()
    }

    /// The file without metadata.
    ///
    /// An image with an EXIF rotation is rotated and encoded again.
    private func stripped() throws(PhotoError) -> [UInt8] {
        guard orientation != .upright else { return structure.stripped(bytes) }
        let picture = try upright(isOpaque: false)
        return structure.format == .jpeg ? try jpeg(picture, quality: 90) : try picture.png()
    }

    /// Decodes the first frame and returns it upright, on the canvas of the complete image.
    ///
    /// - Parameters:
    ///   - isOpaque: Whether the background is white and the result opaque.
    ///   - factor: The factor by which the image is reduced.
    /// - Returns: The upright image.
    /// - Throws: ``PhotoError`` if the image is damaged or needs too much memory.
    func upright(isOpaque: Bool, reducedBy factor: Int = 1) throws(PhotoError) -> Picture {
        let picture = try structure.decode(bytes, reducedBy: factor, isCopied: true)
        let frame = structure.frames.first
        return try picture.upright(
            orientation, isOpaque: isOpaque, on: structure.size.reduced(by: factor), left: frame?.left ?? 0,
            top: frame?.top ?? 0)
    }

    /// Encodes a JPEG of at most `limit` bytes with the largest possible dimensions, then with the best possible
    /// quality.
    ///
    /// The longer side is reduced in steps of 20%. The quality varies in steps of 5.
    private func shrunk(to limit: Int) throws(PhotoError) -> [UInt8] {
        let factor = structure.factor(from: structure.size.longSide, to: Self.longestShrunkSide)
        let original = try upright(isOpaque: true, reducedBy: factor).scaled(longSide: Double(Self.longestShrunkSide))
        var longSide = min(Double(Self.longestShrunkSide), Double(original.size.longSide))
        while true {
            let picture = try original.scaled(longSide: longSide)
            // If the lowest quality does not fit, no quality fits.
            var best = try jpeg(picture, quality: Self.worstQuality)
            if best.count <= limit {
                for quality in stride(from: Self.worstQuality + 5, through: Self.bestQuality, by: 5) {
                    let file = try jpeg(picture, quality: quality)
                    guard file.count <= limit else { break }
                    best = file
                }
                return best
            }
            guard longSide > 1 else { throw .tooLarge(size: best.count, limit: limit, canShrink: false) }
            longSide *= 0.8
        }
    }

    /// Maximum JPEG quality of a shrunk photo, 0...100.
    private static let bestQuality = 85
    /// Minimum JPEG quality of a shrunk photo, 0...100.
    private static let worstQuality = 40
    /// Maximum longer side of a shrunk photo, in pixels.
    ///
    /// A larger image rarely fits at any quality, and trying it is slow.
    private static let longestShrunkSide = 2048

    /// Encodes a JPEG with the RGB color profile of the original, because the pixel values refer to that profile.
    func jpeg(_ picture: borrowing Picture, quality: Int) throws(PhotoError) -> [UInt8] {
        var file = try picture.jpeg(quality: quality)
        let jfif = try PhotoStructure(file).parts.dropFirst().first?.range.upperBound ?? 2
        file.insert(contentsOf: structure.profileSegment, at: jfif)
        return file
    }
}

extension Picture {
    /// Returns the image scaled down to a longer side of about `longSide` pixels, with the same aspect ratio.
    ///
    /// A smaller image keeps its dimensions.
    fileprivate func scaled(longSide: Double) throws(PhotoError) -> Picture {
        let factor = min(1, longSide / Double(size.longSide))
        return try scaled(by: factor)
    }

    /// Returns the image scaled by a factor of at most 1, with at least one pixel a side.
    func scaled(by factor: Double) throws(PhotoError) -> Picture {
        let scaled = PixelSize(
            width: max(1, Int((Double(size.width) * factor).rounded())),
            height: max(1, Int((Double(size.height) * factor).rounded())))
        let result = try Picture(scaled)
        result.draw(resampling: self)
        return result
    }
}
