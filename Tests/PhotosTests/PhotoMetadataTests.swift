import HabitTestSupport
import Testing

@testable import Photos

/// Tests of the EXIF data of photos in all formats, including HEIC, which cannot be decoded.
@Suite(.engineIndependent) struct PhotoMetadataTests {
    /// Joins the parts of a file.
    private static func joined(_ parts: [UInt8]...) -> [UInt8] { Array(parts.joined()) }

    /// Returns a TIFF with a description, a time and an offset.
    private static func exif() -> [UInt8] {
        func entry(_ tag: Int, type: Int, count: Int, value: Int) -> [UInt8] {
            joined(bigEndian(tag, 2), bigEndian(type, 2), bigEndian(count, 4), bigEndian(value, 4))
        }
        let texts = ["Café", "2026:05:01 10:15:30", "+01:00"].map { Array($0.utf8) + [UInt8(0)] }
        // The directories begin at 8 and 38, the texts at 68, 74 and 94.
        let main = joined(
            bigEndian(2, 2), entry(0x010e, type: 2, count: texts[0].count, value: 68),
            entry(0x8769, type: 4, count: 1, value: 38), bigEndian(0, 4))
        let directory = joined(
            bigEndian(2, 2), entry(0x9003, type: 2, count: texts[1].count, value: 74),
            entry(0x9011, type: 2, count: texts[2].count, value: 94), bigEndian(0, 4)
        )
        return joined(Array("MM\0*".utf8), bigEndian(8, 4), main, directory, texts[0], texts[1], texts[2])
    }

    private static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
        joined(bigEndian(8 + content.count, 4), Array(type.utf8), content)
    }

    /// Returns a HEIC file without an image.
    ///
    /// - Parameters:
    ///   - isInData: Whether the EXIF data is in the box `idat` instead of the box `mdat`.
    ///   - length: The length in the table of locations, or `nil` for the length of the data.
    /// - Returns: The bytes of the file.
    static func heic(isInData: Bool = false, length: Int? = nil) -> [UInt8] {
        let data = joined(bigEndian(6, 4), Array("Exif\0\0".utf8), exif())
        let type = box("ftyp", joined(Array("heic".utf8), bigEndian(0, 4), Array("mif1heic".utf8)))
        func item(_ id: Int, _ name: String) -> [UInt8] {
            let content = joined(
                [2, 0, 0, 0],
                bigEndian(id, 2),
                bigEndian(0, 2),
                Array(name.utf8),
                [0])
            return box("infe", content)
        }
        let items = box(
            "iinf",
            joined([0, 0, 0, 0], bigEndian(2, 2), item(1, "hvc1"), item(2, "Exif")))
        func location(_ id: Int, method: Int, offset: Int, length: Int) -> [UInt8] {
            joined(
                bigEndian(id, 2), bigEndian(method, 2), bigEndian(0, 2), bigEndian(1, 2), bigEndian(offset, 4),
                bigEndian(length, 4))
        }
        func meta(_ offset: Int) -> [UInt8] {
            let locations = box(
                "iloc",
                joined(
                    [1, 0, 0, 0, 0x44, 0], bigEndian(2, 2), location(1, method: 0, offset: 0, length: 10),
                    location(2, method: isInData ? 1 : 0, offset: offset, length: length ?? data.count)))
            let handler = box("hdlr", Array(repeating: 0, count: 25))
            return box("meta", joined([0, 0, 0, 0], handler, items, locations, isInData ? box("idat", data) : []))
        }
        guard !isInData else { return joined(type, meta(0)) }
        let offset = type.count + meta(0).count + 8
        return joined(type, meta(offset), box("mdat", data))
    }

    private func expectValues(_ metadata: PhotoMetadata) {
        #expect(metadata.taken == "2026:05:01 10:15:30")
        #expect(metadata.offset == "+01:00")
        #expect(metadata.description == "Café")
        #expect(metadata.position == nil)
        #expect(metadata.gpsTime == nil)
    }

    @Test(arguments: [SamplePhoto.jpeg, .png, .webp]) func textsComeFromEXIF(sample: SamplePhoto) throws {
        let metadata = try PhotoMetadata(try withEXIF(try sample.bytes(), Self.exif()))
        expectValues(metadata)
        #expect(metadata.isReadable)
        #expect(try PhotoMetadata(try sample.bytes()).taken == nil)
    }

    @Test func heicHasEXIF() throws {
        for file in [Self.heic(), Self.heic(isInData: true), Self.heic(length: 0)] {
            let metadata = try PhotoMetadata(file)
            expectValues(metadata)
            #expect(!metadata.isReadable)
        }
    }

    @Test func gpsTimeWithZeroDenominatorIsIgnored() throws {
        func time(_ denominator: Int) throws -> [Double]? {
            let entry = GPSEntry.degrees(7, [(13, 1), (50, 1), (2, denominator)])
            return try PhotoMetadata(try withEXIF(try SamplePhoto.jpeg.bytes(), tiff(gps: [entry]))).gpsTime
        }
        #expect(try time(1) == [13, 50, 2])
        #expect(try time(0) == nil)
    }

    /// A damaged file causes an error or lacks values, but never reads beyond its end.
    @Test func damagedHEICIsRejected() throws {
        for file in [Self.heic(), Self.heic(isInData: true)] {
            for count in 12..<file.count { _ = try? PhotoMetadata(Array(file.prefix(count))) }
            for index in 12..<file.count - 120 {
                for value: UInt8 in [0, 1, 0x7f, 0xff] {
                    var damaged = file
                    damaged[index] = value
                    _ = try? PhotoMetadata(damaged)
                }
            }
        }
        #expect(throws: PhotoError.truncated) { try PhotoMetadata(Self.heic(length: 100_000)) }
    }
}
