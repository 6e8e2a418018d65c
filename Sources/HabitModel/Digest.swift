import Crypto

extension Sequence<UInt8> {
    /// SHA-256 (FIPS 180-4): 32 bytes.
    public var sha256: [UInt8] { Array(SHA256.hash(data: Array(self))) }
}

/// SHA-256 of bytes that come in parts.
public struct RunningSHA256 {
    private var hash = SHA256()

    public init() {}

    public mutating func update(_ bytes: RawSpan) { bytes.withUnsafeBytes { hash.update(bufferPointer: $0) } }

    /// The digest of all that has come, 32 bytes; more may come after.
    public var digest: [UInt8] { Array(hash.finalize()) }
}
