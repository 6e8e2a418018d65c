import Base
import CGd
import CZlib
import HabitModel
import HabitTestSupport
import Testing

@testable import Photos

/// Tests that decoding a photo needs little memory, whatever its size is.
@Suite(.engineIndependent) struct DecodingCostTests {
    /// Returns the file of a PNG with black pixels.
    private static func blackPNG(_ size: PixelSize, depth: UInt8 = 8) throws -> [UInt8] {
        func bytes(_ number: Int) -> [UInt8] {
            (0..<4).map { index in UInt8(truncatingIfNeeded: number >> (24 - 8 * index)) }
        }
        func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
            let body = Array(name.utf8) + content
            return bytes(content.count) + body + bytes(PhotoStructure.pngChecksum(body, body.indices))
        }
        let rows = [UInt8](repeating: 0, count: (1 + size.width * Int(depth) / 2) * size.height)
        var length = compressBound(UInt(rows.count))
        var data = [UInt8](repeating: 0, count: Int(length))
        try #require(compress2(&data, &length, rows, UInt(rows.count), 1) == Z_OK)
        let header = bytes(size.width) + bytes(size.height) + [depth, 6, 0, 0, 0]
        return [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] + chunk("IHDR", header)
            + chunk("IDAT", Array(data.prefix(Int(length)))) + chunk("IEND", [])
    }

    /// Returns the structure of a sample as if it had another size.
    private static func structure(_ sample: SamplePhoto, width: Int, height: Int) throws -> PhotoStructure {
        var structure = try PhotoStructure(try sample.bytes())
        structure.size = PixelSize(width: width, height: height)
        structure.frames = structure.frames.prefix(1).map { PhotoStructure.Frame(size: structure.size, data: $0.data) }
        if structure.format == .jpeg { structure.sampleCount = structure.size.area * 3 / 2 }
        return structure
    }

    /// Cameras with 50 megapixels have these sizes.
    @Test(arguments: [(8160, 6120), (8192, 6144), (16_384, 3072)]) func largePhotosFit(size: (Int, Int)) throws {
        for sample in [SamplePhoto.jpeg, .png, .palettePNG] {
            let structure = try Self.structure(sample, width: size.0, height: size.1)
            let factor = structure.factor(from: structure.size.longSide, to: 2048)
            #expect(factor > 1)
            #expect(structure.size.reduced(by: factor).longSide >= 2048)
            try structure.checkCost(reducedBy: factor, isCopied: true)
            try structure.checkCost(reducedBy: structure.highestFactor, isCopied: false)
        }
    }

    /// These formats need all pixels in memory.
    @Test(arguments: [SamplePhoto.progressiveJPEG, .interlacedPNG, .webp, .losslessWebP])
    func largePhotosOfOtherFormsAreTooLarge(sample: SamplePhoto) throws {
        let structure = try Self.structure(sample, width: 8192, height: 6144)
        let error = #expect(throws: HabitError.self) {
            try HabitError.ofPhoto { () throws(PhotoError) in
                try structure.checkCost(reducedBy: structure.highestFactor, isCopied: false)
            }
        }
        #expect(error?.code == .photoTooLarge)
        #expect(error?.message.contains("8192 × 6144 pixels") == true)
        try Self.structure(sample, width: 2000, height: 1500).checkCost(reducedBy: 1, isCopied: true)
    }

    @Test func gifIsTooLargeOnlyWithItsCopy() throws {
        let structure = try Self.structure(.gif, width: 8192, height: 6144)
        try structure.checkCost(reducedBy: 1, isCopied: false)
        #expect(throws: PhotoError.self) { try structure.checkCost(reducedBy: 1, isCopied: true) }
    }

    /// 50 megapixels with 16 bits in each of four channels take 400 MB of rows, and with 8 bits 200 MB.
    @Test func rowsOfPNGHaveLimit() throws {
        var structure = try Self.structure(.png, width: 16_384, height: 3051)
        structure.rowBytes = 3051 * (1 + 16_384 * 4)
        try structure.checkCost(reducedBy: 8, isCopied: true)
        structure.rowBytes = 3051 * (1 + 16_384 * 8)
        #expect(throws: PhotoError.self) { try structure.checkCost(reducedBy: 8, isCopied: true) }
    }

    /// Each scan of a progressive JPEG reads all coefficients again.
    @Test func manyScansOfLargeImageAreTooLarge() throws {
        var structure = try Self.structure(.progressiveJPEG, width: 4000, height: 3000)
        structure.scanCount = 10
        try structure.checkCost(reducedBy: 1, isCopied: false)
        structure.scanCount = 64
        #expect(throws: PhotoError.self) { try structure.checkCost(reducedBy: 1, isCopied: false) }
    }

    @Test func samplesOfJPEGAreCounted() throws {
        let structure = try PhotoStructure(try SamplePhoto.jpeg.bytes())
        // gd halves both sides of the two color components.
        #expect(structure.sampleCount == 40 * 24 * 3 / 2)
        #expect(structure.scanCount == 1)
        #expect(try PhotoStructure(try SamplePhoto.progressiveJPEG.bytes()).scanCount > 3)
    }

    // MARK: Reduction

    @Test(arguments: [(SamplePhoto.jpeg, [2, 4, 8]), (.png, [2, 3, 5, 7, 64])])
    func reducedImageHasMeansOfSquares(sample: SamplePhoto, factors: [Int]) throws {
        let size = PixelSize(width: 131, height: 70)
        let picture = try SamplePhoto.quarters(size)
        let bytes = sample == .jpeg ? try picture.jpeg(quality: 95) : try picture.png()
        let structure = try PhotoStructure(bytes)
        for factor in factors {
            let reduced = try structure.decode(bytes, reducedBy: factor)
            #expect(reduced.size == size.reduced(by: factor))
            let right = Int(reduced.image.pointee.sx) - 1
            let bottom = Int(reduced.image.pointee.sy) - 1
            guard right > 3, bottom > 3 else { continue }
            for (index, point) in [(0, 0), (right, 0), (0, bottom), (right, bottom)].enumerated() {
                let found = reduced.color(point.0, point.1)
                let expected = SamplePhoto.corners[index].color
                for shift in [16, 8, 0] {
                    #expect(abs((found >> shift & 0xff) - (expected >> shift & 0xff)) < 12, "\(factor) \(index)")
                }
            }
        }
    }

    /// A transparent pixel does not color the mean.
    @Test func transparentPixelsHaveNoColor() throws {
        let picture = try Picture(PixelSize(width: 4, height: 2))
        for x in 0..<4 {
            for y in 0..<2 {
                gdImageSetPixel(picture.image, Int32(x), Int32(y), x % 2 == 0 ? 0x00_c864 : 127 << 24 | 0xff_ffff)
            }
        }
        let bytes = try picture.png()
        let reduced = try PhotoStructure(bytes).decode(bytes, reducedBy: 2)
        let color = reduced.color(0, 0)
        #expect(color & 0xff_ffff == 0x00_c864, "\(String(color, radix: 16))")
        #expect(abs((color >> 24 & 0x7f) - 64) <= 1, "\(String(color, radix: 16))")
    }

    /// The file has 200 MB of rows.
    @Test func largePNGIsVerifiedAndShrunk() throws {
        let bytes = try Self.blackPNG(PixelSize(width: 8192, height: 6144))
        #expect(bytes.count > Photo.standardLimit)
        let photo = try PhotoFile(bytes).photo(shrinking: true)
        #expect(photo.bytes.count <= Photo.standardLimit)
        #expect(photo.dimensions.width == 2048)
    }

    @Test func surplusDataOfLargePNGIsFound() throws {
        let size = PixelSize(width: 4096, height: 2100)
        let whole = try Self.blackPNG(size)
        // The header declares one row less, or one more.
        for height in [2099, 2101] {
            var bytes = whole
            bytes[20..<24] = [0, 0, UInt8(height >> 8), UInt8(height & 255)]
            let checksum = PhotoStructure.pngChecksum(bytes, 12..<29)
            for index in 0..<4 { bytes[29 + index] = UInt8(truncatingIfNeeded: checksum >> (24 - 8 * index)) }
            #expect {
                _ = try PhotoStructure(bytes).decode(bytes, reducedBy: 64)
            } throws: {
                if case .invalid(let text)? = $0 as? PhotoError { text.contains("damaged") } else { false }
            }
        }
    }

    /// A phone stores its orientation instead of rotating the pixels.
    @Test func largeRotatedJPEGIsShrunkUpright() throws {
        let picture = try Picture(PixelSize(width: 8160, height: 6120))
        let plain = try picture.jpeg(quality: 60)
        let exif: [UInt8] = [
            0xff, 0xe1, 0, 34, 0x45, 0x78, 0x69, 0x66, 0, 0,
            0x4d, 0x4d, 0, 42, 0, 0, 0, 8,
            0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6,
            0, 0, 0, 0, 0, 0,
        ]
        let photo = try PhotoFile(Array(plain.prefix(2)) + exif + plain.dropFirst(2)).photo(shrinking: true)
        #expect(photo.dimensions.height > photo.dimensions.width)
        #expect(photo.bytes.count <= Photo.standardLimit)
    }
}
