import Glibc
import HabitModel

/// A lookup of JSON member names for records of one kind.
///
/// It does not create strings for cached names.
///
/// Most records have the same members in the same order, so each search begins after the name found before.
final class MemberNames {
    /// A name of at most 16 bytes.
    ///
    /// All field names fit.
    private struct Key: Equatable {
        var first: UInt64 = 0
        var second: UInt64 = 0
        var count = 0

        init?(_ name: UnsafeRawBufferPointer) {
            guard name.count <= 16 else { return nil }
            count = name.count
            guard let base = name.baseAddress else { return }
            memcpy(&first, base, min(count, 8))
            if count > 8 { memcpy(&second, base + 8, count - 8) }
        }
    }

    private let kind: RecordKind
    private var entries: [(key: Key, meaning: NameMeaning)] = []
    private var next = 0

    /// The maximum number of cached spellings.
    ///
    /// Names in mixed case have many spellings.
    private static let limit = 128

    init(kind: RecordKind) { self.kind = kind }

    func meaning(of name: UnsafeRawBufferPointer) -> NameMeaning {
        guard let key = Key(name) else { return NameMeaning(String(decoding: name, as: UTF8.self), in: kind) }
        for step in 0..<entries.count {
            let index = next + step < entries.count ? next + step : next + step - entries.count
            if entries[index].key == key {
                next = index + 1 < entries.count ? index + 1 : 0
                return entries[index].meaning
            }
        }
        let meaning = NameMeaning(String(decoding: name, as: UTF8.self), in: kind)
        if entries.count < Self.limit { entries.append((key, meaning)) }
        return meaning
    }
}
