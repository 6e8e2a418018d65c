import Base
import HabitModel

/// The CSV export of HabitBull.
struct HabitBullImporter: Importer {
    static let format = "habitbull"

    private static let columns = ["habitname", "habitdescription", "habitcategory"]

    static func canRead(_ input: ImportInput) throws -> Bool {
        guard let file = input.file, try file.content.kind == .text else { return false }
        let header = try ImportPlan.ifOfFormat { try ImportTable(file, input.options.table).header }
        guard let header else { return false }
        let names = header.map { name in name.lowercased() }
        return names.starts(with: columns)
    }

    func records(of input: ImportInput, _ receive: (ImportEntry) throws -> Void) throws {
        guard let file = input.file else { return }
        let options = input.options.table
        let numeric = try numericHabits(file, options)
        let table = try ImportTable(file, options)
        let columns = TableColumns(table.header)
        var titles: Set<String> = []
        try table.forEach { row in
            let source = SourceLocation(file: file.displayName, line: row.line)
            func rejected(_ error: HabitError) -> ImportEntry {
                .rejected(.events, error, original: row.original, source: source)
            }
            if let problem = row.problem { return try receive(rejected(problem)) }
            let title = columns.text(row, "habitname") ?? ""
            if titles.insert(title).inserted {
                var habit = ImportedHabit(title: title)
                habit.reason = FieldInput(text: columns.text(row, "habitdescription"))
                try receive(.habit(habit))
            }
            let date = columns.text(row, "calendardate") ?? ""
            guard let day = Self.day(date, options.dateFormat) else {
                let values = TableValues(options, delimiter: table.delimiter)
                let error = Self.invalidDay(date, options: options, values: values)
                return try receive(rejected(error))
            }
            let comment = columns.text(row, "commenttext")
            let valueText = columns.text(row, "value") ?? ""
            guard let value = Self.value(valueText) else {
                return try receive(.skipped(.events, .valueInvalid, note: comment, source: source))
            }
            var event = ImportedEvent(habit: .key(title), .date(day))
            event.outcome = value == 0 ? .none(.notDone) : .done
            let isAmount = numeric.contains(title) && value > 0
            event.amount = isAmount ? .value(value) : .null
            event.comment = FieldInput(text: comment)
            event.source = source
            try receive(.event(event))
        }
    }

    /// Returns the error of a date that cannot be read.
    private static func invalidDay(
        _ date: String,
        options: TableOptions,
        values: TableValues
    ) -> HabitError {
        let isUnknownForm = options.dateFormat == nil && !date.contains("-")
        guard isUnknownForm else { return values.invalidDay(date) }
        return HabitError(
            .dayInvalid,
            "'\(date.excerpt)' is not a date of the form YYYY-MM-DD or month/day/year",
            field: Field.day.name,
            .give(.dateFormat))
    }

    /// Returns the titles of the habits with a value above 1, whose values are amounts.
    private func numericHabits(_ file: ImportFile, _ options: TableOptions) throws -> Set<String> {
        let table = try ImportTable(file, options)
        let columns = TableColumns(table.header)
        var titles: Set<String> = []
        try table.forEach { row in
            let value = Self.value(columns.text(row, "value") ?? "")
            if let value, value > 1 {
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
        guard parts.count == 3, parts[2].utf8.count == 4 else { return nil }
        guard let month = Int(parts[0]) else { return nil }
        guard let day = Int(parts[1]) else { return nil }
        guard let year = Int(parts[2]) else { return nil }
        return Day(year: year, month: month, day: day)
    }

    /// Returns a value, or `nil` if it is negative, not a number, or larger than a 32-bit integer.
    private static func value(_ text: String) -> Double? {
        let isDecimal = text.utf8.allSatisfy { byte in
            let isDigit = byte &- UInt8(ascii: "0") < 10
            return isDigit || "+-.".utf8.contains(byte)
        }
        guard isDecimal, let value = Double(text) else { return nil }
        return (0...Double(Int32.max)).contains(value) ? value : nil
    }
}
