import Foundation

/// Images of known size and content.
public enum TestImage {
    /// Returns a gray PNG image (ISO/IEC 15948) of exactly `byteCount` bytes, with uncompressed pixels.
    ///
    /// The size of the pixels must have a divisor that results in a width of at most 4096 pixels.
    public static func png(byteCount: Int) -> Data {
        // All data except the blocks takes 63 bytes, and each block begins with 5 bytes.
        let blockCount = (byteCount - 63 + 65_539) / 65_540
        // Each line of pixels begins with a filter byte.
        let size = byteCount - 63 - 5 * blockCount
        let height = (2...200).first { size % $0 == 0 && size / $0 <= 4096 } ?? 1
        var lines = [UInt8](repeating: 0x60, count: size)
        for line in 0..<height { lines[line * (size / height)] = 0 }
        var data = Data([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
        data += chunk("IHDR", bigEndian(size / height - 1) + bigEndian(height) + [8, 0, 0, 0, 0])
        var blocks: [UInt8] = []
        for start in stride(from: 0, to: size, by: 65_535) {
            let end = min(start + 65_535, size)
            let length = [UInt8((end - start) & 0xff), UInt8((end - start) >> 8)]
            let isLast: UInt8 = end == size ? 1 : 0
            blocks += [isLast] + length + length.map { ~$0 } + lines[start..<end]
        }
        data += chunk("IDAT", [0x78, 0x01] + blocks + adler32(lines))
        data += chunk("IEND", [])
        return data
    }

    /// A JPEG of 8 × 8 pixels with the position 38.5 north, 9.25 west and the camera maker "Secret".
    public static let located =
        Data(
            base64Encoded: """
                /9j/4AAQSkZJRgABAQAAAQABAAD/4QDoRXhpZgAATU0AKgAAAAgABgEPAAIAAAAHAAAAVgEaAAUAAAABAAAAXgEbAAUAAAABAAAA\
                ZgEoAAMAAAABAAEAAAITAAMAAAABAAEAAIglAAQAAAABAAAAbgAAAABTZWNyZXQAAAAAAAEAAAABAAAAAQAAAAEABQAAAAEAAAAE\
                AgMAAAABAAIAAAACTgAAAAACAAUAAAADAAAAsAADAAIAAAACVwAAAAAEAAUAAAADAAAAyAAAAAAAAAAmAAAAAQAAAB4AAAABAAAA\
                AAAAAAEAAAAJAAAAAQAAAA8AAAABAAAAAAAAAAH/2wBDAAgGBgcGBQgHBwcJCQgKDBQNDAsLDBkSEw8UHRofHh0aHBwgJC4nICIs\
                IxwcKDcpLDAxNDQ0Hyc5PTgyPC4zNDL/wAALCAAIAAgBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAAP/EABQQAQAAAAAAAAAAAAAA\
                AAAAAAD/2gAIAQEAAD8AP//Z
                """) ?? Data()

    private static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
        let body = Array(type.utf8) + content
        return bigEndian(content.count) + body + bigEndian(Int(crc32(body)))
    }

    private static func bigEndian(_ number: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    private static func crc32(_ bytes: [UInt8]) -> UInt32 {
        var sum: UInt32 = 0xffff_ffff
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 0 ? sum >> 1 : (sum >> 1) ^ 0xedb8_8320 }
        }
        return ~sum
    }

    private static func adler32(_ bytes: [UInt8]) -> [UInt8] {
        var sum = 1
        var sumOfSums = 0
        for byte in bytes {
            sum = (sum + Int(byte)) % 65_521
            sumOfSums = (sumOfSums + sum) % 65_521
        }
        return bigEndian(sumOfSums << 16 | sum)
    }
}
