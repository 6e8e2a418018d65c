import Base
import HabitModel

/// The files `habits` and `log` of harsh, a habit tracker for the terminal.
struct HarshImporter: Importer {
    static let format = "harsh"
    static let adviceIfEmpty = "record an entry with 'harsh ask', or import the folder with the file 'log'"

    static func canRead(_ input: ImportInput) throws -> Bool {
        if let file = input.file { return try kind(of: file) != nil }
        let kinds = try files(of: input).map { file in try kind(of: file) }
        return kinds.contains(.log) || kinds.contains(.habits)
    }

    func records(of input: ImportInput, _ receive: (ImportEntry) throws -> Void) throws {
        var titles: Set<String> = []
        var habitFiles: [ImportFile] = []
        var logFiles: [ImportFile] = []
        for file in Self.files(of: input) {
            switch try Self.kind(of: file) {
            case .habits: habitFiles.append(file)
            case .log: logFiles.append(file)
            case nil: break
            }
        }
        for file in habitFiles {
            try readHabits(file) { entry in
                if case .habit(let habit) = entry { titles.insert(habit.key) }
                try receive(entry)
            }
        }
        for file in logFiles {
            try readLog(file, titles: &titles, receive)
        }
    }

    // MARK: Recognition

    private enum Kind { case habits, log }

    private static func files(of input: ImportInput) -> [ImportFile] {
        if let file = input.file { return [file] }
        return input.files(named: "habits", "log")
    }

    /// Returns the kind of a file by its first lines that are not comments or headings.
    private static func kind(of file: ImportFile) throws -> Kind? {
        guard try file.content.kind == .text else { return nil }
        let allLines = try file.content.lines.map(\.trimmed)
        let lines = allLines.filter(isEntry).prefix(20)
        guard !lines.isEmpty else { return nil }
        if lines.contains(where: isLog) { return .log }
        let count = lines.count { line in habit(line) != nil }
        // Other texts can contain a line that looks like a habit.
        let isMostlyHabits = count * 2 > lines.count
        let hasName = file.lastName.lowercased() == "habits"
        if isMostlyHabits { return .habits }
        return count > 0 && hasName ? .habits : nil
    }

    private static func isEntry(_ line: String) -> Bool {
        !line.isEmpty && !line.hasPrefix("#") && !line.hasPrefix("!")
    }

    private static func isLog(_ line: String) -> Bool {
        let fields = line.split(separator: " : ", omittingEmptySubsequences: false)
        guard (3...5).contains(fields.count) else { return false }
        let day = Day(fields[0].trimmed)
        return day != nil
    }

    // MARK: Habits

    private func readHabits(_ file: ImportFile, _ receive: (ImportEntry) throws -> Void) throws {
        try file.forEachLine { line, number in
            guard Self.isEntry(line.trimmed) else { return }
            guard let parsed = Self.habit(line.trimmed) else {
                let error = HabitError(.lineInvalid, "the line is not 'habit: frequency': correct it")
                let source = SourceLocation(file: file.displayName, line: number)
                return try receive(.rejected(.habits, error, original: line, source: source))
            }
            if parsed.isNeverDue { try receive(.notice(.neverDue(parsed.habit.title))) }
            try receive(.habit(parsed.habit))
        }
    }

    /// Parses `Name: F` or `Name: F: end`.
    ///
    /// - Returns: The habit, and whether it is never due, or `nil` if the line has another form.
    private static func habit(_ line: String) -> (habit: ImportedHabit, isNeverDue: Bool)? {
        let fields = line.split(separator: ": ").map(\.trimmed)
        guard (2...3).contains(fields.count), !fields[0].isEmpty else { return nil }
        guard let schedule = schedule(fields[1]) else { return nil }
        var habit = ImportedHabit(title: fields[0])
        habit.schedule = schedule.value
        if fields.count == 3 {
            guard let end = Day(fields[2]) else { return nil }
            habit.end = end
        }
        return (habit, schedule.isNeverDue)
    }

    /// Parses `1`, `7`, `1w`, `3/7`, `2/4w` or `0`.
    private static func schedule(_ text: String) -> (value: ImportedSchedule, isNeverDue: Bool)? {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let last = parts.last else { return nil }
        guard let period = days(last) else { return nil }
        if parts.count == 1 { return (.times(1, in: period), period == 0) }
        guard let times = Int(parts[0]), times >= 0 else { return nil }
        return (.times(times, in: period), times == 0 || period == 0)
    }

    private static func days(_ text: Substring) -> Int? {
        let isWeeks = text.hasSuffix("w")
        let digits = isWeeks ? text.dropLast() : text
        guard let number = Int(digits), (0...100_000).contains(number) else { return nil }
        return isWeeks ? 7 * number : number
    }

    // MARK: Log

    private func readLog(
        _ file: ImportFile,
        titles: inout Set<String>,
        _ receive: (ImportEntry) throws -> Void
    ) throws {
        try file.forEachLine { line, number in
            guard Self.isEntry(line.trimmed) else { return }
            let source = SourceLocation(file: file.displayName, line: number)
            let entry: (title: String, event: ImportedEvent)
            do throws(HabitError) {
                entry = try Self.event(line)
            } catch {
                return try receive(.rejected(.events, error, original: line, source: source))
            }
            if titles.insert(entry.title).inserted {
                var habit = ImportedHabit(title: entry.title)
                // The schedule is in the file with the habits, which another import can have read.
                habit.keepsStored = true
                try receive(.habit(habit))
            }
            var event = entry.event
            event.source = source
            try receive(.event(event))
        }
    }

    /// Parses `YYYY-MM-DD : Name : y`, optionally with a comment and an amount.
    ///
    /// - Throws: `line-invalid`, `day-invalid` or `outcome-invalid`.
    private static func event(_ line: String) throws(HabitError) -> (title: String, event: ImportedEvent) {
        let fields = line.split(separator: " : ", omittingEmptySubsequences: false).map(\.trimmed)
        guard (3...5).contains(fields.count), !fields[1].isEmpty else {
            throw HabitError(.lineInvalid, "the line is not 'day : habit : result' with 3 to 5 fields: correct it")
        }
        let date = fields[0]
        let title = fields[1]
        guard let day = Day(date) else {
            throw HabitError(
                .dayInvalid, "'\(date.excerpt)' is not a date: write YYYY-MM-DD", field: Field.day.name)
        }
        var event = ImportedEvent(habit: .key(title), .date(day))
        event.outcome = try outcome(fields[2])
        let comment = fields.count > 3 ? fields[3] : nil
        event.comment = FieldInput(text: comment)
        event.amount = .null
        if fields.count > 4, !fields[4].isEmpty { event.amount = try amount(fields[4]) }
        return (title, event)
    }

    private static func outcome(_ text: String) throws(HabitError) -> ImportedOutcome {
        switch text {
        case "y": return .done
        case "s": return .skipped
        case "n": return .none(.notDone)
        default:
            throw HabitError(
                .outcomeInvalid, "'\(text.excerpt)' is not a result: write y, s or n", field: Field.outcome.name)
        }
    }

    /// Parses an amount.
    ///
    /// 0 means that the entry has no amount.
    private static func amount(_ text: String) throws(HabitError) -> FieldInput<Double> {
        guard let amount = Double(decimal: text), amount >= 0 else {
            throw HabitError(.lineInvalid, "'\(text.excerpt)' is not an amount: write a number")
        }
        return amount > 0 ? .value(amount) : .null
    }
}
