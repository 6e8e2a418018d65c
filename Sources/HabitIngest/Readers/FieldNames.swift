import HabitModel

/// The meaning of a column or member name in records of one kind.
enum NameMeaning: Equatable {
    case field(Field)
    /// The name of the record kind.
    case kind
    /// A name in a file of rejected rows. It describes an earlier error, which does not apply to the new load.
    case ignored
    case unknown

    init(_ name: String, in kind: RecordKind) {
        let folded = name.lowercased()
        if folded == "kind" {
            self = .kind
        } else if let field = Field(spelling: name, in: kind) {
            self = .field(field)
        } else {
            self = folded == "rejected" || folded.hasPrefix("rejected_") ? .ignored : .unknown
        }
    }
}

/// The unknown names of an input, each of which is reported once.
struct UnknownNames {
    private static let limit = 100
    private static let longestName = 80

    let isStrict: Bool
    private(set) var names: [String] = []

    init(isStrict: Bool) { self.isStrict = isStrict }

    mutating func note(_ name: String, kind: RecordKind?, file: String, line: Int) throws {
        let name = String(name.prefix(Self.longestName))
        if isStrict { throw unknown(name, kind: kind, file: file, line: line) }
        if names.count < Self.limit, !names.contains(name) { names.append(name) }
    }

    private func unknown(_ name: String, kind: RecordKind?, file: String, line: Int) -> HabitError {
        let fields = kind.map { " (the fields of \($0.rawValue) are \($0.fieldList))" } ?? ""
        return HabitError(
            .headerInvalid, "unknown field '\(name)'\(fields)", field: name, .advice("remove it"),
            .omit(.strictColumns),
            file: file, line: line)
    }
}

extension RecordKind {
    /// The names of the kind's fields, separated by commas, for use in messages.
    var fieldList: String { fields.map(\.name).joined(separator: ", ") }

    static var list: String { allCases.map(\.rawValue).joined(separator: ", ") }
}

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
