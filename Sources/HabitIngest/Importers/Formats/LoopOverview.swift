import Base
import Foundation
import HabitModel

/// A table in the CSV export of Loop that needs the other files of the export: `Checkmarks.csv` or `Scores.csv` with all
/// habits, or one of these files of one habit.
///
/// The tables do not contain the kinds of the habits. A number is therefore a code, a thousandth of an amount, or a score.
enum LoopOverview {
    private static let sampleCount = 50
    private static let entriesName = "checkmarks.csv"

    /// The content of a table.
    private enum Content {
        /// The entries or the scores of all habits.
        case allHabits
        /// The entries or the scores of one habit, in its folder.
        case oneHabit
    }

    /// Returns the error for an input that is such a table, or a folder or an archive with the entries of habits.
    ///
    /// - Parameters:
    ///   - input: The input.
    ///   - code: The code of the error.
    /// - Returns: The error, or `nil` for any other input.
    static func error(of input: ImportInput, _ code: ErrorCode) -> HabitError? {
        if let file = input.file {
            guard let content = content(of: file) else { return nil }
            return error(content, code, of: file)
        }
        let files = input.files(named: entriesName)
        guard let file = files.first(where: { file in content(of: file) == .oneHabit }) else { return nil }
        return error(.oneHabit, code, of: file)
    }

    private static func error(_ content: Content, _ code: ErrorCode, of file: ImportFile) -> HabitError {
        switch content {
        case .allHabits:
            HabitError(
                code,
                "the input is a table from the CSV export of Loop, which does not contain the kinds of the habits: import the complete ZIP file of the export",
                file: file.displayName)
        case .oneHabit:
            HabitError(
                code,
                """
                the input is a file of one habit from the CSV export of Loop, without the title and the kind of the habit, which \
                are in 'Habits.csv': import the complete ZIP file of the export, or the folder \(list(of: file))
                """,
                file: file.displayName)
        }
    }

    /// Describes the folder with the list of habits, which is the folder above the folder of a habit.
    private static func list(of file: ImportFile) -> String {
        let unknown = "with 'Habits.csv'"
        guard let own = file.folder else { return unknown }
        let folder = own == "." ? ".." : own.pathParts.folder
        let hasList = FileManager.default.fileExists(atPath: folder + "/Habits.csv")
        return hasList ? "'\(folder)'" : unknown
    }

    /// Whether a file is such a table.
    static func isOverview(_ file: ImportFile) -> Bool { content(of: file) != nil }

    private static func content(of file: ImportFile) -> Content? {
        var options = TableOptions()
        options.delimiter = UInt8(ascii: ",")
        guard (try? file.content.kind) == .text else { return nil }
        guard let table = try? ImportTable(file, options) else { return nil }
        let header = table.header
        guard header.first == "Date" else {
            return isOldEntryFile(file, table) ? .oneHabit : nil
        }
        if headersOfOneHabit.contains(header) { return .oneHabit }
        // Loop ends each row with a comma, which a spreadsheet removes.
        let endsWithComma = header.count >= 3 && header.last == ""
        let isOfAllHabits = endsWithComma ? hasOnlyValues(table) : containsWord(table)
        return isOfAllHabits ? .allHabits : nil
    }

    /// The headers of the files of one habit.
    private static let headersOfOneHabit: Set<[String]> = [
        ["Date", "Score"],
        ["Date", "Value"],
        ["Date", "Value", "Notes"],
    ]

    /// Whether a table without a header has the name and the form of a file with the entries of one habit.
    private static func isOldEntryFile(_ file: ImportFile, _ table: ImportTable) -> Bool {
        // The first row is an entry.
        let first = table.header
        guard file.lastName.lowercased() == entriesName else { return false }
        guard (2...3).contains(first.count) else { return false }
        return Day(first[0]) != nil && isValue(first[1])
    }

    /// Whether one of the first rows contains a word that only Loop writes, such as `YES_MANUAL`.
    private static func containsWord(_ table: ImportTable) -> Bool {
        struct Stop: Error {}
        var rows = 0
        var hasWord = false
        try? table.forEach { row in
            rows += 1
            hasWord = row.cells.dropFirst().contains { cell in
                cell.contains("_") && LoopCSVImporter.words[cell] != nil
            }
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
            let cells = row.cells
            let isComplete = cells.count == table.header.count && cells.last == ""
            let hasDate = Day(row[0]) != nil
            let values = cells.dropFirst().dropLast()
            hasOther = !isComplete || !hasDate || !values.allSatisfy(isValue)
            if hasOther || rows == sampleCount { throw Stop() }
        }
        return rows > 0 && !hasOther
    }

    private static func isValue(_ text: String) -> Bool {
        text.isEmpty || LoopCSVImporter.words[text] != nil || Double(decimal: text) != nil
    }
}
