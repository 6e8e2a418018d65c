import Base
import HabitModel

/// The errors for tables that no importer recognizes.
enum UnknownTable {
    /// Returns the error for a table that lacks the columns of an event or a post.
    ///
    /// - Parameters:
    ///   - input: The input.
    ///   - isDeclared: Whether the options declare that the input is a table.
    /// - Returns: The error, or `nil` if the input is not a table or has the columns.
    /// - Throws: `header-invalid` if the options name a column that the table does not have, or an error of reading the
    ///   input.
    static func error(of input: ImportInput, isDeclared: Bool) throws -> HabitError? {
        let options = input.options
        guard let file = input.file, try file.content.kind == .text else { return nil }
        let knownTable = try ImportPlan.ifOfFormat { try ImportTable(file, options.table) }
        guard let table = knownTable, isDeclared || isTable(table) else { return nil }
        let header = table.header
        try options.table.checkColumns(of: header, file: table.file) { field in
            CSVImporter.Column(rawValue: field) != nil
        }
        let columns = CSVImporter.Columns(header, options.table, of: options.kind)
        let missing = columns.missing(options.kind)
        guard !missing.isEmpty else { return nil }
        var error = error(of: header, missing: missing, isDeclared: isDeclared, file: input.name)
        error.remedies = [.give(.column)]
        if header.count == 1, options.table.delimiter == nil { error.remedies.append(.give(.delimiter)) }
        // The replacement character stands for bytes that are not UTF-8.
        let isMisread = header.contains { name in name.contains("\u{FFFD}") }
        if isMisread { error.remedies.append(.give(.encoding)) }
        if !isDeclared { error.remedies.append(.advice("import one of these formats: \(Importers.list)")) }
        return error
    }

    /// Returns the error of a table without some columns, without its remedies.
    private static func error(
        of header: [String],
        missing: [String],
        isDeclared: Bool,
        file: String
    ) -> HabitError {
        let names = header.filter { name in !name.isEmpty }
        let columns = names.prefix(20).map(\.excerpt).joined(separator: ", ")
        let problem = "no column for \(missing.joined(separator: " and for "))"
        if isDeclared {
            return HabitError(.formatMismatch, "the table has \(problem) (columns: \(columns))", file: file)
        }
        return HabitError(
            .formatNotRecognised,
            "the input looks like a table with the columns \(columns), but has \(problem)",
            file: file)
    }

    /// Whether the first row after the header has as many cells as the header.
    private static func isTable(_ table: ImportTable) -> Bool {
        struct Stop: Error {}
        guard table.header.count > 1 else { return false }
        var count = 0
        try? table.forEach { row in
            count = row.cells.count
            throw Stop()
        }
        return count == table.header.count
    }

    /// Returns the error for a file of rejected entries, or `nil` if the input is not such a file.
    ///
    /// - Throws: An error of reading the input.
    static func rejectsError(of input: ImportInput) throws -> HabitError? {
        guard let file = input.file else { return nil }
        let names: [String]
        switch try file.content.kind {
        case .text: names = (try? ImportTable(file, input.options.table).header) ?? []
        case .json: names = try file.content.outline?.names ?? []
        default: return nil
        }
        guard names.contains("rejected_slug") else { return nil }
        return HabitError(
            .formatNotRecognised, "the input is a file of rejected entries, whose rows are records of the store",
            .take(.loadRejects), file: input.name)
    }
}
