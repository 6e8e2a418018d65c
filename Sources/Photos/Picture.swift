import CGd

/// A decoded picture: libgd's image, freed with this value.
struct Picture: ~Copyable {
    let image: gdImagePtr

    deinit { gdImageDestroy(image) }

    private init(image: gdImagePtr) { self.image = image }

    /// A black picture in true color. Throws `internal` where the memory does not suffice.
    init(_ size: PixelSize) throws(PhotoError) {
        guard let image = gdImageCreateTrueColor(Int32(clamping: size.width), Int32(clamping: size.height)) else {
            throw PhotoError.failed("there is not enough memory for the photo")
        }
        gdImageAlphaBlending(image, 0)
        gdImageSaveAlpha(image, 1)
        self.init(image: image)
    }

    /// Decodes a file of one image.
    ///
    /// - Throws: ``PhotoError`` if gd refuses the file, warns about it, or finds another size.
    static func decoded(
        _ format: PhotoFormat, _ bytes: [UInt8], _ size: PixelSize
    ) throws(PhotoError) -> Picture {
        var complaints: Int32 = 0
        let image = gd_shim_decode(format.shim, Int32(clamping: bytes.count), bytes, &complaints)
        guard let image else { throw .damaged("it cannot be decoded") }
        let picture = Picture(image: image)
        guard complaints == 0 else { throw .damaged("its \(format.fileExtension) data has errors") }
        guard picture.size == size else { throw .damaged("it is not of the size that it says") }
        return picture
    }

    var size: PixelSize { PixelSize(width: Int(image.pointee.sx), height: Int(image.pointee.sy)) }

    /// The color of a pixel, in gd's notation: `0xAARRGGBB`, alpha from 0 (opaque) to 127.
    func color(_ x: Int, _ y: Int) -> Int32 {
        gdImageGetTrueColorPixel(image, Int32(x), Int32(y))
    }

    /// Fills this picture with all of another, scaled.
    func draw(resampling other: borrowing Picture) {
        gdImageCopyResampled(
            image, other.image, 0, 0, 0, 0, image.pointee.sx, image.pointee.sy, other.image.pointee.sx,
            other.image.pointee.sy)
    }

    func jpeg(quality: Int) throws(PhotoError) -> [UInt8] {
        var length: Int32 = 0
        let file = gdImageJpegPtr(image, &length, Int32(quality))
        return try Self.bytes(file, length)
    }

    func png() throws(PhotoError) -> [UInt8] {
        var length: Int32 = 0
        let file = gdImagePngPtrEx(image, &length, 9)
        return try Self.bytes(file, length)
    }

    /// What gd has encoded, without the comments that it adds.
    private static func bytes(_ file: UnsafeMutableRawPointer?, _ length: Int32) throws(PhotoError) -> [UInt8] {
        guard let file else {
            throw PhotoError.failed("the photo could not be encoded")
        }
        defer { gdFree(file) }
        let bytes = Array(UnsafeRawBufferPointer(start: file, count: Int(length)))
        return try PhotoStructure(bytes).stripped(bytes)
    }
}

extension PhotoFormat {
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
    /// Decodes the complete file, and returns its first frame.
    ///
    /// - Throws: ``PhotoError``.
    func decode(_ bytes: [UInt8]) throws(PhotoError) -> Picture {
        guard let first = frames.first else { throw .truncated }
        switch format {
        case .jpeg: return try Picture.decoded(format, bytes, size)
        case .png:
            let data = try PNGData(bytes, self)
            try data.check()
            return try Picture.decoded(format, data.decodable, size)
        case .gif:
            for frame in frames { try GIFData.check(bytes, frame) }
            return try Picture.decoded(format, bytes, first.size)
        case .webp:
            guard parts.contains(where: { $0.name == "ANMF" }) else { return try Picture.decoded(format, bytes, size) }
            for frame in frames.dropFirst() { _ = try Picture.decoded(format, webpStill(bytes, frame), frame.size) }
            return try Picture.decoded(format, webpStill(bytes, first), first.size)
        }
    }
}
