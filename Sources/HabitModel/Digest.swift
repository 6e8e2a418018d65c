import Crypto

extension Sequence<UInt8> {
    /// SHA-256 (FIPS 180-4): 32 bytes.
    public var sha256: [UInt8] { Array(SHA256.hash(data: Array(self))) }
}
