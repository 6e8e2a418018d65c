import CGd
import HabitTestSupport
import Testing

@testable import Photos

/// Tests of the copies of photos with fewer pixels.
@Suite(.engineIndependent) struct PhotoCopyTests {
    private static let large = PixelSize(width: 1600, height: 800)

    /// Returns the color of the pixel that is near the top left corner.
    private static func topLeft(_ bytes: [UInt8]) throws -> Int32 {
        try PhotoStructure(bytes).decode(bytes).color(2, 2)
    }

    /// Returns the quarter whose color is most similar.
    private static func letter(of color: Int32) -> Character? {
        func difference(_ other: Int32) -> Int32 {
            [0, 8, 16].reduce(0) { sum, shift in
                sum + abs(color >> shift & 0xff - other >> shift & 0xff)
            }
        }
        let nearest = SamplePhoto.corners.min { one, other in difference(one.color) < difference(other.color) }
        return nearest?.letter
    }

    @Test(arguments: [320, 1080]) func copyHasRequestedWidth(width: Int) throws {
        let bytes = try SamplePhoto.quarters(Self.large).jpeg(quality: 95)
        let copy = try Photo(try PhotoFile(bytes).copy(width: width))
        #expect(copy.dimensions == PixelSize(width: width, height: width / 2))
        #expect(copy.mediaType == "image/jpeg")
        try copy.verify()
    }

    @Test func copyOfOpaquePNGIsJPEG() throws {
        let bytes = try SamplePhoto.noise(PixelSize(width: 640, height: 100)).png()
        let copy = try Photo(try PhotoFile(bytes).copy(width: 320))
        #expect(copy.mediaType == "image/jpeg")
        #expect(copy.dimensions == PixelSize(width: 320, height: 50))
    }

    /// The limit applies to the width of the upright image.
    @Test(arguments: [
        (1, "R", 320, 160),
        (3, "W", 320, 160),
        (6, "B", 320, 640),
        (8, "G", 320, 640),
    ])
    func copyIsUpright(orientation: Int, corner: String, width: Int, height: Int) throws {
        let picture = try SamplePhoto.quarters(Self.large)
        let bytes = try withEXIF(try picture.jpeg(quality: 95), tiff(orientation: orientation))
        let copy = try PhotoFile(bytes).copy(width: 320)
        #expect(try Photo(copy).dimensions == PixelSize(width: width, height: height))
        #expect(Self.letter(of: try Self.topLeft(copy)) == corner.first)
    }

    @Test(arguments: [SamplePhoto.jpeg, .png, .webp]) func copyHasNoMetadata(sample: SamplePhoto) throws {
        let narrow = try withEXIF(try sample.bytes(), tiff(gps: lisbon))
        #expect(try PhotoFile(narrow).position != nil)
        let copy = try PhotoFile(narrow).copy(width: 320)
        #expect(try !Photo(copy).hasEXIF)
        #expect(try PhotoFile(copy).position == nil)
    }

    @Test func scaledCopyHasNoMetadata() throws {
        let bytes = try withEXIF(try SamplePhoto.quarters(Self.large).jpeg(quality: 95), tiff(gps: lisbon))
        let copy = try PhotoFile(bytes).copy(width: 320)
        #expect(try PhotoFile(copy).position == nil)
        #expect(try !Photo(copy).hasEXIF)
    }

    @Test func transparentPhotoStaysTransparent() throws {
        let picture = try SamplePhoto.quarters(PixelSize(width: 640, height: 400))
        for x in 0..<Int32(320) {
            for y in 0..<Int32(200) { gdImageSetPixel(picture.image, x, y, 127 << 24) }
        }
        let copy = try PhotoFile(try picture.png()).copy(width: 320)
        #expect(try Photo(copy).mediaType == "image/png")
        #expect(try Photo(copy).dimensions == PixelSize(width: 320, height: 200))
        #expect(try Self.topLeft(copy) >> 24 & 0x7f == 127)
    }

    /// A PNG of noise in true color is larger than the palette image.
    @Test func transparentPhotoBecomesJPEGIfPNGIsLarger() throws {
        let picture = try SamplePhoto.noise(PixelSize(width: 1200, height: 200))
        gdImageTrueColorToPalette(picture.image, 0, 8)
        gdImageColorTransparent(picture.image, 3)
        let bytes = try picture.png()
        let copy = try PhotoFile(bytes).copy(width: 1080)
        #expect(try Photo(copy).mediaType == "image/jpeg")
        #expect(try Photo(copy).dimensions.width == 1080)
    }

    @Test(arguments: SamplePhoto.allCases) func narrowPhotoIsUnchanged(sample: SamplePhoto) throws {
        let bytes = try sample.bytes()
        #expect(try PhotoFile(bytes).copy(width: 320) == bytes)
        #expect(try PhotoFile(bytes).copy(width: SamplePhoto.size.width) == bytes)
    }

    @Test func narrowLargePhotoIsEncodedAgain() throws {
        let bytes = try SamplePhoto.noise(PixelSize(width: 300, height: 300)).png()
        #expect(bytes.count > Photo.standardLimit)
        let copy = try PhotoFile(bytes).copy(width: 320)
        #expect(copy.count < bytes.count)
        #expect(try Photo(copy).dimensions == PixelSize(width: 300, height: 300))
    }

    @Test(arguments: [SamplePhoto.animatedGIF, .animatedWebP]) func copyOfWideAnimationIsStill(sample: SamplePhoto)
        throws
    {
        let bytes = try sample.bytes()
        let copy = try PhotoFile(bytes).copy(width: 20)
        let structure = try PhotoStructure(copy)
        #expect(structure.frames.count == 1)
        #expect(structure.size == PixelSize(width: 20, height: 12))
    }

    @Test func flatPhotoKeepsOnePixel() throws {
        let bytes = try SamplePhoto.noise(PixelSize(width: 2000, height: 1)).jpeg(quality: 80)
        #expect(try Photo(try PhotoFile(bytes).copy(width: 320)).dimensions == PixelSize(width: 320, height: 1))
    }
}
