import Base
import HabitModel

/// The meaning of each column of a header in records of one kind.
struct ColumnMap {
    enum Target: Equatable {
        case field(Field)
        /// An alias next to the field's own name, in a file of several kinds. It must be empty in rows of this kind.
        case shadowed(Field)
        /// A field that stays absent if the cell is empty.
        case optional(Field)
        case kind, ignored, unknown
    }

    private(set) var targets: [Target] = []

    var hasFields: Bool { targets.contains { if case .field = $0 { true } else { false } } }

    /// Maps the columns of a header to the fields of `kind`.
    ///
    /// In a file of several kinds (`isMixed`), an alias may occur next to the field's own name, because it can be
    /// another kind's field. Example: `text` of messages next to `comment` of events.
    ///
    /// - Throws: `header-invalid` if two columns are spellings of one field.
    init(_ header: [String], kind: RecordKind, isMixed: Bool, file: String) throws {
        var columns: [Field: Int] = [:]
        for (index, name) in header.enumerated() {
            switch NameMeaning(name, in: kind) {
            case .kind: targets.append(.kind)
            case .ignored: targets.append(.ignored)
            case .unknown: targets.append(.unknown)
            case .field(let field):
                guard let other = columns[field] else {
                    columns[field] = index
                    targets.append(.field(field))
                    continue
                }
                let isOwn = name.lowercased() == field.name
                let isOtherOwn = header[other].lowercased() == field.name
                guard isMixed, isOwn != isOtherOwn else {
                    throw Self.twice(field, in: [header[other], name], file: file)
                }
                targets.append(isOwn ? .field(field) : .shadowed(field))
                if isOwn {
                    targets[other] = .shadowed(field)
                    columns[field] = index
                }
            }
        }
        try checkKindColumns(header, file: file)
        allowEmptyOutcome(kind, isMixed: isMixed)
    }

    /// Makes empty cells of outcomes absent in columns that a row need not fill.
    ///
    /// In all other columns of outcomes, an empty cell means "not done". The exceptions are files of rejected rows,
    /// which have all columns of their kind, and the columns `value` and `status`, which rows of several kinds share.
    private mutating func allowEmptyOutcome(_ kind: RecordKind, isMixed: Bool) {
        let shared: [Field] = isMixed ? [.value, .status] : []
        let fields = targets.contains(.ignored) ? kind.outcomeFields : shared
        for field in fields where kind.outcomeFields.contains(field) {
            if let index = targets.firstIndex(of: .field(field)) { targets[index] = .optional(field) }
        }
    }

    private func checkKindColumns(_ header: [String], file: String) throws {
        guard targets.count(where: { $0 == .kind }) > 1 else { return }
        throw HabitError(
            .headerInvalid, "the header has two columns 'kind'", field: "kind", .advice("remove one of them"),
            file: file, line: 1)
    }

    private static func twice(_ field: Field, in columns: [String], file: String) -> HabitError {
        let names = columns.map { name in "'\(name)'" }.joined(separator: " and ")
        return HabitError(
            .headerInvalid,
            "the columns \(names) have the same meaning (\(field.name))", field: field.name,
            .advice("remove or rename one of them"), file: file, line: 1)
    }
}
