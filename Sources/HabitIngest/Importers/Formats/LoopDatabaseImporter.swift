import Base
import HabitModel
import StoreSpatiaLite

/// The database of Loop Habit Tracker, which is also the file of its backup.
struct LoopDatabaseImporter: Importer {
    static let format = "loop-db"
    static let source = "loop"
    static let sameDay = SameDayRule.first

    /// The newest known version of the database (`user_version`).
    private static let newestVersion = 25
    private static let millisecondsOfDay: Int64 = 86_400_000

    static func canRead(_ input: ImportInput) throws -> Bool {
        guard let file = input.file else { return false }
        let content = try file.content
        guard content.kind == .database, !content.isGeoPackage else { return false }
        // A damaged database is an error, because its format is unknown.
        let tables = try file.database().tables
        let names = Set(tables.map { name in name.lowercased() })
        return names.isSuperset(of: ["habits", "repetitions"])
    }

    func records(of input: ImportInput, _ receive: (ImportEntry) throws -> Void) throws {
        guard let file = input.file else { return }
        let database = try file.database()
        try database.check()
        let version = try database.userVersion
        guard version <= Self.newestVersion else {
            throw HabitError(
                .versionNotKnown,
                "the database has the version \(version), and at most \(Self.newestVersion) is known: export the habits of Loop as CSV, and import that file",
                file: file.displayName)
        }
        var habits: [Int64: LoopHabit] = [:]
        try database.forEachRow(of: "Habits") { row in
            let habit = Self.habit(row)
            if let id = row.integer("id") { habits[id] = habit }
            try habit.send(receive)
        }
        try database.forEachRow(of: "Repetitions") { row in
            let id = row.integer("habit") ?? -1
            try receive(Self.entry(row, of: habits[id]))
        }
    }

    private static func habit(_ row: SQLiteFile.Row) -> LoopHabit {
        var habit = LoopHabit()
        habit.key = row.text("id") ?? ""
        if let uuid = row.text("uuid")?.trimmed, !uuid.isEmpty { habit.uuid = uuid }
        habit.name = row.text("name") ?? ""
        // Before schema version 23, Loop stored the text of `question` in the column `description`.
        habit.reason = joined(row.text("question"), row.text("description"))
        func integer(_ column: String, _ kind: UnreadableValue.Kind) -> Int64? {
            if let value = row.integer(column) { return value }
            if let text = unreadable(row, column) {
                habit.unreadable.append(UnreadableValue(kind, text))
            }
            return nil
        }
        habit.times = Int(clamping: integer("freq_num", .frequency) ?? 1)
        habit.periodDays = Int(clamping: integer("freq_den", .frequency) ?? 1)
        habit.isArchived = (integer("archived", .kind) ?? 0) != 0
        habit.isNumeric = integer("type", .kind) == 1
        habit.isAtMost = integer("target_type", .kind) == 1
        if let target = row.number("target_value") {
            habit.target = target
        } else if let text = unreadable(row, "target_value") {
            habit.unreadable.append(UnreadableValue(.target, text))
        }
        habit.unit = row.text("unit") ?? ""
        return habit
    }

    /// Returns the text of a value that is not a number, or `nil` for a missing or blank value.
    private static func unreadable(_ row: SQLiteFile.Row, _ column: String) -> String? {
        guard let text = row.text(column), !text.trimmed.isEmpty else { return nil }
        return text
    }

    private static func entry(_ row: SQLiteFile.Row, of habit: LoopHabit?) -> ImportEntry {
        let note = row.text("notes")
        guard let habit else { return .skipped(.events, .noHabit, note: note) }
        func rejected(_ message: String, original: String) -> ImportEntry {
            let error = HabitError(.dayInvalid, message, field: Field.day.name)
            let entry = RejectedEntry(.events, error, original: original)
            return .rejected(entry.of(habit: habit.key))
        }
        guard let timestamp = row.integer("timestamp") else {
            guard let text = unreadable(row, "timestamp") else {
                return .skipped(.events, .noDay, note: note)
            }
            return rejected("'\(text.excerpt)' is not a timestamp of Loop", original: joined(text, note))
        }
        guard let day = day(of: timestamp) else {
            return rejected("the timestamp \(timestamp) is outside the years 1 to 9999", original: note ?? "")
        }
        let value = row.contains("value") ? row.number("value") : 2
        let comment: FieldInput<String> = row.contains("notes") ? FieldInput(text: note) : .absent
        var event = habit.event(value ?? .nan, on: day, comment: comment)
        if value == nil {
            let isMissing = unreadable(row, "value") == nil
            event.outcome = .none(isMissing ? .unknown : .valueInvalid)
        }
        return .event(event)
    }

    /// Returns the calendar date of a timestamp, or `nil` outside the years 1 to 9999.
    ///
    /// The timestamp is midnight in UTC of a calendar date, which no time zone shifts.
    private static func day(of timestamp: Int64) -> Day? {
        let division = timestamp.quotientAndRemainder(dividingBy: millisecondsOfDay)
        // The division rounds toward 0, which is later than the day for a time before 1970.
        let isRoundedUp = division.remainder < 0
        let number = isRoundedUp ? division.quotient - 1 : division.quotient
        let first = Int64(Day.first.number)
        let last = Int64(Day.last.number)
        guard (first...last).contains(number) else { return nil }
        return Day(number: Int32(number))
    }
}
