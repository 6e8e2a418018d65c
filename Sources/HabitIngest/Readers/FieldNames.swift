import HabitModel

/// What the name of a column or member stands for in records of one kind.
enum NameMeaning: Equatable {
    case field(Field)
    /// It says the record's kind.
    case kind
    /// It comes from a file of refused rows: what was wrong there says nothing here.
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

/// The unknown names that were met, to be reported once.
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
    /// The kind's fields as a message lists them.
    var fieldList: String { fields.map(\.name).joined(separator: ", ") }

    static var list: String { allCases.map(\.rawValue).joined(separator: ", ") }
}

/// The errors that are alike in every format.
enum KindError {
    static func unknownKind(file: String, line: Int) -> HabitError {
        HabitError(
            .headerInvalid,
            "unknown record kind: the kinds are \(RecordKind.list)", field: "kind",
            .advice("start the file's name with a kind (events.csv)"), .give(.kind), file: file, line: line)
    }

    /// What is wrong with a record's own `kind`; nil where it agrees with the one that is known.
    static func reason(_ text: String, known: RecordKind?) -> String? {
        guard let kind = RecordKind(rawValue: text) else {
            return "'\(text.prefix(40))' is no kind of record: write one of \(RecordKind.list)"
        }
        guard let known, known != kind else { return nil }
        return
            "the record says that it is of \(text), but the input is of \(known.rawValue): move it to a file of its own"
    }
}
