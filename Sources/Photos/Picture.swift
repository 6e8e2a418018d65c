import CGd

/// A decoded image.
///
/// Owns a libgd image and frees it on deinitialization.
struct Picture: ~Copyable {
    /// The libgd image.
    let image: gdImagePtr

    deinit { gdImageDestroy(image) }

    private init(image: gdImagePtr) { self.image = image }

    /// Creates a black image in true color.
    ///
    /// - Throws: ``PhotoError/failed(_:)`` if the memory is exhausted.
    init(_ size: PixelSize) throws(PhotoError) {
        guard let image = gdImageCreateTrueColor(Int32(clamping: size.width), Int32(clamping: size.height)) else {
            throw PhotoError.failed("there is not enough memory to decode the photo: use a smaller photo")
        }
        gdImageAlphaBlending(image, 0)
        gdImageSaveAlpha(image, 1)
        self.init(image: image)
    }

    /// Decodes a file that contains one image.
    ///
    /// - Parameters:
    ///   - bytes: The file.
    ///   - format: The format of the file.
    ///   - size: The dimensions that the structure of the file specifies.
    ///   - factor: The factor by which a JPEG or a PNG is reduced while it is read.
    /// - Returns: The decoded image, with the dimensions `size`, reduced by the factor.
    /// - Throws: ``PhotoError`` if gd rejects the file, reports a warning, or decodes an image of other dimensions.
    static func decoded(
        _ bytes: [UInt8], as format: PhotoFormat, size: PixelSize, reducedBy factor: Int = 1
    ) throws(PhotoError) -> Picture {
        var complaints: Int32 = 0
        let image = gd_shim_decode(
            format.shim, Int32(clamping: bytes.count), bytes, Int32(clamping: factor), &complaints)
        guard let image else { throw .damaged("the image data cannot be decoded") }
        let picture = Picture(image: image)
        guard complaints == 0 else { throw .damaged("the \(format.fileExtension) data has errors") }
        guard picture.size == size.reduced(by: factor) else {
            throw .damaged("the size of the image differs from its header")
        }
        return picture
    }

    /// The dimensions of the image.
    var size: PixelSize { PixelSize(width: Int(image.pointee.sx), height: Int(image.pointee.sy)) }

    /// Returns the color of a pixel in gd's format: `0xAARRGGBB`, with alpha from 0 (opaque) to 127 (transparent).
    func color(_ x: Int, _ y: Int) -> Int32 {
        gdImageGetTrueColorPixel(image, Int32(x), Int32(y))
    }

    /// Whether a pixel of an image in true color is not opaque.
    var hasTransparency: Bool {
        guard let rows = image.pointee.tpixels else { return false }
        let size = size
        for y in 0..<size.height {
            guard let row = rows[y] else { continue }
            for x in 0..<size.width where row[x] >> 24 & 0x7f != 0 {
                return true
            }
        }
        return false
    }

    /// Fills this image with the complete image `other`, scaled.
    func draw(resampling other: borrowing Picture) {
        gdImageCopyResampled(
            image, other.image, 0, 0, 0, 0, image.pointee.sx, image.pointee.sy, other.image.pointee.sx,
            other.image.pointee.sy)
    }

    /// Encodes the image as a JPEG of quality 0...100.
    ///
    /// - Throws: ``PhotoError/failed(_:)`` if gd cannot encode the image.
    func jpeg(quality: Int) throws(PhotoError) -> [UInt8] {
        var length: Int32 = 0
        let file = gdImageJpegPtr(image, &length, Int32(quality))
        return try Self.bytes(file, length)
    }

    /// Encodes the image as a PNG.
    ///
    /// - Parameter compression: The level of zlib, 1 (fastest) to 9 (smallest).
    /// - Returns: The file.
    /// - Throws: ``PhotoError/failed(_:)`` if gd cannot encode the image.
    func png(compression: Int32 = 9) throws(PhotoError) -> [UInt8] {
        var length: Int32 = 0
        let file = gdImagePngPtrEx(image, &length, compression)
        return try Self.bytes(file, length)
    }

    /// Returns the encoded file without gd's comments, and frees gd's buffer.
    private static func bytes(_ file: UnsafeMutableRawPointer?, _ length: Int32) throws(PhotoError) -> [UInt8] {
        guard let file else {
            throw PhotoError.failed("the photo cannot be encoded: free some memory and try again")
        }
        defer { gdFree(file) }
        let bytes = Array(UnsafeRawBufferPointer(start: file, count: Int(length)))
        return try PhotoStructure(bytes).stripped(bytes)
    }
}

extension PhotoFormat {
    /// The C constant of the format.
    fileprivate var shim: gd_shim_format {
        switch self {
        case .jpeg: GD_SHIM_JPEG
        case .png: GD_SHIM_PNG
        case .gif: GD_SHIM_GIF
        case .webp: GD_SHIM_WEBP
        }
    }
}

extension PhotoStructure {
    /// Decodes the complete file and returns its first frame.
    ///
    /// - Parameters:
    ///   - bytes: The file.
    ///   - factor: The factor by which a JPEG or a PNG is reduced, at most ``highestFactor``.
    ///   - isCopied: Whether the caller copies the image onto its canvas, which needs memory too.
    /// - Returns: The first frame, reduced by the factor.
    /// - Throws: ``PhotoError`` if a part of the file is damaged, if the image needs too much memory, or if a library
    ///   fails.
    func decode(
        _ bytes: [UInt8], reducedBy factor: Int = 1, isCopied: Bool = false
    ) throws(PhotoError) -> Picture {
        guard let first = frames.first else { throw .truncated }
        try checkCost(reducedBy: factor, isCopied: isCopied)
        switch format {
        case .jpeg: return try Picture.decoded(bytes, as: format, size: size, reducedBy: factor)
        case .png:
            let data = try PNGData(bytes, self)
            try data.check()
            return try Picture.decoded(data.decodable, as: format, size: size, reducedBy: factor)
        case .gif:
            for frame in frames {
                try GIFData.check(bytes, frame)
            }
            return try Picture.decoded(bytes, as: format, size: first.size)
        case .webp:
            let isAnimation = parts.contains { part in part.name == "ANMF" }
            guard isAnimation else { return try Picture.decoded(bytes, as: format, size: size) }
            for frame in frames.dropFirst() {
                _ = try Picture.decoded(webpStill(bytes, frame), as: format, size: frame.size)
            }
            return try Picture.decoded(webpStill(bytes, first), as: format, size: first.size)
        }
    }
}
