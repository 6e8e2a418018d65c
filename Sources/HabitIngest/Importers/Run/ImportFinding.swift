import Base
import HabitModel
import StoreEngine

/// An entry that the import does not store although it contains data: a rejected entry, or a skipped one with content.
public struct ImportFinding: Sendable {
    /// The name of the input in messages.
    public var file: String
    /// The line (from 1), or `nil` if the format has no lines.
    public var line: Int?
    /// The number (from 1) of the entry in its JSON array, or `nil` if the format has other numbers or none.
    public var entry: Int?
    /// The title of the habit and the day, or `nil` for an entry without them.
    public var subject: String?
    /// The kind of record.
    public var kind: RecordKind
    /// The ID of the rejected habit: the habit itself, or the habit whose rejection is the only error of an event.
    public var rejectedHabit: String?
    /// The name of the field at fault, or `nil` if no single field is at fault.
    public var field: String?
    /// The code of the error, or `nil` for a skipped entry.
    public var code: ErrorCode?
    /// The slug of the error, or the reason for which the entry is skipped.
    public var slug: String
    /// The problem and its remedies, or an empty text for a skipped entry.
    public var error: HabitError?
    /// The values of the entry.
    var raw: RawRecord?
    /// The text of the entry, if it could not be read.
    var original = ""

    /// Converts the finding to a row for a file of rejected rows.
    ///
    /// - Parameter kinds: The record kinds of the columns.
    /// - Returns: The values of the columns of ``Rejection/shape(kinds:)``.
    public func row(kinds: [RecordKind]) -> ValueRow {
        Rejection.row(
            kind: kind, file: file, line: line, column: nil, field: field, slug: slug,
            reason: error?.plainText ?? "skipped", raw: raw,
            original: raw != nil && original.isEmpty ? nil : original, kinds: kinds)
    }
}
