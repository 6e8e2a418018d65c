import Crypto
import HabitModel

/// The ids of records whose source gives them none: the same in every load, since they follow from the record's key.
enum DerivedID {
    /// `habit@day`; hashed where that would be longer than an id may be.
    static func event(habit: String, day: Day) -> String {
        let id = "\(habit)@\(day)"
        return id.count <= 64 ? id : hashed(["event", habit, day.description])
    }

    /// Half a SHA-256 over the key's parts, in hexadecimal.
    static func hashed(_ parts: [String]) -> String {
        var hash = SHA256()
        for part in parts {
            hash.update(data: Array("\(part.utf8.count):".utf8))
            hash.update(data: Array(part.utf8))
        }
        let hex = Array("0123456789abcdef")
        return hash.finalize().prefix(16).map { "\(hex[Int($0 >> 4)])\(hex[Int($0 & 15)])" }.joined()
    }
}
