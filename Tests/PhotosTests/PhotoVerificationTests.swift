import Base
import Foundation
import HabitModel
import HabitTestSupport
import Testing

@testable import Photos

/// Tests of files with a valid structure and damaged contents.
@Suite(.engineIndependent) struct PhotoVerificationTests {
    private func expectDamaged(_ bytes: [UInt8], _ text: String = "damaged") throws {
        let photo = try Photo(bytes)
        #expect { try photo.verify() } throws: { isRefusal($0, .photoInvalid, containing: text) }
        let file = try PhotoFile(bytes)
        #expect { try file.photo() } throws: { isRefusal($0, .photoInvalid, containing: text) }
    }

    @Test(arguments: [SamplePhoto.jpeg, .progressiveJPEG])
    func truncatedJPEGWithEndMarkerIsRefused(sample: SamplePhoto) throws {
        let bytes = try sample.bytes()
        let scan = try #require(try PhotoStructure(bytes).parts.last { $0.range.count > 100 })
        for count in [scan.payload.upperBound + 1, (scan.payload.upperBound + bytes.count) / 2, bytes.count - 20] {
            try expectDamaged(bytes.prefix(count) + [0xff, 0xd9])
        }
    }

    @Test func jpegWithTooManyScansIsRefused() throws {
        let bytes = try SamplePhoto.progressiveJPEG.bytes()
        let scan = try #require(try PhotoStructure(bytes).parts.dropLast().last)
        let scans = Array(repeatElement(bytes[scan.range], count: 60).joined())
        #expect { try Photo(bytes.dropLast(2) + scans + bytes.suffix(2)) } throws: {
            isRefusal($0, .photoInvalid, containing: "scans")
        }
    }

    @Test func pngWithInvalidChecksumIsRefused() throws {
        var bytes = try SamplePhoto.png.bytes()
        let data = try #require(try pngPart("IDAT", bytes))
        bytes[data.payload.lowerBound + 20] ^= 1
        #expect { try Photo(bytes) } throws: { isRefusal($0, .photoInvalid, containing: "checksum") }
    }

    @Test func pngWithWrongAmountOfDataIsRefused() throws {
        let bytes = try SamplePhoto.png.bytes()
        let part = try #require(try pngPart("IDAT", bytes))
        func with(_ data: [UInt8]) -> [UInt8] {
            bytes[..<part.range.lowerBound] + pngChunk("IDAT", data) + bytes[part.range.upperBound...]
        }
        let data = Array(bytes[part.payload])
        try expectDamaged(with(Array(data.dropLast(30))), "pixels are missing")
        try expectDamaged(with([]), "pixels are missing")
        try expectDamaged(with(data + [0]), "data")
        try expectDamaged(with([0x78, 0x9c, 0x07] + data), "data of the PNG is invalid")
        // Each chunk is valid, but they belong to two images.
        let split = bytes[..<part.range.upperBound] + pngChunk("tIME", []) + bytes[part.range.lowerBound...]
        #expect { try Photo(Array(split)) } throws: { isRefusal($0, .photoInvalid, containing: "not contiguous") }
        for (width, height) in [(40, 23), (40, 25), (39, 24)] {
            let header = pngChunk("IHDR", bigEndian(width, 4) + bigEndian(height, 4) + bytes[24..<29])
            try expectDamaged(bytes.prefix(8) + header + bytes.dropFirst(33), "number of pixels")
        }
    }

    @Test func pngWithInvalidHeaderIsRefused() throws {
        let bytes = try SamplePhoto.png.bytes()
        let fields: [(index: Int, value: UInt8)] = [
            (8, 3),
            (9, 5),
            (10, 1),
            (11, 1),
            (12, 2),
        ]
        for (index, value) in fields {
            var header = Array(bytes[16..<29])
            header[index] = value
            #expect("byte \(index)") { try Photo(bytes.prefix(8) + pngChunk("IHDR", header) + bytes[33...]) } throws: {
                isRefusal($0, .photoInvalid, containing: "PNG header")
            }
        }
    }

    @Test(arguments: [SamplePhoto.gif, .animatedGIF])
    func gifWithMissingPixelsIsRefused(sample: SamplePhoto) throws {
        let bytes = try sample.bytes()
        for frame in try PhotoStructure(bytes).frames {
            // The data is the first sub-block and the terminator.
            let first = frame.data.lowerBound + 1
            let block = bytes[frame.data.lowerBound...first + Int(bytes[first])]
            try expectDamaged(
                bytes[..<frame.data.lowerBound] + block + [0] + bytes[frame.data.upperBound...], "pixels are missing")
        }
    }

    @Test func gifWithInvalidCodesIsRefused() throws {
        var bytes = try SamplePhoto.gif.bytes()
        let data = try #require(try PhotoStructure(bytes).frames.first).data
        // The code after the first clear code is not defined yet.
        bytes[data.lowerBound + 2] = 0xff
        bytes[data.lowerBound + 3] = 0xff
        try expectDamaged(bytes, "GIF data is invalid")
    }

    @Test(arguments: [SamplePhoto.webp, .losslessWebP, .animatedWebP])
    func webpWithDamagedDataIsRefused(sample: SamplePhoto) throws {
        let bytes = try sample.bytes()
        for frame in try PhotoStructure(bytes).frames {
            var damaged = bytes
            for index in frame.data.dropFirst(20) { damaged[index] = 0xff }
            try expectDamaged(damaged)
        }
    }

    /// The process is one of its own, because other tests write to the standard error too.
    @Test func verificationWritesNothingToStandardError() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            for bytes in try PhotoVerificationTests.noisyPhotos() { try? Photo(bytes).verify() }
        }
        let output = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        for text in ["libpng warning", "libpng error", "GD Warning", "gd-jpeg", "gd-png"] {
            #expect(!output.contains(text))
        }
    }

    /// Returns photos about which the libraries of their formats write messages.
    private static func noisyPhotos() throws -> [[UInt8]] {
        let palette = try SamplePhoto.palettePNG.bytes()
        let header = Array(palette.prefix(33))
        let rest = Array(palette.dropFirst(33))
        let colors = try #require(try pngPart("PLTE", palette))
        let jpeg = try SamplePhoto.jpeg.bytes()
        return [
            header + pngChunk("gAMA", [1]) + pngChunk("cHRM", [2]) + rest, header + pngChunk("iCCP", [0, 0]) + rest,
            header + pngChunk("tRNS", [0]) + rest, header + pngChunk("zTXt", [1, 2]) + rest,
            // The pixels have colors that are not in the palette.
            header + pngChunk("PLTE", Array(palette[colors.payload].prefix(3))) + palette[colors.range.upperBound...],
            jpeg.dropLast(200) + [0xff, 0xd9], try SamplePhoto.interlacedPNG.bytes(),
        ]
    }

    /// Any bytes produce a photo or an error.
    @Test(arguments: SamplePhoto.allCases)
    func anyDamageIsRefusedOrDecoded(sample: SamplePhoto) throws {
        let seed: UInt64 = 5
        let count = ProcessInfo.processInfo.environment["HABITAT_FUZZ"].flatMap(Int.init) ?? 60
        var generator = SeededGenerator(seed: seed)
        let original = try withEXIF(try sample.bytes(), tiff(orientation: 6, gps: lisbon))
        for round in 0..<count {
            var bytes = original
            for _ in 0..<Int.random(in: 1...4, using: &generator) { damage(&bytes, &generator) }
            if original.starts(with: [0x89]) { repairChecksums(&bytes) }
            for keepingEXIF in [true, false] {
                do {
                    let photo = try PhotoFile(bytes).photo(keepingEXIF: keepingEXIF, shrinking: true)
                    #expect(photo.dimensions.area > 0)
                } catch {
                    #expect(HabitError(error).code != .internal, "seed \(seed), round \(round): \(error)")
                }
            }
        }
    }

    private func damage(_ bytes: inout [UInt8], _ generator: inout SeededGenerator) {
        let index = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        case 1: bytes[index] = [0, 0xff, 0x7f, 0x80, 1].randomElement(using: &generator) ?? 0
        case 2: bytes[index] = UInt8.random(in: 0...255, using: &generator)
        case 3: bytes.removeSubrange(index..<min(bytes.count, index + 4))
        case 4: bytes.insert(contentsOf: bytes[index..<min(bytes.count, index + 9)], at: index)
        // Damages the beginning, which contains the headers.
        default:
            bytes[Int.random(in: 0..<min(60, bytes.count), using: &generator)] = UInt8.random(
                in: 0...255, using: &generator)
        }
        if bytes.isEmpty { bytes = [0] }
    }

    /// Corrects the checksums of a damaged PNG, so that later checks find the damage.
    private func repairChecksums(_ bytes: inout [UInt8]) {
        var start = 8
        while start + 12 <= bytes.count {
            let length = bytes[start..<start + 4].reduce(0) { number, byte in number << 8 | Int(byte) }
            let end = start + 8 + length
            guard end + 4 <= bytes.count else { return }
            bytes.replaceSubrange(
                end..<end + 4, with: bigEndian(PhotoStructure.pngChecksum(bytes, start + 4..<end), 4))
            start = end + 4
        }
    }
}
