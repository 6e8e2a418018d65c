import Crypto

extension Sequence<UInt8> {
    /// The SHA-256 digest (FIPS 180-4) of the bytes: 32 bytes.
    public var sha256: [UInt8] { Array(SHA256.hash(data: Array(self))) }
}

/// Computes the SHA-256 digest of bytes that arrive in several buffers.
public struct RunningSHA256 {
    private var hash = SHA256()

    /// Creates a digest of zero bytes.
    public init() {}

    /// Appends bytes to the digested data.
    public mutating func update(_ bytes: RawSpan) { bytes.withUnsafeBytes { hash.update(bufferPointer: $0) } }

    /// The digest of all bytes so far: 32 bytes.
    ///
    /// More bytes can follow.
    public var digest: [UInt8] { Array(hash.finalize()) }
}
