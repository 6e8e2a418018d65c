import Crypto

extension Sequence<UInt8> {
    /// The SHA-256 digest (FIPS 180-4) of the bytes: 32 bytes.
    public var sha256: [UInt8] {
        let digest = SHA256.hash(data: Array(self))
        return digest.withUnsafeBytes { bytes in Array(bytes) }
    }

    /// The bytes as lowercase hexadecimal digits, two per byte.
    package var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        for byte in self {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }
}

extension UnsafeRawBufferPointer {
    /// The SHA-256 digest of the bytes in memory: 32 bytes.
    package var sha256: SHA256.Digest {
        var hash = SHA256()
        hash.update(bufferPointer: self)
        return hash.finalize()
    }
}

extension Sequence<String> {
    /// The SHA-256 digest of the texts, each after its length in UTF-8: 32 bytes.
    ///
    /// The lengths distinguish `["a", "bc"]` from `["ab", "c"]`.
    package var lengthPrefixedSHA256: [UInt8] {
        var bytes: [UInt8] = []
        for text in self {
            bytes.append(contentsOf: String(text.utf8.count).utf8)
            bytes.append(UInt8(ascii: ":"))
            bytes.append(contentsOf: text.utf8)
        }
        return bytes.sha256
    }
}

/// Computes the SHA-256 digest of bytes that arrive in several buffers.
public struct RunningSHA256 {
    private var hash = SHA256()

    /// Creates a digest of zero bytes.
    public init() {}

    /// Appends bytes to the digested data.
    public mutating func update(_ bytes: RawSpan) {
        bytes.withUnsafeBytes { buffer in
            hash.update(bufferPointer: buffer)
        }
    }

    /// The digest of all bytes so far: 32 bytes.
    ///
    /// More bytes can follow.
    public var digest: [UInt8] {
        Array(hash.finalize())
    }
}
