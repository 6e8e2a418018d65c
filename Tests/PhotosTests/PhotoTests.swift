import Base
import Foundation
import HabitModel
import HabitTestSupport
import Testing

@testable import Photos

@Suite(.engineIndependent) struct PhotoTests {
    @Test(arguments: [
        (SamplePhoto.jpeg, "image/jpeg", "jpg"), (.progressiveJPEG, "image/jpeg", "jpg"), (.png, "image/png", "png"),
        (.palettePNG, "image/png", "png"), (.interlacedPNG, "image/png", "png"), (.gif, "image/gif", "gif"),
        (.animatedGIF, "image/gif", "gif"), (.webp, "image/webp", "webp"), (.losslessWebP, "image/webp", "webp"),
        (.animatedWebP, "image/webp", "webp"),
    ])
    func photoHasTypeAndDimensions(sample: SamplePhoto, mediaType: String, fileExtension: String) throws {
        let photo = try Photo(try sample.bytes())
        try photo.verify()
        #expect(photo.mediaType == mediaType)
        #expect(photo.fileExtension == fileExtension)
        #expect(Photo.fileExtension(of: mediaType) == fileExtension)
        #expect(photo.dimensions == SamplePhoto.size)
        #expect(!photo.hasEXIF)
    }

    @Test(arguments: SamplePhoto.allCases)
    func photoReportsEXIF(sample: SamplePhoto) throws {
        let photo = try Photo(try withEXIF(try sample.bytes(), tiff()))
        #expect(photo.hasEXIF == (photo.mediaType != "image/gif"))
        try photo.verify()
    }

    @Test func photoReportsEXIFInTextOfPNG() throws {
        let png = try SamplePhoto.png.bytes()
        let text = pngChunk("tEXt", Array("Raw profile type exif\0\n".utf8))
        #expect(try Photo(png.inserting(text, at: 33)).hasEXIF)
    }

    @Test(arguments: SamplePhoto.allCases)
    func photoTruncatedAtAnyByteIsRefused(sample: SamplePhoto) throws {
        let bytes = try sample.bytes()
        for count in 0..<bytes.count {
            #expect("\(count) of \(bytes.count) bytes") { try Photo(Array(bytes.prefix(count))) } throws: {
                // A file shorter than its signature has no recognizable format.
                isRefusal($0, .photoInvalid, containing: count < 12 ? "" : "truncated")
            }
        }
    }

    @Test(arguments: SamplePhoto.allCases)
    func bytesAfterEndAreAccepted(sample: SamplePhoto) throws {
        try Photo(try sample.bytes() + [1, 2, 3]).verify()
    }

    @Test(arguments: [[], Array("<svg/>".utf8), Array("BM......".utf8), Array("RIFF....WAVE".utf8), [0xff, 0xd8]])
    func fileOfOtherTypeIsRefused(bytes: [UInt8]) {
        #expect { try Photo(bytes) } throws: {
            isRefusal($0, .photoInvalid, containing: "not a JPEG, PNG, WebP or GIF")
        }
    }

    @Test(arguments: [Photo.standardLimit, Photo.highestLimit])
    func photoAboveLimitIsRefused(limit: Int) throws {
        let jpeg = try SamplePhoto.jpeg.bytes()
        let padding = Array(repeating: UInt8(0), count: limit + 1 - jpeg.count)
        #expect(throws: Never.self) { try Photo(jpeg + padding.dropLast(), limit: limit) }
        #expect { try Photo(jpeg + padding, limit: limit) } throws: {
            isRefusal($0, .photoTooLarge, containing: "\(limit + 1) bytes; at most \(limit) are allowed")
        }
    }

    @Test func noPhotoIsLargerThanHighestLimit() throws {
        let jpeg = try SamplePhoto.jpeg.bytes()
        let padding = Array(repeating: UInt8(0), count: Photo.highestLimit + 1 - jpeg.count)
        #expect { try Photo(jpeg + padding) } throws: {
            isRefusal($0, .photoTooLarge, containing: "at most 1000000 are allowed")
        }
    }
}

/// Tests that excessive sizes are refused from the headers, before decoding.
@Suite(.engineIndependent) struct PhotoSizeTests {
    private static func frameHeader(_ bytes: [UInt8]) -> Int? {
        bytes.indices.dropLast().first { bytes[$0] == 0xff && bytes[$0 + 1] == 0xc0 }
    }

    private func resized(_ sample: SamplePhoto, width: Int, height: Int) throws -> [UInt8] {
        var bytes = try sample.bytes()
        switch sample {
        case .jpeg:
            let start = try #require(Self.frameHeader(bytes))
            bytes.replaceSubrange(start + 5..<start + 9, with: bigEndian(height, 2) + bigEndian(width, 2))
        case .png:
            let header = pngChunk("IHDR", bigEndian(width, 4) + bigEndian(height, 4) + bytes[24..<29])
            bytes.replaceSubrange(8..<33, with: header)
        case .gif: bytes.replaceSubrange(6..<10, with: littleEndian(width, 2) + littleEndian(height, 2))
        case .webp: bytes.replaceSubrange(26..<30, with: littleEndian(width, 2) + littleEndian(height, 2))
        case .losslessWebP:
            bytes.replaceSubrange(21..<25, with: littleEndian((width - 1) | (height - 1) << 14, 4))
        case .animatedWebP:
            bytes.replaceSubrange(24..<30, with: littleEndian(width - 1, 3) + littleEndian(height - 1, 3))
        default: break
        }
        return bytes
    }

    @Test(
        arguments: [SamplePhoto.jpeg, .png, .gif, .animatedWebP], [(30_000, 30_000), (16_385, 10), (10, 16_385)])
    func imageWithExcessiveSideIsRefused(sample: SamplePhoto, size: (Int, Int)) throws {
        let bytes = try resized(sample, width: size.0, height: size.1)
        #expect { try Photo(bytes) } throws: {
            isRefusal($0, .photoInvalid, containing: "\(size.0) × \(size.1) pixels")
        }
        #expect { try PhotoFile(bytes) } throws: { isRefusal($0, .photoInvalid, containing: "pixels") }
    }

    @Test(arguments: [SamplePhoto.jpeg, .png, .gif, .webp, .losslessWebP, .animatedWebP])
    func imageWithExcessiveAreaIsRefused(sample: SamplePhoto) throws {
        let bytes = try resized(sample, width: 16_383, height: 3073)
        #expect { try Photo(bytes) } throws: {
            isRefusal(
                $0, .photoInvalid,
                containing: "16383 × 3073 pixels: use a photo with 1 to 16384 pixels a side and at most 50 mega")
        }
        // The largest accepted size, with damaged data. Other formats need too much memory for it.
        guard sample == .jpeg || sample == .png else { return }
        let largest = try resized(sample, width: 16_383, height: 3072)
        #expect { try Photo(largest).verify() } throws: { isRefusal($0, .photoInvalid, containing: "damaged") }
    }

    @Test(arguments: [SamplePhoto.jpeg, .png, .gif, .webp], [(0, 10), (10, 0)])
    func imageWithoutPixelsIsRefused(sample: SamplePhoto, size: (Int, Int)) throws {
        let bytes = try resized(sample, width: size.0, height: size.1)
        #expect { try Photo(bytes) } throws: {
            isRefusal($0, .photoInvalid, containing: "\(size.0) × \(size.1) pixels")
        }
    }

    @Test func frameOutsideAnimationIsRefused() throws {
        for sample in [SamplePhoto.animatedGIF, .animatedWebP] {
            var bytes = try sample.bytes()
            let frame = try #require(try PhotoStructure(bytes).frames.last)
            let left = sample == .animatedGIF ? frame.data.lowerBound - 9 - 3 * 16 : frame.data.lowerBound - 16
            bytes[left] += 20
            #expect { try Photo(bytes) } throws: { isRefusal($0, .photoInvalid, containing: "extends beyond") }
        }
    }
}
