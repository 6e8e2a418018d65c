import Crypto
import HabitModel

/// The ids of records whose source gives them none: the same in every load, since they follow from the record's key.
enum DerivedID {
    /// `habit@day` where that is no longer than an id may be, and a hash, for where the first is taken.
    static func events(habit: String, day: Day) -> [String] {
        ["\(habit)@\(day)"].filter { $0.count <= 64 } + [hashed(["event", habit, day.description])]
    }

    /// Ten characters that people can read to each other (Crockford's base 32), of a SHA-256 over the parts: 50 bits.
    static func short(_ parts: [String]) -> String {
        let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz")
        var bits: UInt64 = 0
        for byte in digest(parts).prefix(8) { bits = bits << 8 | UInt64(byte) }
        return String((0..<10).map { alphabet[Int(bits >> UInt64($0 * 5) & 31)] })
    }

    /// Half a SHA-256 over the key's parts, in hexadecimal.
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
