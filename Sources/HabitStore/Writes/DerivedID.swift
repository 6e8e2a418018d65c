import Crypto
import HabitModel

/// IDs for records that have no ID in their source.
///
/// An ID is derived from the record's key and equal in every load.
enum DerivedID {
    /// Returns the candidates for the ID of an event: `habit@day` if its length is at most 64, and a hash.
    ///
    /// The hash is the ID if another event has the first candidate.
    static func events(habit: String, day: Day) -> [String] {
        ["\(habit)@\(day)"].filter { $0.count <= 64 } + [hashed(["event", habit, day.description])]
    }

    /// Returns ten characters of a SHA-256 over the parts: 50 bits, in Crockford's base 32.
    ///
    /// The alphabet has no characters that users confuse when they read an ID aloud.
    static func short(_ parts: [String]) -> String {
        let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz")
        var bits: UInt64 = 0
        for byte in digest(parts).prefix(8) { bits = bits << 8 | UInt64(byte) }
        return String((0..<10).map { alphabet[Int(bits >> UInt64($0 * 5) & 31)] })
    }

    /// Returns the first half of a SHA-256 over the parts, in hexadecimal.
    static func hashed(_ parts: [String]) -> String {
        let hex = Array("0123456789abcdef")
        return digest(parts).prefix(16).map { "\(hex[Int($0 >> 4)])\(hex[Int($0 & 15)])" }.joined()
    }

    private static func digest(_ parts: [String]) -> SHA256.Digest {
        var hash = SHA256()
        for part in parts {
            hash.update(data: Array("\(part.utf8.count):".utf8))
            hash.update(data: Array(part.utf8))
        }
        return hash.finalize()
    }
}
