import Crypto
import HabitModel

/// The IDs of imported records.
enum ImportID {
    private static let limit = 64

    /// Returns the ID of a record with a globally unique ID in its source: `source:id`, or a digest if it is too long.
    static func unique(_ id: String, of source: String) -> String {
        let text = "\(source):\(id)".composed
        let isValid = (try? checkID(text, field: .id)) != nil
        return isValid ? text : digest([id], of: source)
    }

    /// Returns an ID derived from values that identify a record: `source:` and 128 bits of a SHA-256 in hexadecimal.
    static func digest(_ values: [String], of source: String) -> String {
        var hash = SHA256()
        for value in values {
            hash.update(data: Array("\(value.utf8.count):".utf8))
            hash.update(data: Array(value.utf8))
        }
        return "\(source):\(hexadecimal(hash.finalize().prefix(16)))"
    }

    /// Returns the SHA-256 of bytes in hexadecimal.
    static func digest(of bytes: [UInt8]) -> String { hexadecimal(SHA256.hash(data: bytes)) }

    private static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef")
        return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }
}
