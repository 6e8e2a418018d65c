import Geo

/// A photo as somebody hands it in: of any size up to 64 MiB, with all that a camera has written into it.
public struct PhotoFile: Sendable {
    /// The bytes it may have: 64 MiB.
    public static let sizeLimit = 64 << 20

    private let bytes: [UInt8]
    private let structure: PhotoStructure
    private let orientation: Orientation
    /// Where the photo was taken, from its EXIF; nil where that does not say so, or nothing that can be.
    public let position: Position?

    /// Reads the structure of a file, without decoding the image.
    ///
    /// - Throws: ``PhotoError`` if the bytes are too many, are not a photo, are truncated, or have an impossible size.
    public init(_ bytes: [UInt8]) throws(PhotoError) {
        guard bytes.count <= Self.sizeLimit else {
            throw .tooLargeToRead(size: bytes.count)
        }
        self.bytes = bytes
        structure = try PhotoStructure(bytes)
        // ImageMagick's form of EXIF in a PNG's text is taken out, but no program turns a picture by it.
        let exif = structure.parts.first { $0.kind == .exif && !$0.name.hasSuffix("Xt") }
            .map { EXIF(bytes[$0.payload]) }
        orientation = exif?.orientation ?? .upright
        position = exif?.position
    }

    /// The photo to be stored, decoded once to be believed; not where `verifying` is false, for who decodes it later.
    ///
    /// Without `keepingEXIF`, all metadata is taken out, and each byte of the picture stays; only a picture that EXIF
    /// turns is turned and encoded again (as JPEG of quality 90, or less where it would be too large; or PNG; of an
    /// animation, the first frame). With
    /// `shrinking`, one that is too large is encoded as a JPEG that is not, in front of white.
    /// The same bytes give the same photo. Takes up to 10 bytes of memory a pixel.
    ///
    /// - Throws: ``PhotoError``.
    public func photo(
        keepingEXIF: Bool = false, shrinking: Bool = false, verifying: Bool = true
    ) throws(PhotoError) -> Photo {
        // The size limit is that of the file before its EXIF data is removed.
        guard shrinking || bytes.count < Photo.sizeLimit else {
            throw .tooLarge(size: bytes.count, canShrink: true)
        }
        let file = keepingEXIF ? bytes : try stripped()
        // A file below the limit grows if its picture is turned.
        guard file.count >= Photo.sizeLimit else { return verifying ? try verified(file) : try Photo(file) }
        guard !keepingEXIF else {
            throw .tooLargeWithEXIF(size: file.count)
        }
        return try verified(try shrunk())
    }

    private func verified(_ file: [UInt8]) throws(PhotoError) -> Photo {
        try Photo(file).verified()
    }

    private func stripped() throws(PhotoError) -> [UInt8] {
        guard orientation != .upright else { return structure.stripped(bytes) }
        let picture = try upright(isOpaque: false)
        return structure.format == .jpeg ? try jpeg(picture, quality: 90) : try picture.png()
    }

    private func upright(isOpaque: Bool) throws(PhotoError) -> Picture {
        let picture = try structure.decode(bytes)
        let frame = structure.frames.first
        return try picture.upright(
            orientation, isOpaque: isOpaque, on: structure.size, left: frame?.left ?? 0, top: frame?.top ?? 0)
    }

    /// A JPEG under the limit: of the largest size that fits, and of the best quality at that size.
    private func shrunk() throws(PhotoError) -> [UInt8] {
        let original = try upright(isOpaque: true)
        var longSide = min(Double(Self.longestShrunkSide), Double(max(original.size.width, original.size.height)))
        while true {
            let picture = try original.scaled(longSide: longSide)
            // Where the worst quality does not fit, none does.
            var best = try jpeg(picture, quality: Self.worstQuality)
            if best.count < Photo.sizeLimit {
                for quality in stride(from: Self.worstQuality + 5, through: Self.bestQuality, by: 5) {
                    let file = try jpeg(picture, quality: quality)
                    guard file.count < Photo.sizeLimit else { break }
                    best = file
                }
                return best
            }
            guard longSide > 1 else { throw .tooLarge(size: best.count, canShrink: false) }
            longSide *= 0.8
        }
    }

    private static let bestQuality = 85
    private static let worstQuality = 40
    /// A larger picture would hardly fit at any quality, and takes long to try.
    private static let longestShrunkSide = 2048

    /// With the original's color profile, which the pixels are still meant by.
    private func jpeg(_ picture: borrowing Picture, quality: Int) throws(PhotoError) -> [UInt8] {
        var file = try picture.jpeg(quality: quality)
        let jfif = try PhotoStructure(file).parts.dropFirst().first?.range.upperBound ?? 2
        file.insert(contentsOf: structure.rgbProfileSegments(bytes), at: jfif)
        return file
    }
}

extension Picture {
    /// The same picture with its longer side about `longSide`, and the other in proportion. Not enlarged.
    fileprivate func scaled(longSide: Double) throws(PhotoError) -> Picture {
        let factor = min(1, longSide / Double(max(size.width, size.height)))
        let scaled = PixelSize(
            width: max(1, Int((Double(size.width) * factor).rounded())),
            height: max(1, Int((Double(size.height) * factor).rounded())))
        let result = try Picture(scaled)
        result.draw(resampling: self)
        return result
    }
}
