import Foundation
import HabitTestSupport
import Testing

@testable import HabitServer

@Suite(.engineIndependent, .serialized) struct PhotoSizeTests {
    /// A photo has fewer than 65,536 bytes, with its metadata.
    @Test func sizeLimitOfPhotoIncludesMetadata() async throws {
        let file = FileManager.default.contents(atPath: Program.repository + "/sample-data/photos/lamp.png") ?? Data()
        @Sendable func photo(_ size: Int) -> [UInt8] {
            let text = [UInt8]("Comment\0".utf8) + [UInt8](repeating: 0x20, count: size - file.count - 20)
            let chunk = [UInt8]("tEXt".utf8) + text
            var crc = UInt32.max
            for byte in chunk {
                crc ^= UInt32(byte)
                for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
            }
            func bytes(_ number: UInt32) -> [UInt8] { withUnsafeBytes(of: number.bigEndian) { Array($0) } }
            return Array(file.prefix(33)) + bytes(UInt32(text.count)) + chunk + bytes(~crc) + file.dropFirst(33)
        }
        try await ServerFixture(Scene.friends).run { client in
            let path = "/collections/events/items/r17/photo"
            #expect(photo(65_536).count == 65_536)
            let large = try await client.send(.put, path: path, as: "owner", bytes: photo(65_536))
            #expect(large.status == 413, "\(large)")
            let sent = try await client.send(
                .patch, path: "/collections/events/items/r17", as: "owner",
                #"{"photo":"\#(Data(photo(65_536)).base64EncodedString())"}"#)
            #expect(sent.status == 422, "\(sent)")
            #expect(sent.slug == "photo-too-large", "\(sent)")
            let fits = try await client.send(.put, path: path, as: "owner", bytes: photo(65_535))
            #expect(fits.status == 204, "\(fits)")
            let stored = try await client.send(path: path, as: "owner")
            #expect(stored.body.count < 65_535, "the metadata is removed")
            #expect(stored.status == 200, "the metadata is removed")
        }
    }
}
