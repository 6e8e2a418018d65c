import Base
import HabitModel

/// The result of one step of a reader.
public enum ReadOutcome: Sendable, Equatable {
    /// The reader has read a record.
    case record
    /// The row is rejected. The reader continues with the next row.
    case rejected(RowProblem)
    /// The input has ended.
    case end
}

/// The reason why a row is rejected.
public struct RowProblem: Sendable, Equatable {
    /// The maximum length of the stored text of a rejected row, in bytes.
    public static let originalLimit = 1 << 16

    /// The line (from 1) on which the row begins.
    public var line: Int
    /// The column (from 1, in Unicode scalars) of the fault, or `nil` in JSON and for a fault on a later line.
    public var column: Int?
    /// The name of the field at fault, `kind` or `geometry`, or `nil` if no single field is at fault.
    public var field: String?
    /// The code of the error.
    public var code: ErrorCode
    /// The problem and its remedy, in one sentence.
    public var reason: String
    /// The text of the row, truncated to ``originalLimit`` bytes.
    ///
    /// U+FFFD replaces bytes that are not UTF-8.
    public var original: String
    /// The kind of the record, or `nil` if the row was rejected before its kind was known.
    public var kind: RecordKind?
}

/// Returns the beginning of `bytes` for a row problem, cut between Unicode scalars.
///
/// - Parameters:
///   - bytes: The text of the row.
///   - limit: The maximum length in bytes, in addition to ``RowProblem/originalLimit``.
/// - Returns: The text up to the smaller of both limits.
func beginning(of bytes: Span<UInt8>, limit: Int = .max) -> String {
    var count = min(bytes.count, RowProblem.originalLimit, max(limit, 0))
    if count < bytes.count {
        let shortest = max(count - 3, 0)
        while count > shortest, bytes[count] & 0xC0 == 0x80 { count -= 1 }
    }
    return bytes.extracting(first: count).text
}
