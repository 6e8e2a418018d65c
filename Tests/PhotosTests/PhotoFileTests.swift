import Base
import CGd
import Geo
import HabitModel
import HabitTestSupport
import Testing

@testable import Photos

/// 38° 43′ 20.28″ N, 9° 8′ 21.48″ W.
let lisbon: [GPSEntry] = [
    .ref(1, "N"),
    .degrees(2, [(38, 1), (43, 1), (2028, 100)]),
    .ref(3, "W"),
    .degrees(4, [(9, 1), (8, 1), (2148, 100)]),
]

@Suite(.engineIndependent) struct PhotoFilePositionTests {
    @Test(arguments: [SamplePhoto.jpeg, .png, .webp, .animatedWebP])
    func positionComesFromEXIF(sample: SamplePhoto) throws {
        let position = try #require(try PhotoFile(try withEXIF(try sample.bytes(), tiff(gps: lisbon))).position)
        #expect(abs(position.latitude - 38.7223) < 1e-9)
        #expect(abs(position.longitude + 9.1393) < 1e-9)
        #expect(try PhotoFile(try sample.bytes()).position == nil)
    }

    @Test func positionHasSignOfQuadrant() throws {
        let quadrants = [
            ("N", "E"),
            ("N", "W"),
            ("S", "E"),
            ("S", "W"),
        ]
        for (latitude, longitude) in quadrants {
            let gps: [GPSEntry] = [.ref(1, latitude), lisbon[1], .ref(3, longitude), lisbon[3]]
            let position = try #require(
                try PhotoFile(try withEXIF(try SamplePhoto.jpeg.bytes(), tiff(gps: gps))).position)
            #expect((position.latitude > 0) == (latitude == "N"))
            #expect((position.longitude > 0) == (longitude == "E"))
        }
    }

    @Test func positionIsUnsetWhenEXIFIsIncomplete() throws {
        let broken: [(index: Int, entry: GPSEntry?)] = [
            (0, nil),
            (1, nil),
            (2, nil),
            (3, nil),
            (0, .ref(1, "X")),
            (2, .ref(3, "N")),
            (1, .degrees(2, [(38, 0), (43, 1), (20, 1)])),
            (3, .degrees(4, [(9, 1), (8, 1), (0, 0)])),
            (1, .degrees(2, [(91, 1), (0, 1), (0, 1)])),
            (3, .degrees(4, [(181, 1), (0, 1), (0, 1)])),
            (1, .degrees(2, [(38, 1), (61, 1), (0, 1)])),
            (1, .degrees(2, [(38, 1), (0, 1), (61, 1)])),
            (1, .degrees(2, [(90, 1), (0, 1), (1, 1)])),
            (1, .degrees(2, [(900_003, 10_000)])),
            (1, GPSEntry(tag: 2, type: 2, count: 6, content: Array("38,72\0".utf8))),
            (1, GPSEntry(tag: 2, type: 2, count: 5, content: Array("38/1\0".utf8))),
            (1, GPSEntry(tag: 2, type: 11, count: 1, content: bigEndian(Int(Float.nan.bitPattern), 4))),
        ]
        for (index, entry) in broken {
            var gps = lisbon
            if let entry { gps[index] = entry } else { gps.remove(at: index) }
            let photo = try PhotoFile(try withEXIF(try SamplePhoto.jpeg.bytes(), tiff(gps: gps)))
            #expect(photo.position == nil, "\(index): \(String(describing: entry))")
            #expect(photo.hasUnreadablePosition, "\(index): \(String(describing: entry))")
        }
    }

    /// Returns an entry with numbers of a type, in the byte order of the file.
    private static func numbers(_ tag: Int, type: Int, _ values: [Int], size: Int) -> GPSEntry {
        GPSEntry(tag: tag, type: type, count: values.count, content: values.flatMap { bigEndian($0, size) })
    }

    private static func text(_ tag: Int, _ text: String, type: Int = 2) -> GPSEntry {
        GPSEntry(tag: tag, type: type, count: text.utf8.count + 1, content: Array(text.utf8) + [0])
    }

    /// The spellings of 38.5° north.
    private static let latitudes: [[GPSEntry]] = [
        [.ref(1, "N"), .degrees(2, [(385, 10)])],
        [.ref(1, "n"), .degrees(2, [(38, 1), (30, 1)])],
        [
            .ref(1, "N"),
            .degrees(2, [(38, 1), (30, 1), (0, 1), (7, 1)]),
        ],
        [
            .ref(1, "N"),
            GPSEntry(tag: 2, type: 10, count: 1, content: bigEndian(-385, 4) + bigEndian(-10, 4)),
        ],
        [
            .ref(1, "N"),
            GPSEntry(tag: 2, type: 10, count: 1, content: bigEndian(-385, 4) + bigEndian(10, 4)),
        ],
        [.ref(1, "N"), numbers(2, type: 1, [38, 30, 0], size: 1)],
        [.ref(1, "N"), numbers(2, type: 3, [38, 30, 0], size: 2)],
        [.ref(1, "N"), numbers(2, type: 4, [38, 30], size: 4)],
        [.ref(1, "N"), numbers(2, type: 6, [38, 30, 0], size: 1)],
        [.ref(1, "N"), numbers(2, type: 8, [38, 30, 0], size: 2)],
        [.ref(1, "N"), numbers(2, type: 9, [-38, 30, 0], size: 4)],
        [.ref(1, "N"), numbers(2, type: 11, [Int(Float(38.5).bitPattern)], size: 4)],
        [.ref(1, "N"), numbers(2, type: 12, [Int(38.5.bitPattern)], size: 8)],
        [text(1, "North"), text(2, "38 30 0.0")],
        [text(1, "N", type: 7), text(2, "38 deg 30' 0.00\" N")],
        [text(1, " n"), text(2, "38,30.0N")],
        [.ref(1, "N"), text(2, "38.5")],
        [text(2, "N 38.5")],
    ]

    @Test(arguments: latitudes.indices) func positionIsReadFromEveryNumericType(index: Int) throws {
        let gps = Self.latitudes[index] + lisbon.suffix(2)
        let photo = try PhotoFile(try withEXIF(try SamplePhoto.jpeg.bytes(), tiff(gps: gps)))
        let position = try #require(photo.position)
        #expect(abs(position.latitude - 38.5) < 1e-6)
        #expect(!photo.hasUnreadablePosition)
    }

    @Test func photoWithoutCoordinatesHasNoUnreadablePosition() throws {
        let empty: [[GPSEntry]] = [
            [],
            [.ref(1, "N"), .ref(3, "W")],
            [Self.text(2, " "), Self.text(4, "")],
        ]
        for gps in empty {
            let photo = try PhotoFile(try withEXIF(try SamplePhoto.jpeg.bytes(), tiff(gps: gps)))
            #expect(photo.position == nil)
            #expect(!photo.hasUnreadablePosition)
        }
    }

    @Test func positionIsUnsetWhenEXIFIsTruncated() throws {
        let exif = tiff(gps: lisbon)
        for count in 0..<exif.count {
            let photo = try PhotoFile(try withEXIF(try SamplePhoto.jpeg.bytes(), Array(exif.prefix(count))))
            #expect(photo.position == nil, "\(count) bytes")
        }
    }
}

/// Tests of the metadata that is removed from a photo or kept.
@Suite(.engineIndependent) struct PhotoFileMetadataTests {
    private static let secret = Array("SECRET".utf8)

    /// Returns the sample with each kind of metadata of its type, each with the text SECRET.
    private func withMetadata(_ sample: SamplePhoto) throws -> [UInt8] {
        let bytes = try sample.bytes()
        let exif = try withEXIF(bytes, tiff(gps: lisbon) + Self.secret)
        let profile = ColorProfile.displayP3.bytes + Self.secret
        switch try PhotoStructure(bytes).format {
        case .jpeg:
            let segments = [
                (UInt8(0xe1), "http://ns.adobe.com/xap/1.0/\0"), (0xed, "Photoshop 3.0\0"), (0xfe, ""), (0xe2, "MPF\0"),
                (0xe0, "JFXX\0"), (0xec, "Ducky"),
            ].flatMap { jpegSegment($0.0, Array($0.1.utf8) + Self.secret) }
            let kept = jpegSegment(0xe2, Array("ICC_PROFILE\0\u{1}\u{1}".utf8) + profile)
            let comment = jpegSegment(0xfe, Self.secret)
            return exif.inserting(comment, at: -2).inserting(kept, at: 2).inserting(segments, at: 2) + Self.secret
        case .png:
            let chunks = ["tEXt", "zTXt", "iTXt", "tIME", "prVt"].flatMap { pngChunk($0, Self.secret) }
            let kept = pngChunk("iCCP", Self.secret + [0, 0] + compressed(profile))
            return exif.inserting(chunks, at: -12).inserting(kept, at: 33).inserting(chunks, at: 33) + Self.secret
        case .gif:
            let blocks = [UInt8(0x21), 0xfe, 6] + Self.secret + [0]
            let xmp = [UInt8(0x21), 0xff, 11] + Array("XMP DataXMP".utf8) + [6] + Self.secret + [0]
            let kept = [UInt8(0x21), 0xff, 11] + Array("NETSCAPE2.0".utf8) + [3, 1, 0, 0, 0]
            return exif.inserting(kept, at: -1).inserting(xmp, at: -1).inserting(blocks, at: -1) + Self.secret
        case .webp:
            var chunks = Array(exif.dropFirst(12))
            chunks[8] |= 0x04
            let profile = webPChunk("ICCP", profile)
            let metadata = webPChunk("XMP ", Self.secret) + webPChunk("priv", Self.secret)
            return riff(chunks.inserting(profile, at: 18) + metadata) + Self.secret
        }
    }

    @Test(arguments: SamplePhoto.allCases)
    func metadataIsRemovedWithoutLossOfPixels(sample: SamplePhoto) throws {
        let bytes = try withMetadata(sample)
        #expect(bytes.firstRange(of: Self.secret) != nil)
        let photo = try PhotoFile(bytes).photo()
        #expect(photo.bytes.firstRange(of: Self.secret) == nil)
        #expect(photo.bytes.firstRange(of: "Exif".utf8) == nil)
        #expect(!photo.hasEXIF)
        #expect(try pixels(photo.bytes) == pixels(bytes))
        // The image data is unchanged.
        let before = try PhotoStructure(bytes)
        let after = try PhotoStructure(photo.bytes)
        let dataBefore = before.frames.map { frame in Array(bytes[frame.data]) }
        let dataAfter = after.frames.map { frame in Array(photo.bytes[frame.data]) }
        #expect(dataBefore == dataAfter)
        let isGIF = sample == .gif || sample == .animatedGIF
        #expect(!isGIF || photo.bytes.firstRange(of: "NETSCAPE2.0".utf8) != nil)
        #expect(after.parts.contains { $0.kind == .colorProfile } != isGIF)
        // A second removal changes nothing.
        #expect(try PhotoFile(photo.bytes).photo() == photo)
    }

    @Test(arguments: SamplePhoto.allCases)
    func photoWithoutMetadataIsUnchanged(sample: SamplePhoto) throws {
        let bytes = try sample.bytes()
        #expect(try PhotoFile(bytes).photo().bytes == bytes)
    }

    @Test(arguments: SamplePhoto.allCases)
    func metadataIsKeptOnRequest(sample: SamplePhoto) throws {
        let bytes = try withMetadata(sample)
        #expect(try PhotoFile(bytes).photo(keepingEXIF: true).bytes == bytes)
    }

    @Test func flagsOfRemovedMetadataAreClearedInWebP() throws {
        let photo = try PhotoFile(try withMetadata(.webp)).photo()
        #expect(Array(photo.bytes[12..<16]) == Array("VP8X".utf8))
        #expect(photo.bytes[20] & 0x0c == 0)
        let length = photo.bytes[4..<8].reversed().reduce(0) { number, byte in number << 8 | Int(byte) }
        #expect(length == photo.bytes.count - 8)
    }

    @Test func thumbnailOfJFIFIsRemoved() throws {
        let bytes = try SamplePhoto.jpeg.bytes()
        #expect(Array(bytes[2..<6]) == [0xff, 0xe0, 0, 16])
        let thumbnail = jpegSegment(0xe0, bytes[6..<18] + [1, 2] + Self.secret)
        let file = Array(bytes.prefix(2) + thumbnail + bytes.dropFirst(20))
        #expect(try PhotoFile(file).photo().bytes == bytes)
    }

    @Test func adobeMarkerIsKept() throws {
        let bytes = try SamplePhoto.jpeg.bytes()
        let adobe = jpegSegment(0xee, Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 1])
        let marked = bytes.inserting(adobe, at: 20)
        #expect(try PhotoFile(marked).photo().bytes == marked)
    }
}

@Suite(.engineIndependent) struct PhotoFileOrientationTests {
    /// The visible corners, row by row, if R G / B W is stored.
    private static let visibleCorners = [
        1: "RGBW", 2: "GRWB", 3: "WBGR", 4: "BWRG", 5: "RBGW", 6: "BRWG", 7: "WGBR", 8: "GWRB",
    ]

    private func corners(_ bytes: [UInt8]) throws -> String {
        let picture = try PhotoStructure(bytes).decode(bytes)
        let right = picture.size.width - 3
        let bottom = picture.size.height - 3
        return String(
            [(2, 2), (right, 2), (2, bottom), (right, bottom)].map { x, y in
                let color = picture.color(x, y)
                let nearest = SamplePhoto.corners.min { first, second in
                    difference(first.color, color) < difference(second.color, color)
                }
                return nearest?.letter ?? "?"
            })
    }

    private func difference(_ a: Int32, _ b: Int32) -> Int32 {
        [0, 8, 16].reduce(0) { sum, shift in sum + abs(a >> shift & 0xff - b >> shift & 0xff) }
    }

    @Test(arguments: 1...8, [PhotoFormat.jpeg, .png, .webp])
    func orientationIsAppliedWhenEXIFIsRemoved(orientation: Int, format: PhotoFormat) throws {
        let picture = try SamplePhoto.quarters(SamplePhoto.size)
        let plain: [UInt8]
        switch format {
        case .jpeg: plain = try picture.jpeg(quality: 95)
        case .png: plain = try picture.png()
        default: plain = picture.webp(quality: 95)
        }
        let bytes = try withEXIF(plain, tiff(orientation: orientation))
        let photo = try PhotoFile(bytes).photo()
        #expect(try corners(photo.bytes) == Self.visibleCorners[orientation])
        let swapped = PixelSize(width: SamplePhoto.size.height, height: SamplePhoto.size.width)
        #expect(photo.dimensions == (orientation < 5 ? SamplePhoto.size : swapped))
        #expect(!photo.hasEXIF)
        if orientation > 1 { #expect(photo.mediaType == (format == .jpeg ? "image/jpeg" : "image/png")) }
        // If the EXIF data is kept, viewers apply the orientation.
        #expect(try PhotoFile(bytes).photo(keepingEXIF: true).bytes == bytes)
    }

    @Test(arguments: [0, 9, 65_535])
    func orientationOutOfRangeIsIgnored(orientation: Int) throws {
        let bytes = try SamplePhoto.jpeg.bytes()
        #expect(try PhotoFile(try withEXIF(bytes, tiff(orientation: orientation))).photo().bytes == bytes)
    }

    /// The pixel values of a rotated photo still refer to the profile.
    @Test func onlyKnownColorProfileIsKept() throws {
        let unknown = Array(repeating: UInt8(0), count: 16) + Array("RGB profile".utf8)
        for profile in ColorProfile.allCases.map(\.bytes) + [unknown] {
            let segment = Array("ICC_PROFILE\0\u{1}\u{1}".utf8) + profile
            let bytes = try SamplePhoto.jpeg.bytes()
            let marked = bytes.inserting(jpegSegment(0xe2, segment), at: 20)
            let photo = try PhotoFile(try withEXIF(marked, tiff(orientation: 3))).photo()
            #expect((photo.bytes.firstRange(of: segment) != nil) == (profile != unknown))
        }
    }
}

@Suite(.engineIndependent) struct PhotoFileShrinkingTests {
    private func largePhoto() throws -> [UInt8] {
        try SamplePhoto.noise(PixelSize(width: 701, height: 467)).jpeg(quality: 90)
    }

    @Test func photoIsShrunkOnlyOnRequest() throws {
        let bytes = try largePhoto()
        #expect { try PhotoFile(bytes).photo() } throws: {
            isRefusal(
                $0, .photoTooLarge, containing: "\(bytes.count) bytes; at most 65535 are allowed",
                remedy: .give(.shrinkPhoto))
        }
        let photo = try PhotoFile(bytes).photo(shrinking: true)
        #expect(photo.bytes.count <= Photo.standardLimit)
        #expect(photo.mediaType == "image/jpeg")
        #expect(try PhotoFile(bytes).photo(shrinking: true) == photo)
    }

    /// The aspect ratio is exact to one pixel, and the image is not much smaller than necessary.
    @Test(arguments: [
        (701, 467, SamplePhoto.jpeg),
        (467, 701, .png),
        (2200, 16, .webp),
        (300, 300, .gif),
    ])
    func shrinkingKeepsAspectRatio(width: Int, height: Int, type: SamplePhoto) throws {
        let picture = try SamplePhoto.noise(PixelSize(width: width, height: height))
        let bytes: [UInt8]
        switch type {
        case .jpeg: bytes = try picture.jpeg(quality: 100)
        case .png: bytes = try picture.png()
        case .gif: bytes = picture.gif()
        default: bytes = picture.webp(quality: Int32(gdWebpLossless))
        }
        #expect(bytes.count > Photo.standardLimit)
        let photo = try PhotoFile(bytes).photo(shrinking: true)
        let factor = Double(photo.dimensions.width) / Double(width)
        #expect(abs(Double(photo.dimensions.height) - factor * Double(height)) <= 1)
        #expect(photo.bytes.count > Photo.standardLimit / 4)
    }

    @Test func shrinkingLowersQualityBeforeSize() throws {
        let size = PixelSize(width: 280, height: 200)
        let photo = try PhotoFile(try SamplePhoto.noise(size).jpeg(quality: 100)).photo(shrinking: true)
        #expect(photo.dimensions == size)
    }

    @Test func shrinkingAppliesOrientation() throws {
        let bytes = try withEXIF(try largePhoto(), tiff(orientation: 6, gps: lisbon))
        let photo = try PhotoFile(bytes).photo(shrinking: true)
        #expect(photo.dimensions.width < photo.dimensions.height)
        #expect(!photo.hasEXIF)
    }

    @Test func photoIsShrunkToOtherLimit() throws {
        let bytes = try SamplePhoto.noise(PixelSize(width: 900, height: 600)).jpeg(quality: 90)
        let large = try PhotoFile(bytes).photo(limit: 200_000, shrinking: true)
        #expect(large.bytes.count <= 200_000)
        #expect(large.bytes.count > Photo.standardLimit)
        let small = try PhotoFile(bytes).photo(limit: 20_000, shrinking: true)
        #expect(small.bytes.count <= 20_000)
        #expect { try PhotoFile(bytes).photo(limit: 200_000) } throws: {
            isRefusal($0, .photoTooLarge, containing: "at most 200000 are allowed", remedy: .give(.shrinkPhoto))
        }
    }

    /// A photo below the limit is accepted, although rotating it at good quality would exceed the limit.
    @Test func photoThatExceedsLimitAfterRotationIsShrunk() throws {
        let size = PixelSize(width: 400, height: 300)
        let picture = try SamplePhoto.noise(size)
        #expect(try picture.jpeg(quality: 90).count > Photo.standardLimit)
        let bytes = try withEXIF(try picture.jpeg(quality: 40), tiff(orientation: 6))
        #expect(bytes.count <= Photo.standardLimit)
        let photo = try PhotoFile(bytes).photo()
        #expect(photo.dimensions == PixelSize(width: 300, height: 400))
        #expect(!photo.hasEXIF)
    }

    @Test func smallPhotoIsUnchangedByShrinking() throws {
        for sample in SamplePhoto.allCases {
            let bytes = try sample.bytes()
            #expect(try PhotoFile(bytes).photo(shrinking: true).bytes == bytes)
        }
        // Without the removed metadata, the photo is small enough.
        let jpeg = try SamplePhoto.jpeg.bytes()
        let comments = Array(repeatElement(jpegSegment(0xfe, Array(repeating: 0x20, count: 60_000)), count: 2).joined())
        #expect(try PhotoFile(jpeg.inserting(comments, at: 20)).photo(shrinking: true).bytes == jpeg)
    }

    @Test func shrinkingIsRefusedWhenEXIFIsKept() throws {
        let bytes = try withEXIF(try largePhoto(), tiff())
        #expect { try PhotoFile(bytes).photo(keepingEXIF: true, shrinking: true) } throws: {
            isRefusal($0, .usage, containing: "EXIF")
        }
        #expect { try PhotoFile(bytes).photo(keepingEXIF: true) } throws: {
            isRefusal($0, .photoTooLarge, containing: "65535", remedy: .give(.shrinkPhoto))
        }
    }

    /// Transparency becomes white, both from an alpha channel and from a transparent color.
    @Test(arguments: [true, false])
    func transparencyBecomesWhiteWhenShrunk(hasAlpha: Bool) throws {
        let picture = try SamplePhoto.noise(PixelSize(width: 300, height: 300))
        for y in Int32(0)..<150 {
            for x in Int32(0)..<300 { gdImageSetPixel(picture.image, x, y, hasAlpha ? 127 << 24 : 0x12_3456) }
        }
        if !hasAlpha {
            gdImageSaveAlpha(picture.image, 0)
            gdImageColorTransparent(picture.image, 0x12_3456)
        }
        let bytes = try picture.png()
        #expect(bytes.count > Photo.standardLimit)
        let photo = try PhotoFile(bytes).photo(shrinking: true)
        let visibleCorners = try PhotoStructure(photo.bytes).decode(photo.bytes).color(10, 10)
        #expect([0, 8, 16].allSatisfy { visibleCorners >> $0 & 0xff > 0xf0 })
    }

    @Test(arguments: [true, false]) func sizeLimitAppliesBeforeMetadataIsRemoved(keepsEXIF: Bool) throws {
        let jpeg = try SamplePhoto.jpeg.bytes()
        func file(_ size: Int) -> [UInt8] {
            jpeg.inserting(jpegSegment(0xfe, Array(repeating: 0x20, count: size - jpeg.count - 4)), at: 20)
        }
        #expect(file(65_535).count == 65_535)
        let photo = try PhotoFile(file(65_535)).photo(keepingEXIF: keepsEXIF)
        #expect(photo.bytes.count == (keepsEXIF ? 65_535 : jpeg.count))
        #expect { try PhotoFile(file(65_536)).photo(keepingEXIF: keepsEXIF) } throws: {
            isRefusal($0, .photoTooLarge, containing: "65536")
        }
    }

    @Test func fileUpTo64MiBIsRead() {
        let bytes = [UInt8](repeating: 0, count: PhotoFile.sizeLimit + 1)
        #expect { try PhotoFile(bytes) } throws: { isRefusal($0, .photoTooLarge, containing: "67108865") }
        #expect { try PhotoFile([UInt8](repeating: 0, count: PhotoFile.sizeLimit)) } throws: {
            isRefusal($0, .photoInvalid, containing: "not a JPEG")
        }
    }
}
