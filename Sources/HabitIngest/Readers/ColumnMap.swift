import HabitModel

/// What each column of a header holds in records of one kind.
struct ColumnMap {
    enum Target: Equatable {
        case field(Field)
        /// An alias beside the field's own name, in a file of several kinds: it must be empty in this kind's rows.
        case shadowed(Field)
        /// A field that an empty cell leaves absent.
        case optional(Field)
        case kind, ignored, unknown
    }

    private(set) var targets: [Target] = []

    var hasFields: Bool { targets.contains { if case .field = $0 { true } else { false } } }

    /// Throws `header-invalid` where two columns are spellings of one field.
    ///
    /// In a file of several kinds (`isMixed`) an alias may stand beside the field's own name, since it can be another
    /// kind's field: `text` of messages beside `comment` of events.
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
                    throw Self.twice(field, header[other], name, file: file)
                }
                targets.append(isOwn ? .field(field) : .shadowed(field))
                if isOwn {
                    targets[other] = .shadowed(field)
                    columns[field] = index
                }
            }
        }
        try checkKindColumns(header, file: file)
        allowEmptyCompletion(kind, isMixed: isMixed)
    }

    /// An empty completion cell means "not done", except in a column that the row need not have: refused rows have all columns
    /// of their kind, and rows of several kinds share `value`.
    private mutating func allowEmptyCompletion(_ kind: RecordKind, isMixed: Bool) {
        let fields = targets.contains(.ignored) ? kind.completionFields : isMixed ? [.value] : []
        for field in fields where kind.completionFields.contains(field) {
            if let index = targets.firstIndex(of: .field(field)) { targets[index] = .optional(field) }
        }
    }

    private func checkKindColumns(_ header: [String], file: String) throws {
        guard targets.count(where: { $0 == .kind }) > 1 else { return }
        throw HabitError(
            .headerInvalid, "the header has two columns 'kind': remove one of them", field: "kind", file: file, line: 1)
    }

    private static func twice(_ field: Field, _ first: String, _ second: String, file: String) -> HabitError {
        HabitError(
            .headerInvalid,
            "the columns '\(first)' and '\(second)' are both the field \(field.name): remove or rename one of them",
            field: field.name, file: file, line: 1)
    }
}
