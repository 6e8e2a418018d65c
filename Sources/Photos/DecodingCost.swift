/// The memory and the time that the decoder of a photo needs.
///
/// The structure of a file is read before, so that a small file cannot make the program allocate much memory.
extension PhotoStructure {
    /// Maximum memory for the pixels of a photo, in bytes: 128 MiB.
    ///
    /// The limit includes the pixels of a rotated or scaled copy.
    static let memoryLimit = 128 << 20
    /// Maximum number of samples that the scans of a JPEG contain together.
    ///
    /// The decoder reads all samples of the image in each scan.
    private static let scannedSampleLimit = 1_000_000_000
    /// Maximum number of bytes of all rows of a PNG: 256 MiB.
    ///
    /// Only some rows are in memory, but the decoder inflates all of them, which takes half a second at the limit.
    private static let rowByteLimit = 256 << 20
    /// The bytes of a pixel of a decoded image.
    private static let pixelBytes = 4

    /// Whether the decoder can reduce the image by a factor while it reads the file.
    private var isReducible: Bool { format == .jpeg || format == .png }

    /// The highest factor by which the decoder can reduce the image.
    ///
    /// An image that is decoded only to verify it needs few pixels.
    var highestFactor: Int {
        switch format {
        case .jpeg: 8
        case .png: 64
        case .gif, .webp: 1
        }
    }

    /// Returns the highest factor by which the image can be reduced so that a side has at least a number of pixels.
    ///
    /// libjpeg scales by 1/1, 1/2, 1/4 and 1/8.
    ///
    /// - Parameters:
    ///   - length: The length of the side in the file, in pixels.
    ///   - target: The number of pixels.
    /// - Returns: The factor, at least 1.
    func factor(from length: Int, to target: Int) -> Int {
        let factor = max(1, min(length / target, highestFactor))
        guard format == .jpeg else { return factor }
        return [8, 4, 2].first { $0 <= factor } ?? 1
    }

    /// Checks that decoding needs neither too much memory nor too much time.
    ///
    /// - Parameters:
    ///   - factor: The factor by which the decoder reduces the image.
    ///   - isCopied: Whether the decoded image is copied onto its canvas.
    /// - Throws: ``PhotoError/tooManyPixels(_:)``.
    func checkCost(reducedBy factor: Int, isCopied: Bool) throws(PhotoError) {
        let copy = isCopied ? size.reduced(by: factor).area * Self.pixelBytes : 0
        guard decodedBytes(reducedBy: factor) + copy <= Self.memoryLimit,
            scanCount * sampleCount <= Self.scannedSampleLimit, rowBytes <= Self.rowByteLimit
        else { throw .tooManyPixels(size) }
    }

    private func decodedBytes(reducedBy factor: Int) -> Int {
        let image = size.reduced(by: factor).area * Self.pixelBytes
        let largest = frames.map(\.size.area).max() ?? size.area
        switch format {
        // If a JPEG has several scans, libjpeg keeps 16-bit coefficients of all samples.
        case .jpeg: return image + (scanCount > 1 ? 2 * sampleCount : 0)
        // The rows of an interlaced PNG are complete only at the end of the file.
        case .png: return image + (isInterlaced ? size.area : size.width) * Self.pixelBytes
        case .gif: return largest
        // libwebp and gd each have the pixels.
        case .webp: return 2 * largest * Self.pixelBytes
        }
    }
}
