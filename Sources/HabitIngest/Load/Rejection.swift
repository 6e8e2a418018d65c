import Base
import HabitModel
import HabitStore
import StoreEngine

/// A rejected input row with its source location, the reason and its values.
public struct Rejection: Sendable {
    /// The name of the input in messages.
    public var file: String
    /// The line (from 1) of the field at fault, or of the start of the row.
    public var line: Int
    /// The column (from 1) of the value in its line, in Unicode scalars, or `nil` if no single value is at fault.
    public var column: Int?
    /// The name of the field at fault, or `nil` if no single field is at fault.
    public var field: String?
    /// The code of the error.
    public var code: ErrorCode
    /// The problem and its remedy as a sentence.
    public var reason: String
    /// The values in ``reason``, for programs.
    public var parameters: [ErrorParameter] = []
    /// The kind of the record, or `nil` if the kind is unknown.
    public var kind: RecordKind?
    /// The values of the row, or `nil` if the reader could not parse the row.
    public var raw: RawRecord?
    /// The text of the row, truncated to ``RowProblem/originalLimit`` bytes if the reader could not parse it.
    public var original: String

    /// The problem and its remedies, or `nil` if the reader could not parse the row.
    public var error: HabitError?

    /// Returns the message `file:line:column: field: reason (slug)`.
    ///
    /// Unknown parts are omitted.
    ///
    /// - Parameter reason: The problem with its remedies in the words of a front end.
    /// - Returns: The message.
    public func message(_ reason: String) -> String {
        var sourceLocation = "\(file):\(line)"
        if let column { sourceLocation += ":\(column)" }
        if let field { sourceLocation += ": \(field)" }
        return "\(sourceLocation): \(reason) (\(code.slug))"
    }
}

/// Rejections as rows of a result, which any renderer can write.
///
/// Each row contains the error in columns that begin with `rejected_`, and all fields of the record kinds of the load.
/// The readers accept such a file as input and ignore the columns that begin with `rejected_`.
extension Rejection {
    /// Returns the shape of rejections.
    ///
    /// - Parameter kinds: The record kinds of the load, whose fields become columns.
    /// - Returns: The shape of the rows that ``row(kinds:)`` returns for the same kinds.
    public static func shape(kinds: [RecordKind]) -> ResultShape {
        var columns = [
            Column("kind", .text, at: 0), Column("rejected_file", .text, at: 1),
            Column("rejected_line", .integer, at: 2), Column("rejected_column", .integer, at: 3),
            Column("rejected_field", .text, at: 4), Column("rejected_slug", .text, at: 5),
            Column("rejected_reason", .text, at: 6), Column("rejected_original", .text, at: 7),
        ]
        for field in fields(of: kinds) {
            columns.append(Column(field.name, .any, at: columns.count))
        }
        return ResultShape(columns: columns)
    }

    /// Returns the rejection as a row of a result.
    ///
    /// - Parameter kinds: The record kinds of the load, whose fields become columns.
    /// - Returns: A row that contains the original text only if the reader could not parse the row.
    public func row(kinds: [RecordKind]) -> ValueRow {
        Self.row(
            kind: kind, file: file, line: line, column: column, field: field, slug: code.slug, reason: reason, raw: raw,
            original: raw == nil ? original : nil, kinds: kinds)
    }

    /// Returns the row of a record that was not stored, from its parts.
    static func row(
        kind: RecordKind?, file: String, line: Int?, column: Int?, field: String?, slug: String, reason: String,
        raw: RawRecord?, original: String?, kinds: [RecordKind]
    ) -> ValueRow {
        let values: [Value] = [
            .text(kind?.rawValue),
            .text(file),
            .integer(line.map(Int64.init)),
            .integer(column.map(Int64.init)),
            .text(field),
            .text(slug),
            .text(reason),
            .text(original),
        ]
        let input = fields(of: kinds).map { field in raw?[field].value ?? .null }
        return ValueRow(values + input)
    }

    private static func fields(of kinds: [RecordKind]) -> [Field] {
        let wanted = Set(kinds.flatMap { kind in kind.fields + kind.completionFields })
        return Field.allCases.filter(wanted.contains)
    }
}

extension RawValue {
    fileprivate var value: Value {
        switch self {
        case .absent, .null, .nested: .null
        case .text(let text): .text(text)
        case .integer(let number): .integer(number)
        case .number(let number): .number(number)
        case .boolean(let truth): .text(truth ? "true" : "false")
        }
    }
}
