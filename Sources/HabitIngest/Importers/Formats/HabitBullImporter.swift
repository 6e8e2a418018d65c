import Base
import HabitModel

/// The CSV export of HabitBull.
struct HabitBullImporter: Importer {
    static let format = "habitbull"

    private static let columns = ["habitname", "habitdescription", "habitcategory"]

    static func canRead(_ input: ImportInput) throws -> Bool {
        guard let file = input.file, try file.content.kind == .text,
            let header = try ImportPlan.ifOfFormat({ try ImportTable(file, input.options.table).header })
        else { return false }
        return header.map { $0.lowercased() }.starts(with: columns)
    }

    func records(of input: ImportInput, _ receive: (ImportEntry) throws -> Void) throws {
        guard let file = input.file else { return }
        let numeric = try numericHabits(file, input.options.table)
        let table = try ImportTable(file, input.options.table)
        let columns = TableColumns(table.header)
        var titles: Set<String> = []
        try table.forEach { row in
            let source = SourceLocation(file: file.displayName, line: row.line)
            if let problem = row.problem {
                return try receive(.rejected(RejectedEntry(.events, problem, original: row.original, source: source)))
            }
            let title = columns.text(row, "habitname") ?? ""
            if titles.insert(title).inserted {
                var habit = ImportedHabit(title: title)
                habit.reason = FieldInput(text: columns.text(row, "habitdescription"))
                try receive(.habit(habit))
            }
            let date = columns.text(row, "calendardate") ?? ""
            guard let day = Self.day(date, input.options.table.dateFormat) else {
                let values = TableValues(input.options.table, delimiter: table.delimiter)
                let isUnknownForm = input.options.table.dateFormat == nil && !date.contains("-")
                let error =
                    isUnknownForm
                    ? HabitError(
                        .dayInvalid, "'\(date.excerpt)' is not a date of the form YYYY-MM-DD or month/day/year",
                        field: Field.day.name, .give(.dateFormat))
                    : values.invalidDay(date)
                return try receive(.rejected(RejectedEntry(.events, error, original: row.original, source: source)))
            }
            let comment = columns.text(row, "commenttext")
            guard let value = Self.value(columns.text(row, "value") ?? "") else {
                return try receive(
                    .skipped(SkippedEntry(.events, .valueInvalid, note: comment, source: source)))
            }
            var event = ImportedEvent(habit: .key(title), .date(day))
            event.outcome = value == 0 ? .none(.notDone) : .done
            event.amount = numeric.contains(title) && value > 0 ? .value(value) : .null
            event.comment = FieldInput(text: comment)
            event.source = source
            try receive(.event(event))
        }
    }

    /// Returns the titles of the habits with a value above 1, whose values are amounts.
    private func numericHabits(_ file: ImportFile, _ options: TableOptions) throws -> Set<String> {
        let table = try ImportTable(file, options)
        let columns = TableColumns(table.header)
        var titles: Set<String> = []
        try table.forEach { row in
            if let value = Self.value(columns.text(row, "value") ?? ""), value > 1 {
                titles.insert(columns.text(row, "habitname") ?? "")
            }
        }
        return titles
    }

    /// Parses `2026-03-18` or `3/18/2026`, or a date of the given form.
    private static func day(_ text: String, _ pattern: DatePattern?) -> Day? {
        if let pattern { return pattern.day(text) }
        if let day = Day(text) { return day }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[2].utf8.count == 4, let month = Int(parts[0]), let day = Int(parts[1]),
            let year = Int(parts[2])
        else { return nil }
        return Day(year: year, month: month, day: day)
    }

    /// Returns a value, or `nil` if it is negative, not a number, or larger than a 32-bit integer.
    private static func value(_ text: String) -> Double? {
        guard text.utf8.allSatisfy({ ($0 &- 48) < 10 || "+-.".utf8.contains($0) }), let value = Double(text),
            (0...Double(Int32.max)).contains(value)
        else { return nil }
        return value
    }
}
