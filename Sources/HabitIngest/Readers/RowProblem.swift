import HabitModel

/// What one step of a reader came to.
public enum ReadOutcome: Sendable, Equatable {
    case record
    /// The row is refused; reading goes on behind it.
    case rejected(RowProblem)
    case end
}

/// Why a row cannot be taken as a record.
public struct RowProblem: Sendable, Equatable {
    /// How much of a refused row is kept, in bytes.
    public static let originalLimit = 1 << 16

    /// The line, from 1, on which the row begins.
    public var line: Int
    /// The place of the fault in that line, from 1, in Unicode scalars; nil in JSON, and for a fault on a later line.
    public var column: Int?
    /// The name of the field at fault: a field's, or `kind` or `geometry`.
    public var field: String?
    public var code: ErrorCode
    /// What is wrong and what to do about it, in one sentence.
    public var reason: String
    /// The row as it stood, cut after ``originalLimit`` bytes; what is not UTF-8 is replaced by U+FFFD.
    public var original: String
    /// Nil where the row was refused before its kind was known.
    public var kind: RecordKind?
}

/// `bytes` as a row problem shows them: at most ``RowProblem/originalLimit`` or `limit`, cut between Unicode scalars.
func beginning(of bytes: Span<UInt8>, limit: Int = .max) -> String {
    var count = min(bytes.count, RowProblem.originalLimit, max(limit, 0))
    if count < bytes.count {
        let shortest = max(count - 3, 0)
        while count > shortest, bytes[count] & 0xC0 == 0x80 { count -= 1 }
    }
    return bytes.extracting(first: count).text
}
