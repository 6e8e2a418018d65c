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
        guard let file = input.file, try file.content.kind == .database, try !file.content.isGeoPackage else {
            return false
        }
        // A damaged database is an error, because its format is unknown.
        let names = Set(try file.database().tables.map { $0.lowercased() })
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
            try receive(Self.entry(row, habits[row.integer("habit") ?? -1]))
        }
    }

    private static func habit(_ row: SQLiteFile.Row) -> LoopHabit {
        var habit = LoopHabit()
        habit.key = row.text("id") ?? ""
        habit.uuid = row.text("uuid").flatMap { $0.trimmed.isEmpty ? nil : $0.trimmed }
        habit.name = row.text("name") ?? ""
        // Before schema version 23, Loop stored the text of `question` in the column `description`.
        habit.reason = joined(row.text("question"), row.text("description"))
        func integer(_ column: String, _ kind: UnreadableValue.Kind) -> Int64? {
            let value = row.integer(column)
            if value == nil, let text = unreadable(row, column) { habit.unreadable.append(UnreadableValue(kind, text)) }
            return value
        }
        habit.times = Int(clamping: integer("freq_num", .frequency) ?? 1)
        habit.periodDays = Int(clamping: integer("freq_den", .frequency) ?? 1)
        habit.isArchived = integer("archived", .kind).map { $0 != 0 } ?? false
        habit.isNumeric = integer("type", .kind) == 1
        habit.isAtMost = integer("target_type", .kind) == 1
        habit.target = row.number("target_value") ?? 0
        if row.number("target_value") == nil, let text = unreadable(row, "target_value") {
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

    private static func entry(_ row: SQLiteFile.Row, _ habit: LoopHabit?) -> ImportEntry {
        let note = row.text("notes")
        guard let habit else { return .skipped(SkippedEntry(.events, .noHabit, note: note)) }
        guard let timestamp = row.integer("timestamp") else {
            guard let text = unreadable(row, "timestamp") else {
                return .skipped(SkippedEntry(.events, .noDay, note: note))
            }
            let error = HabitError(
                .dayInvalid, "'\(text.excerpt)' is not a timestamp of Loop", field: Field.day.name)
            return .rejected(RejectedEntry(.events, error, original: joined(text, note)).of(habit: habit.key))
        }
        // The timestamp is midnight in UTC of a calendar date, which no time zone shifts.
        let (quotient, remainder) = timestamp.quotientAndRemainder(dividingBy: millisecondsOfDay)
        let number = remainder < 0 ? quotient - 1 : quotient
        guard (Int64(Day.first.number)...Int64(Day.last.number)).contains(number) else {
            let error = HabitError(
                .dayInvalid, "the timestamp \(timestamp) is outside the years 1 to 9999", field: Field.day.name)
            return .rejected(RejectedEntry(.events, error, original: note ?? "").of(habit: habit.key))
        }
        let value = row.contains("value") ? row.number("value") : 2
        var event = habit.event(
            value ?? .nan, on: Day(number: Int32(number)),
            comment: row.contains("notes") ? FieldInput(text: note) : .absent
        )
        if value == nil { event.outcome = .none(unreadable(row, "value") == nil ? .unknown : .valueInvalid) }
        return .event(event)
    }
}
