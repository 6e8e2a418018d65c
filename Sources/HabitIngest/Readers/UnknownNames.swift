import Base
import HabitModel

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
