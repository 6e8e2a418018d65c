import CZlib
import HabitTestSupport
import Testing

@testable import Photos

/// Returns bytes compressed by zlib.
func compressed(_ bytes: [UInt8]) -> [UInt8] {
    var length = compressBound(uLong(bytes.count))
    var data = [UInt8](repeating: 0, count: Int(length))
    _ = compress2(&data, &length, bytes, uLong(bytes.count), 9)
    return Array(data.prefix(Int(length)))
}

/// Tests that stored photos have only color profiles of the program.
@Suite(.engineIndependent) struct ColorProfileTests {
    @Test(arguments: ColorProfile.allCases) func storedProfileIsRecognized(profile: ColorProfile) {
        let bytes = profile.bytes
        #expect(ColorProfile(bytes) == profile)
        #expect(bytes.count < 800)
        #expect(bytes.count % 4 == 0)
        let length = bytes[0..<4].reduce(0) { number, byte in number << 8 | Int(byte) }
        #expect(length == bytes.count)
        // Texts and other bytes do not matter.
        var marked = bytes + Array("SECRET".utf8)
        marked[80] = 7
        #expect(ColorProfile(marked) == profile)
        #expect(ColorProfile(Array(bytes.dropLast(200))) == nil)
        #expect(ColorProfile([]) == nil)
    }

    /// The colors and the curve decide.
    @Test func otherProfilesAreUnknown() throws {
        let bytes = ColorProfile.displayP3.bytes
        let red = try #require(bytes.firstRange(of: "rXYZ".utf8)).lowerBound
        let offset = Int(bytes[red + 6]) << 8 | Int(bytes[red + 7])
        var other = bytes
        other[offset + 10] ^= 8
        #expect(ColorProfile(other) == nil)
        var curve = bytes
        let para = try #require(bytes.firstRange(of: "para".utf8)).lowerBound
        curve[para + 13] = 1
        curve[para + 9] = 0
        #expect(ColorProfile(curve) == nil)
        for (offset, name) in [(16, "GRAY"), (20, "Lab "), (36, "none")] {
            var changed = bytes
            changed.replaceSubrange(offset..<offset + 4, with: name.utf8)
            #expect(ColorProfile(changed) == nil, "\(name)")
        }
    }

    /// A profile of 60 MB takes 61 KB in the file.
    @Test func compressedProfileHasLimit() throws {
        let png = try SamplePhoto.png.bytes()
        let bomb = pngChunk("iCCP", Array("x\0\0".utf8) + compressed([UInt8](repeating: 0, count: 8 << 20)))
        let bytes = Array(png.prefix(33)) + bomb + png.dropFirst(33)
        for keeps in [true, false] {
            #expect {
                try PhotoFile(bytes).photo(keepingEXIF: keeps)
            } throws: {
                isRefusal($0, .photoInvalid, containing: "color profile")
            }
        }
    }

    @Test func unknownProfilesAreRemoved() throws {
        let secret = Array("SECRET".utf8)
        let png = try SamplePhoto.png.bytes()
        let jpeg = try SamplePhoto.jpeg.bytes()
        let segment = jpegSegment(0xe2, Array("ICC_PROFILE\0\u{1}\u{1}".utf8) + secret)
        for (bytes, original) in [
            (Array(png.prefix(33)) + pngChunk("iCCP", secret + [0, 0] + secret) + png.dropFirst(33), png),
            (jpeg.inserting(segment, at: 2), jpeg),
        ] {
            let photo = try PhotoFile(bytes).photo()
            #expect(photo.bytes == original)
        }
    }

    @Test func changedProfilesAreReadOrUnknown() {
        var run = FuzzRun("color profiles", rounds: 3000)
        for _ in 0..<run.rounds {
            var bytes = (ColorProfile.allCases.randomElement(using: &run.random) ?? .displayP3).bytes
            for _ in 0...Int.random(in: 0..<4, using: &run.random) { run.mutate(&bytes) }
            _ = ColorProfile(bytes)
        }
    }
}
