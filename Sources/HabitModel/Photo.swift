import Crypto
import Foundation

/// A picture's file: under 65,536 bytes, of a type that its first bytes tell.
public struct Photo: Sendable, Equatable {
    /// The bytes a photo must stay below.
    public static let sizeLimit = 65_536

    public let bytes: [UInt8]
    public let mediaType: String

    /// Throws `photo-too-large` or `photo-invalid`.
    public init(_ bytes: [UInt8]) throws(HabitError) {
        guard bytes.count < Self.sizeLimit else { throw Self.tooLarge(bytes.count) }
        guard let mediaType = Self.mediaType(of: bytes) else {
            throw HabitError(
                .photoInvalid, "the photo is not a JPEG, PNG, WebP or GIF file", field: Field.photo.rawValue)
        }
        self.bytes = bytes
        self.mediaType = mediaType
    }

    public static func tooLarge(_ size: Int) -> HabitError {
        HabitError(
            .photoTooLarge, "the photo has \(size) bytes and must have less than \(sizeLimit): make it smaller",
            field: Field.photo.rawValue)
    }

    /// By which equal photos are stored once.
    public var sha256: [UInt8] { Array(SHA256.hash(data: bytes)) }

    /// The type that the signature at the beginning of a file tells.
    public static func mediaType(of bytes: some Collection<UInt8>) -> String? {
        if bytes.starts(with: [0xff, 0xd8, 0xff]) { return "image/jpeg" }
        if bytes.starts(with: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) { return "image/png" }
        if bytes.starts(with: "GIF87a".utf8) || bytes.starts(with: "GIF89a".utf8) { return "image/gif" }
        if bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "WEBP".utf8) { return "image/webp" }
        return nil
    }
}
