import HabitModel

/// A table in the CSV export of Loop that needs the other files of the export: `Checkmarks.csv` or `Scores.csv` with all
/// habits, or `Scores.csv` of one habit.
///
/// The tables with all habits do not contain the kinds of the habits. A number is therefore a code, a thousandth of an
/// amount, or a score.
enum LoopOverview {
    private static let sampleCount = 50

    /// Returns the error for a file with such a table, or `nil` for any other file.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - code: The code of the error.
    /// - Returns: The error, or `nil`.
    static func error(of file: ImportFile, _ code: ErrorCode) -> HabitError? {
        guard isOverview(file) else { return nil }
        return HabitError(
            code,
            "the input is a table from the CSV export of Loop, which does not contain the kinds of the habits: import the complete ZIP file of the export",
            file: file.displayName)
    }

    /// Whether a file is such a table.
    static func isOverview(_ file: ImportFile) -> Bool {
        var options = TableOptions()
        options.delimiter = UInt8(ascii: ",")
        guard (try? file.content.kind) == .text, let table = try? ImportTable(file, options),
            table.header.first == "Date"
        else { return false }
        if table.header == ["Date", "Score"] { return true }
        // Loop ends each row with a comma, which a spreadsheet removes.
        guard table.header.count >= 3, table.header.last == "" else { return containsWord(table) }
        return hasOnlyValues(table)
    }

    /// Whether one of the first rows contains a word that only Loop writes, such as `YES_MANUAL`.
    private static func containsWord(_ table: ImportTable) -> Bool {
        struct Stop: Error {}
        var rows = 0
        var hasWord = false
        try? table.forEach { row in
            rows += 1
            hasWord = row.cells.dropFirst().contains { $0.contains("_") && LoopCSVImporter.words[$0] != nil }
            if hasWord || rows == sampleCount { throw Stop() }
        }
        return hasWord
    }

    /// Whether the first rows contain only a date and values of Loop.
    private static func hasOnlyValues(_ table: ImportTable) -> Bool {
        struct Stop: Error {}
        var rows = 0
        var hasOther = false
        try? table.forEach { row in
            rows += 1
            let values = row.cells.dropFirst().dropLast()
            let isValid = row.cells.count == table.header.count && row.cells.last == "" && Day(row[0]) != nil
            hasOther = !isValid || !values.allSatisfy(isValue)
            if hasOther || rows == sampleCount { throw Stop() }
        }
        return rows > 0 && !hasOther
    }

    private static func isValue(_ text: String) -> Bool {
        text.isEmpty || LoopCSVImporter.words[text] != nil || Double(decimal: text) != nil
    }
}
