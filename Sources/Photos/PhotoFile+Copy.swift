/// Copies of photos for lists and pages, with fewer pixels.
extension PhotoFile {
    /// The JPEG quality of a copy, 0...100.
    private static let copyQuality = 80
    /// The zlib level of a copy with transparent pixels, which takes a third of the time of the highest level.
    private static let copyCompression: Int32 = 6

    /// Returns a still copy of at most `width` pixels, without metadata.
    ///
    /// A copy never has more pixels than the photo. It is a JPEG, or a PNG if pixels are transparent. A transparent
    /// photo whose PNG is larger than its file becomes a JPEG on a white background. The copy of an animation is its
    /// first frame.
    ///
    /// A photo that is not wider is unchanged except its metadata if it has at most ``Photo/standardLimit`` bytes, if
    /// it is an animation, or if a copy is not smaller. So is a photo that cannot be decoded within the limits.
    ///
    /// Allocates as much memory as ``photo(keepingEXIF:limit:shrinking:verifying:)``.
    ///
    /// - Parameter width: The maximum width of the upright image, in pixels.
    /// - Returns: The file.
    /// - Throws: ``PhotoError/failed(_:)`` if a library fails.
    public func copy(width: Int) throws(PhotoError) -> [UInt8] {
        let original = withoutMetadata()
        let fullWidth = orientation.upright(structure.size).width
        let isNarrow = fullWidth <= width
        let isAnimation = structure.frames.count > 1
        if isNarrow, isAnimation || original.count <= Photo.standardLimit {
            return original
        }
        do throws(PhotoError) {
            let copy = try scaled(from: fullWidth, to: min(width, fullWidth), limit: original.count)
            return isNarrow && copy.count >= original.count ? original : copy
        } catch {
            if case .failed = error { throw error }
            return original
        }
    }

    /// Returns the encoded copy.
    ///
    /// - Parameters:
    ///   - fullWidth: The width of the upright image, in pixels.
    ///   - width: The width of the copy, in pixels.
    ///   - limit: The maximum size of a PNG, in bytes.
    /// - Returns: The file.
    /// - Throws: ``PhotoError`` if the image cannot be decoded or encoded.
    private func scaled(
        from fullWidth: Int,
        to width: Int,
        limit: Int
    ) throws(PhotoError) -> [UInt8] {
        let reduction = structure.factor(from: fullWidth, to: width)
        let whole = try upright(isOpaque: false, reducedBy: reduction)
        let picture = try whole.scaled(by: Double(width) / Double(whole.size.width))
        guard picture.hasTransparency else {
            return try jpeg(picture, quality: Self.copyQuality)
        }
        let png = try picture.png(compression: Self.copyCompression)
        guard png.count > limit else { return png }
        let opaque = try picture.upright(.upright, isOpaque: true, on: picture.size)
        return try jpeg(opaque, quality: Self.copyQuality)
    }
}
