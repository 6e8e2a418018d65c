import HabitModel
import HabitStore
import StoreEngine

/// A refused input row: where it stands, what is wrong with it, and what it holds.
public struct Rejection: Sendable {
    public var file: String
    public var line: Int
    /// From 1; nil where no single value is at fault.
    public var column: Int?
    public var field: String?
    public var code: ErrorCode
    public var reason: String
    /// Nil where the row does not even tell its kind.
    public var kind: RecordKind?
    /// The row as it was read; nil where it could not be taken apart.
    public var raw: RawRecord?
    /// The row as it stood.
    public var original: String

    /// `file:line:column: field: reason (slug)`, without the parts there are none of.
    public var message: String {
        var place = "\(file):\(line)"
        if let column { place += ":\(column)" }
        if let field { place += ": \(field)" }
        return "\(place): \(reason) (\(code.slug))"
    }
}

/// Rejections as a result, so that they are rendered like one: a row each, with every field of the kinds read, and in front
/// of them what is wrong. The readers take such a file again, and pass over the columns that begin with `rejected_`.
extension Rejection {
    public static func shape(kinds: [RecordKind]) -> ResultShape {
        var columns = [
            Column("kind", .text, at: 0), Column("rejected_file", .text, at: 1),
            Column("rejected_line", .integer, at: 2), Column("rejected_column", .integer, at: 3),
            Column("rejected_field", .text, at: 4), Column("rejected_slug", .text, at: 5),
            Column("rejected_reason", .text, at: 6), Column("rejected_original", .text, at: 7),
        ]
        for field in fields(of: kinds) { columns.append(Column(field.name, .any, at: columns.count)) }
        return ResultShape(columns: columns)
    }

    public func row(kinds: [RecordKind]) -> ValueRow {
        ValueRow(
            [
                .text(kind?.rawValue), .text(file), .integer(Int64(line)), .integer(column.map(Int64.init)),
                .text(field), .text(code.slug), .text(reason), raw == nil ? .text(original) : .null,
            ] + Self.fields(of: kinds).map { raw?[$0].value ?? .null })
    }

    private static func fields(of kinds: [RecordKind]) -> [Field] {
        let wanted = Set(kinds.flatMap { $0.fields + $0.completionFields })
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
