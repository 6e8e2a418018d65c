import Base
import HabitModel

/// IDs for records that have no ID in their source.
///
/// An ID is derived from the record's key and equal in every load.
enum DerivedID {
    /// Returns the candidates for the ID of an event: `habit@day` if its length is at most 64, and a hash.
    ///
    /// The hash is the ID if another event has the first candidate.
    static func events(habit: String, day: Day) -> [String] {
        let readable = "\(habit)@\(day)"
        let hash = hashed(["event", habit, day.description])
        guard readable.count <= 64 else {
            return [hash]
        }
        return [readable, hash]
    }

    /// Returns ten characters of a SHA-256 over the parts: 50 bits, in Crockford's base 32.
    ///
    /// The alphabet has no characters that users confuse when they read an ID aloud.
    static func short(_ parts: [String]) -> String {
        let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz")
        var bits: UInt64 = 0
        for byte in parts.lengthPrefixedSHA256.prefix(8) {
            bits = bits << 8 | UInt64(byte)
        }
        let characters = (0..<10).map { index in
            let shifted = bits >> UInt64(index * 5)
            return alphabet[Int(shifted & 31)]
        }
        return String(characters)
    }

    /// Returns the first half of a SHA-256 over the parts, in hexadecimal.
    static func hashed(_ parts: [String]) -> String {
        let hash = parts.lengthPrefixedSHA256
        return hash.prefix(16).hexadecimal
    }
}
