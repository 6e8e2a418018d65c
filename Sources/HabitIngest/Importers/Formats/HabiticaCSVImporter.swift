import HabitModel

/// The history of Habitica as CSV (`history.csv`), which contains only the value of each task at each time.
struct HabiticaCSVImporter: Importer {
    static let format = "habitica-csv"
    static let source = "habitica"
    static let sameDay = SameDayRule.any

    private static let columns = ["task name", "task id", "task type", "date", "value"]

    static func canRead(_ input: ImportInput) throws -> Bool {
        guard let file = input.file, try file.content.kind == .text,
            let header = try? ImportTable(file, input.options.table).header
        else { return false }
        return header.map { $0.lowercased() }.starts(with: columns)
    }

    func records(of input: ImportInput, _ receive: (ImportEntry) throws -> Void) throws {
        guard let file = input.file else { return }
        let table = try ImportTable(file, input.options.table)
        let columns = TableColumns(table.header)
        // The last value of each task.
        var values: [String: Double] = [:]
        try table.forEach { row in
            let source = SourceLocation(file: file.displayName, line: row.line)
            if let problem = row.problem {
                return try receive(.rejected(RejectedEntry(.events, problem, original: row.original, source: source)))
            }
            let type = columns.text(row, "task type")?.lowercased()
            // To-dos and rewards are not habits.
            guard type != "todo", type != "reward" else { return }
            let title = columns.text(row, "task name") ?? ""
            let id = columns.text(row, "task id").flatMap { $0.isEmpty ? nil : $0 }
            let key = id ?? "title: \(title)"
            if values[key] == nil {
                values[key] = 0
                var habit = ImportedHabit(key: key, title: title)
                habit.id = id
                habit.keepsStored = true
                try receive(.habit(habit))
            }
            let entry = Self.entry(row, columns, habit: key, after: values[key] ?? 0, source)
            if let value = Self.value(row, columns) { values[key] = value }
            try receive(entry)
        }
    }

    /// Returns the event of a row.
    ///
    /// - Parameters:
    ///   - row: The row.
    ///   - columns: The columns of the table.
    ///   - habit: The key of the habit.
    ///   - previous: The previous value of the habit. A larger value means that the habit was done.
    ///   - source: The source location of the row.
    /// - Returns: The entry of the row.
    private static func entry(
        _ row: ImportTable.Row, _ columns: TableColumns, habit: String, after previous: Double, _ source: SourceLocation
    ) -> ImportEntry {
        let text = columns.text(row, "date") ?? ""
        guard !text.isEmpty else { return .skipped(SkippedEntry(.events, .noDay, source: source)) }
        guard let time = ImportTime(text, isUTC: true) else {
            let error = HabitError(
                .instantInvalid, "'\(text.excerpt)' is not a time in the form YYYY-MM-DD HH:MM:SS", field: Field.at.name
            )
            return .rejected(RejectedEntry(.events, error, original: row.original, source: source))
        }
        guard let value = value(row, columns) else {
            return .skipped(SkippedEntry(.events, .valueInvalid, source: source))
        }
        var event = ImportedEvent(habit: .key(habit), time)
        event.outcome = value > previous ? .done : .none(.notDone)
        event.source = source
        return .event(event)
    }

    private static func value(_ row: ImportTable.Row, _ columns: TableColumns) -> Double? {
        guard let text = columns.text(row, "value"),
            text.utf8.allSatisfy({ ($0 &- 48) < 10 || "+-.eE".utf8.contains($0) }),
            let value = Double(text), value.isFinite
        else { return nil }
        return value
    }
}
