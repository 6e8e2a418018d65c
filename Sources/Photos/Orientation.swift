/// The EXIF orientation of an image (Exif 2.32, tag 274).
///
/// The raw value is the EXIF value.
///
/// Each case describes how the stored image differs from the upright image.
enum Orientation: Int, CaseIterable {
    case upright = 1
    case mirrored, turnedAround, flipped, transposed, turnedLeft, transversed, turnedRight

    /// Whether the upright image swaps width and height.
    var swapsSides: Bool { rawValue >= 5 }

    /// Returns the dimensions of the upright image for an image stored with dimensions `size`.
    func upright(_ size: PixelSize) -> PixelSize {
        swapsSides ? PixelSize(width: size.height, height: size.width) : size
    }

    /// Returns the stored pixel that appears at (x, y) in the upright image.
    ///
    /// - Parameters:
    ///   - x: The column in the upright image.
    ///   - y: The row in the upright image.
    ///   - size: The dimensions of the stored image.
    /// - Returns: The column and the row in the stored image.
    func source(x: Int, y: Int, in size: PixelSize) -> (x: Int, y: Int) {
        let right = size.width - 1
        let bottom = size.height - 1
        return switch self {
        case .upright: (x, y)
        case .mirrored: (right - x, y)
        case .turnedAround: (right - x, bottom - y)
        case .flipped: (x, bottom - y)
        case .transposed: (y, x)
        case .turnedLeft: (y, bottom - x)
        case .transversed: (right - y, bottom - x)
        case .turnedRight: (right - y, x)
        }
    }
}

extension Picture {
    /// Returns the image upright and in true color, at an offset on a background.
    ///
    /// - Parameters:
    ///   - orientation: The EXIF orientation of this image.
    ///   - isOpaque: Whether the background is white and the result opaque. Otherwise the background is transparent.
    ///   - canvas: The dimensions of the result before rotation.
    ///   - left: The column of this image on the canvas before rotation.
    ///   - top: The row of this image on the canvas before rotation.
    /// - Returns: A new image with the dimensions of the upright canvas.
    /// - Throws: ``PhotoError/failed(_:)`` if the memory is exhausted.
    func upright(
        _ orientation: Orientation, isOpaque: Bool, on canvas: PixelSize, left: Int = 0, top: Int = 0
    ) throws(PhotoError) -> Picture {
        let result = try Picture(orientation.upright(canvas))
        let background: Int32 = isOpaque ? 0xff_ffff : 127 << 24 | 0xff_ffff
        guard let rows = result.image.pointee.tpixels else { return result }
        let size = size
        for y in 0..<result.size.height {
            guard let row = rows[y] else { continue }
            for x in 0..<result.size.width {
                let source = orientation.source(x: x, y: y, in: canvas)
                let isInside =
                    (left..<left + size.width).contains(source.x)
                    && (top..<top + size.height).contains(source.y)
                let pixel = isInside ? color(source.x - left, source.y - top) : background
                row[x] = isOpaque ? Self.blended(pixel) : pixel
            }
        }
        return result
    }

    /// Returns the opaque color that results from drawing `pixel` on white.
    private static func blended(_ pixel: Int32) -> Int32 {
        let alpha = pixel >> 24 & 0x7f
        guard alpha > 0 else { return pixel }
        return [16, 8, 0].reduce(0) { result, shift in
            let value = pixel >> shift & 0xff
            return result | ((value * (127 - alpha) + 255 * alpha + 63) / 127) << shift
        }
    }
}
