import Base
import HabitModel

/// The errors about record kinds, which are the same in all formats.
enum KindError {
    static func unknownKind(file: String, line: Int) -> HabitError {
        HabitError(
            .headerInvalid,
            "unknown record kind: the kinds are \(RecordKind.list)", field: "kind",
            .advice("start the file's name with a kind (events.csv)"), .give(.kind), file: file, line: line)
    }

    /// Returns the problem with a record's own `kind`, or `nil` if it is valid and agrees with the known kind.
    static func reason(_ text: String, known: RecordKind?) -> String? {
        guard let kind = RecordKind(rawValue: text) else {
            return "unknown record kind '\(text.prefix(40))': write one of \(RecordKind.list)"
        }
        guard let known, known != kind else { return nil }
        return
            "the kind of the record is \(text), but the kind of the input is \(known.rawValue): move the record to another file"
    }
}

extension RecordKind {
    /// The names of the kind's fields, separated by commas, for use in messages.
    var fieldList: String { fields.map(\.name).joined(separator: ", ") }

    static var list: String { allCases.map(\.rawValue).joined(separator: ", ") }
}
