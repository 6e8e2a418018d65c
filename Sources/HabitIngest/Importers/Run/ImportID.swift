import Base
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
        "\(source):\(values.lengthPrefixedSHA256.prefix(16).hexadecimal)"
    }

    /// Returns the SHA-256 of bytes in hexadecimal.
    static func digest(of bytes: [UInt8]) -> String { bytes.sha256.hexadecimal }
}
