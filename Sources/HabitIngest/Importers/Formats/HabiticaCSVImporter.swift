import Base
import HabitModel

/// The history of Habitica as CSV (`history.csv`), which contains only the value of each task at each time.
struct HabiticaCSVImporter: Importer {
    static let format = "habitica-csv"
    static let source = "habitica"
    static let sameDay = SameDayRule.any

    private static let columns = ["task name", "task id", "task type", "date", "value"]

    static func canRead(_ input: ImportInput) throws -> Bool {
        guard let file = input.file, try file.content.kind == .text else { return false }
        let header = try ImportPlan.ifOfFormat { try ImportTable(file, input.options.table).header }
        guard let header else { return false }
        let names = header.map { name in name.lowercased() }
        return names.starts(with: columns)
    }

    func records(of input: ImportInput, _ receive: (ImportEntry) throws -> Void) throws {
        guard let file = input.file else { return }
        let table = try ImportTable(file, input.options.table)
        let columns = TableColumns(table.header)
        var histories: [String: HabiticaHistory] = [:]
        try table.forEach { row in
            let source = SourceLocation(file: file.displayName, line: row.line)
            if let problem = row.problem {
                return try receive(.rejected(.events, problem, original: row.original, source: source))
            }
            let type = columns.text(row, "task type")?.lowercased()
            // To-dos and rewards are not habits.
            guard type != "todo", type != "reward" else { return }
            let title = columns.text(row, "task name") ?? ""
            var id = columns.text(row, "task id")
            if id?.isEmpty == true { id = nil }
            let key = id ?? "title: \(title)"
            if histories[key] == nil {
                histories[key] = HabiticaHistory()
                var habit = ImportedHabit(key: key, title: title)
                habit.id = id
                habit.keepsStored = true
                try receive(.habit(habit))
            }
            let text = RowText(row: row, columns: columns, isDaily: type == "daily")
            let entry = Self.entry(
                text,
                habit: key,
                history: &histories[key, default: HabiticaHistory()],
                source: source)
            try receive(entry)
        }
    }

    /// A row and its columns.
    private struct RowText {
        var row: ImportTable.Row
        var columns: TableColumns
        /// Whether the task is a daily.
        var isDaily: Bool

        var date: String { columns.text(row, "date") ?? "" }
        var value: Double? {
            guard let text = columns.text(row, "value") else { return nil }
            return Double(decimal: text)
        }
    }

    /// The first instant at which Habitica writes all entries immediately.
    private static let lastWrittenLater = Day(year: 2018, month: 1, day: 1)?.startInUTC

    /// Returns the event of a row.
    ///
    /// - Parameters:
    ///   - row: The row.
    ///   - habit: The key of the habit.
    ///   - history: The previous rows of the habit, to which this method adds the row.
    ///   - source: The source location of the row.
    /// - Returns: The entry of the row.
    private static func entry(
        _ row: RowText,
        habit: String,
        history: inout HabiticaHistory,
        source: SourceLocation
    ) -> ImportEntry {
        let text = row.date
        let isRise = history.add(row.value)
        guard !text.isEmpty else { return .skipped(.events, .noDay, source: source) }
        guard let time = ImportTime(text, isUTC: true) else {
            let error = HabitError(
                .instantInvalid, "'\(text.excerpt)' is not a time in the form YYYY-MM-DD HH:MM:SS", field: Field.at.name
            )
            return .rejected(.events, error, original: row.row.original, source: source)
        }
        var credited = time
        if let instant = time.instant {
            credited = history.time(
                of: time, at: instant, isWrittenLater: row.isDaily, until: lastWrittenLater)
        }
        guard row.value != nil else {
            return .skipped(.events, .valueInvalid, source: source)
        }
        var event = ImportedEvent(habit: .key(habit), credited)
        event.outcome = isRise ? .done : .none(.notDone)
        event.source = source
        return .event(event)
    }
}
