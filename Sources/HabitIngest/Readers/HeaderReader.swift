import Base
import HabitModel

/// A reader for the header of a CSV or TSV file, which contains the names of its columns.
enum HeaderReader {
    /// Reads the first row and returns the column names without surrounding spaces and tabs.
    ///
    /// - Throws: `header-invalid` or `encoding-invalid`.
    static func read(_ scanner: inout DelimitedScanner, file: String, kind: RecordKind?) throws -> [String] {
        guard case .cells = try scanner.next() else {
            throw invalid("the first line is not a header", kind: kind, file: file)
        }
        guard scanner.cellCount == scanner.cells.count else {
            throw invalid(
                "the header has \(scanner.cellCount) columns, of which at most \(scanner.cells.count) are read",
                kind: kind,
                file: file)
        }
        let bytes = scanner.bytes
        guard (try? UTF8Span(validating: bytes.span)) != nil else {
            throw HabitError(
                .encodingInvalid, "the header is not UTF-8",
                .advice("save the file as UTF-8, or convert it with iconv"), .give(.encoding), file: file, line: 1)
        }
        let names = scanner.cells.map { cell in
            trimmed(String(decoding: bytes[cell.start..<cell.end], as: UTF8.self))
        }
        guard !names.allSatisfy(\.isEmpty) else {
            throw invalid("the header is blank", kind: kind, file: file)
        }
        if names.count == 1, names[0].contains(";") {
            throw HabitError(
                .headerInvalid, "the columns are separated by semicolons",
                .advice("save the file with commas or tabs, and with decimal points"), .give(.delimiter),
                file: file, line: 1)
        }
        return names
    }

    /// Returns the error for a header without any field name.
    ///
    /// The row may contain data or another delimiter.
    static func noField(_ header: [String], kind: RecordKind, file: String) -> HabitError {
        let names = header.prefix(8).map { name in "'\(name.prefix(40))'" }
        let shown = names.joined(separator: ", ")
        var error = invalid("the header has no column of \(kind.rawValue), only \(shown)", kind: kind, file: file)
        error.remedies.append(.give(.column))
        return error
    }

    private static func invalid(_ what: String, kind: RecordKind?, file: String) -> HabitError {
        let fieldsOfKind = kind.map { kind in "fields of \(kind.rawValue): \(kind.fieldList)" }
        let fields = fieldsOfKind ?? "fields: id, user, …"
        return HabitError(
            .headerInvalid, what,
            .advice("write the field names on the first line, separated by commas or tabs (\(fields))"),
            file: file, line: 1)
    }

    private static func trimmed(_ name: String) -> String {
        let isBlank = { (character: Character) in character == " " || character == "\t" }
        let rest = name.drop(while: isBlank)
        let last = rest.lastIndex { character in !isBlank(character) }
        guard let last else { return "" }
        return String(rest[...last])
    }
}
