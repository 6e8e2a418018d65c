import Foundation
import HabitTestSupport
import Testing

/// Tests of rules C-08 and C-10: the photo of an event, its size and its position.
@Suite(.engineIndependent) struct PhotoRuleTests {
    /// Returns an uncompressed PNG of gray noise, so that its size depends only on width and height.
    private static func png(width: Int, height: Int) -> Data {
        var generator = SeededGenerator(seed: 8)
        var pixels: [UInt8] = []
        for _ in 0..<height {
            pixels.append(0)
            for _ in 0..<width { pixels.append(UInt8.random(in: 0...255, using: &generator)) }
        }
        let size = UInt16(pixels.count)
        var stored: [UInt8] = [0x78, 0x01, 0x01] + bytes(size.byteSwapped) + bytes((~size).byteSwapped) + pixels
        var a: UInt32 = 1
        var b: UInt32 = 0
        for pixel in pixels {
            a = (a + UInt32(pixel)) % 65521
            b = (b + a) % 65521
        }
        stored += bytes(b << 16 | a)
        let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
        let header: [UInt8] = bytes(UInt32(width)) + bytes(UInt32(height)) + [8, 0, 0, 0, 0]
        return Data(signature + chunk("IHDR", header) + chunk("IDAT", stored) + chunk("IEND", []))
    }

    private static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
        let checked = Array(type.utf8) + content
        var crc = UInt32.max
        for byte in checked {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xedb8_8320 : crc >> 1 }
        }
        return bytes(UInt32(content.count)) + checked + bytes(~crc)
    }

    /// Returns the big-endian bytes of a number.
    private static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }

    private static let largest = png(width: 3850, height: 17)
    private static let tooLarge = png(width: 1258, height: 52)

    /// Adds an event with a photo on a free day and returns its row.
    private static func addEvent(
        to store: RuleStore, photo: Data, options: String = ""
    ) async throws -> OutputTable {
        try store.folder.write(photo, to: "photo")
        return try await store.table("event add --habit run --photo photo " + options, as: "owner")
    }

    private static func download(_ store: RuleStore, _ event: OutputTable) async throws -> Data {
        let id = try #require(try event.singleCell("id"))
        let result = try await store.table("event photo \(id) --output got --force", as: "owner")
        let data = FileManager.default.contents(atPath: store.folder.file("got")) ?? Data()
        #expect(result.rows == [["got", "\(data.count)"]])
        return data
    }

    @Test func photoIsSavedInCurrentFolderWithoutOutput() async throws {
        let store = try await RuleStore()
        let saved = try await store.run("event photo run@tue", as: "owner")
        #expect(saved.output.wholeMatch(of: /✓ r17\.png · [0-9.]+ k?B\n/) != nil, "\(saved)")
        let photo = FileManager.default.contents(atPath: SampleData.path + "/photos/hills.png")
        #expect(FileManager.default.contents(atPath: store.folder.file("r17.png")) == photo)
        try await store.expectRefusal(Refusal("owner", "event photo r17", status: 73, slug: "output-exists"))
        #expect(try await store.run("event photo r17 --force --quiet", as: "owner").output.isEmpty)
        let row = try await store.table("event photo r17 --force", as: "owner")
        #expect(try row.singleCell("path") == "r17.png")
    }

    @Test func photoOf65535BytesIsAccepted() async throws {
        let store = try await RuleStore()
        try #require(Self.largest.count == 65_535)
        try #require(Self.tooLarge.count == 65_536)
        let event = try await Self.addEvent(to: store, photo: Self.largest)
        #expect(try event.singleCell("has_photo") == "true")
        #expect(try await Self.download(store, event) == Self.largest)
    }

    @Test func photoOf65536BytesIsRefusedUnlessShrunk() async throws {
        let store = try await RuleStore()
        try store.folder.write(Self.tooLarge, to: "photo")
        try await store.expectRefusal(
            Refusal("owner", "event add --habit run --photo photo", status: 65, slug: "photo-too-large"))
        try await store.expectRefusal(
            Refusal("owner", "event edit r19 --comment new --photo photo", status: 65, slug: "photo-too-large"))
        let event = try await Self.addEvent(to: store, photo: Self.tooLarge, options: "--shrink-photo")
        let shrunk = try await Self.download(store, event)
        #expect(shrunk.count < 65_536)
        #expect(shrunk.count > 1000)
    }

    /// A file name and a signature do not make a valid image.
    @Test(arguments: [
        Data(), Data("not a picture".utf8), Data(largest.prefix(30_000)), Data(TestImage.located.prefix(20)),
    ])
    func fileThatIsNotImageIsRefused(content: Data) async throws {
        let store = try await RuleStore()
        try store.folder.write(content, to: "photo.png")
        try await store.expectRefusal(
            Refusal("owner", "event add --habit run --photo photo.png", status: 65, slug: "photo-invalid"))
        try await store.expectRefusal(
            Refusal("owner", "event edit r19 --photo photo.png", status: 65, slug: "photo-invalid"))
    }

    @Test(arguments: [
        Refusal("owner", "event add --habit run --photo none.png", status: 66, slug: "input-not-found"),
        Refusal("owner", "event add --habit run --photo .", status: 66, slug: "input-not-found"),
        Refusal("owner", "event add --habit run --position photo", status: 69, slug: "location-unavailable"),
        Refusal("owner", "event edit r19 --position photo --photo none", status: 69, slug: "location-unavailable"),
        Refusal("owner", "event add --habit run --shrink-photo", status: 64, slug: "usage"),
        Refusal("owner", "event photo r18 --output x.png", status: 66, slug: "not-found"),
        Refusal("pending", "event photo r19 --output x.png", status: 66, slug: "not-found"),
        Refusal("stranger", "event photo r19 --output x.png", status: 66, slug: "not-found"),
        Refusal("nobody", "event photo r19 --output x.png", status: 77, slug: "not-signed-in"),
    ])
    func invalidPhotoCommandIsRefused(refusal: Refusal) async throws { try await RuleStore().expectRefusal(refusal) }

    /// The position of the photo is used if requested.
    ///
    /// Other EXIF data is removed.
    @Test func positionOfPhotoIsUsedAndRemovedFromFile() async throws {
        let store = try await RuleStore()
        let event = try await Self.addEvent(to: store, photo: TestImage.located, options: "--position photo")
        #expect(try event.singleCell("longitude") == "-9.25")
        #expect(try event.singleCell("latitude") == "38.5")
        #expect(!(try await Self.download(store, event)).contains(Data("Secret".utf8)))
        let id = try #require(try event.singleCell("id"))
        let kept = try await store.table("event edit \(id) --photo photo --keep-exif", as: "owner")
        #expect(try kept.singleCell("longitude") == "-9.25", "the position is unchanged")
        #expect(try await Self.download(store, kept) == TestImage.located)
        try store.folder.write(Self.png(width: 8, height: 8), to: "plain.png")
        try await store.expectRefusal(
            Refusal(
                "owner", "event edit r19 --photo plain.png --position photo", status: 69, slug: "location-unavailable"))
    }

    @Test func positionOfPhotoIsIgnoredUnlessRequested() async throws {
        let store = try await RuleStore()
        #expect(try await Self.addEvent(to: store, photo: TestImage.located).singleCell("longitude") == nil)
        try store.folder.write(TestImage.located, to: "photo")
        try await store.expectRefusal(
            Refusal(
                "hidden", "event add --habit walk --photo photo --position photo", status: 77,
                slug: "location-not-permitted"))
    }
}
