import Base
import HabitModel

/// A table with a day in each row and a habit in each column, or the other way round.
struct MatrixImporter: Importer {
    static let format = "matrix"
    static let sameDay = SameDayRule.equal
    static let isTable = true

    /// The number of rows from which the format is recognized.
    private static let sampleCount = 20

    static func canRead(_ input: ImportInput) throws -> Bool {
        let options = input.options
        guard let file = input.file, try file.content.kind == .text else { return false }
        // A mapped column belongs to a table with one entry in each row.
        guard options.table.columns.isEmpty, options.kind == .events else { return false }
        guard options.format == format || !LoopOverview.isOverview(file) else { return false }
        return try ImportPlan.ifOfFormat { try orientation(of: file, options) } != nil
    }

    static func hasOutcomeWords(_ input: ImportInput) -> Bool { true }

    private enum Orientation {
        /// The first column contains days.
        case daysInRows
        /// The header contains days.
        case daysInColumns
    }

    private struct Stop: Error {}

    private static func orientation(of file: ImportFile, _ options: ImportOptions) throws -> Orientation? {
        let table = try ImportTable(file, options.table)
        let values = TableValues(options.table, delimiter: table.delimiter)
        let titles = table.header.dropFirst().filter { title in !title.isEmpty }
        guard table.header.count >= 2, !titles.isEmpty else { return nil }
        func isDay(_ text: String) -> Bool {
            if case .date? = try? values.day(text) { true } else { false }
        }
        if titles.allSatisfy(isDay) { return .daysInColumns }
        guard !isDay(table.header[0]), !titles.contains(where: isField) else { return nil }
        var days: [Bool] = []
        do {
            try table.forEach { row in
                days.append(isDay(row[0]))
                if days.count == sampleCount { throw Stop() }
            }
        } catch is Stop {}
        // A single damaged date does not change the form of the table.
        let validCount = days.count { isDay in isDay }
        let areMostlyDays = validCount > 0 && 2 * validCount > days.count
        return areMostlyDays ? .daysInRows : nil
    }

    /// Whether a title is the name of a field, so that the table has one entry in each row.
    private static func isField(_ title: String) -> Bool {
        let isColumn = CSVImporter.Column.allCases.contains { column in column.matches(title) }
        return isColumn || Field(spelling: title, in: .events) != nil
    }

    func records(of input: ImportInput, _ receive: (ImportEntry) throws -> Void) throws {
        guard let file = input.file else { return }
        guard let orientation = try Self.orientation(of: file, input.options) else { return }
        let numeric = try numericHabits(in: file, input.options, orientation)
        var known: Set<Int> = []
        try forEachCell(of: file, options: input.options, orientation) { cell in
            if known.insert(cell.habit).inserted {
                var habit = ImportedHabit(key: String(cell.habit), title: cell.title)
                habit.canNameStored = true
                habit.keepsStored = true
                try receive(.habit(habit))
            }
            guard let text = cell.text else { return }
            let isNumeric = numeric.contains(cell.habit)
            let entry: ImportEntry
            do throws(HabitError) {
                if let problem = cell.problem { throw problem }
                guard case .date(let day) = try cell.values.day(cell.day) else {
                    throw cell.values.invalidDay(cell.day)
                }
                var event = try Self.event(text, cell, isNumeric: isNumeric, on: day)
                event.source = cell.source
                entry = .event(event)
            } catch {
                entry = .rejected(Self.rejected(text, cell, isNumeric: isNumeric, error: error))
            }
            try receive(entry)
        }
    }

    private static func event(
        _ text: String,
        _ cell: Cell,
        isNumeric: Bool,
        on day: Day
    ) throws(HabitError) -> ImportedEvent {
        var event = ImportedEvent(habit: .key(String(cell.habit)), .date(day))
        if cell.values.isAmbiguous(text) { _ = try cell.values.amount(text) }
        guard isNumeric, let number = cell.values.number(text) else {
            event.outcome = try cell.values.entryOutcome(text)
            return event
        }
        guard number >= 0 else {
            throw HabitError(
                .outcomeInvalid, "'\(text.excerpt)' is not an amount from 0", field: Field.outcome.name)
        }
        event.amount = .value(number)
        event.outcome = number == 0 ? .none(.notDone) : .done
        return event
    }

    /// Returns the entry of a cell with an error, which keeps the habit, the day and the meaning of the cell.
    private static func rejected(
        _ text: String,
        _ cell: Cell,
        isNumeric: Bool,
        error: HabitError
    ) -> RejectedEntry {
        var entry = RejectedEntry(.events, error, original: text, source: cell.source)
        entry.habit = String(cell.habit)
        entry.values = [.day: .text(cell.day), .outcome: .text(text)]
        if let time = try? cell.values.day(cell.day), case .date(let day) = time {
            entry.values[.day] = .text(day.description)
        }
        guard cell.problem == nil else { return entry }
        guard let event = try? event(text, cell, isNumeric: isNumeric, on: .first) else { return entry }
        switch event.outcome {
        case .done: entry.values[.outcome] = .text("done")
        case .skipped: entry.values[.outcome] = .text("skipped")
        case .none: entry.values[.outcome] = .text("no")
        }
        if let amount = event.amount.value { entry.values[.amount] = .number(amount) }
        return entry
    }

    /// Returns the habits with a number other than 0 and 1, whose numbers are amounts.
    private func numericHabits(
        in file: ImportFile,
        _ options: ImportOptions,
        _ orientation: Orientation
    ) throws -> Set<Int> {
        var habits: Set<Int> = []
        try forEachCell(of: file, options: options, orientation) { cell in
            guard let text = cell.text else { return }
            let isWord = cell.values.options.words[text.folded] != nil
            guard !isWord, let number = cell.values.number(text) else { return }
            if number != 0, number != 1 { habits.insert(cell.habit) }
        }
        return habits
    }

    // MARK: Cells

    private struct Cell {
        /// The number of the habit in the table.
        var habit: Int
        var title: String
        var day: String
        /// The text of the cell, or `nil` for the title of a habit.
        var text: String?
        var problem: HabitError?
        var source: SourceLocation
        var values: TableValues
    }

    /// Calls `body` with each habit, before its first cell, and with each cell.
    private func forEachCell(
        of file: ImportFile,
        options: ImportOptions,
        _ orientation: Orientation,
        _ body: (Cell) throws -> Void
    ) throws {
        let table = try ImportTable(file, options.table)
        let values = TableValues(options.table, delimiter: table.delimiter)
        let header = table.header
        let columns = header.indices.dropFirst().filter { column in !header[column].isEmpty }
        func cell(ofHabit habit: Int, title: String, line: Int) -> Cell {
            let source = SourceLocation(file: file.displayName, line: line)
            return Cell(habit: habit, title: title, day: "", source: source, values: values)
        }
        if orientation == .daysInRows {
            for column in columns {
                try body(cell(ofHabit: column, title: header[column], line: 1))
            }
        }
        try table.forEach { row in
            for column in columns {
                var cell =
                    switch orientation {
                    case .daysInRows: cell(ofHabit: column, title: header[column], line: row.line)
                    case .daysInColumns: cell(ofHabit: row.line, title: row[0], line: row.line)
                    }
                switch orientation {
                case .daysInRows: cell.day = row[0]
                case .daysInColumns: cell.day = header[column]
                }
                cell.text = row[column]
                cell.problem = row.problem
                try body(cell)
            }
        }
    }
}
