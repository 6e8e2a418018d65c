import Base
import HabitModel

/// A reader for the header of a CSV or TSV file, which contains the names of its columns.
enum HeaderReader {
    /// Reads the first row and returns the column names without surrounding spaces and tabs.
    ///
    /// - Throws: `header-invalid` or `encoding-invalid`.
    static func read(_ scanner: inout DelimitedScanner, file: String, kind: RecordKind?) throws -> [String] {
        guard case .cells = try scanner.next() else { throw invalid("the first line is not a header", kind, file) }
        guard scanner.cellCount == scanner.cells.count else {
            throw invalid(
                "the header has \(scanner.cellCount) columns, of which at most \(scanner.cells.count) are read", kind,
                file)
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
        guard names.contains(where: { !$0.isEmpty }) else { throw invalid("the header is blank", kind, file) }
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
        let shown = header.prefix(8).map { "'\($0.prefix(40))'" }.joined(separator: ", ")
        var error = invalid("the header has no column of \(kind.rawValue), only \(shown)", kind, file)
        error.remedies.append(.give(.column))
        return error
    }

    private static func invalid(_ what: String, _ kind: RecordKind?, _ file: String) -> HabitError {
        let fields = kind.map { "fields of \($0.rawValue): \($0.fieldList)" } ?? "fields: id, user, …"
        return HabitError(
            .headerInvalid, what,
            .advice("write the field names on the first line, separated by commas or tabs (\(fields))"),
            file: file, line: 1)
    }

    private static func trimmed(_ name: String) -> String {
        let isBlank = { (character: Character) in character == " " || character == "\t" }
        let rest = name.drop(while: isBlank)
        guard let last = rest.lastIndex(where: { !isBlank($0) }) else { return "" }
        return String(rest[...last])
    }
}
