import Base
import HabitModel

/// The CSV export of Loop Habit Tracker: `Habits.csv`, and a folder with `Checkmarks.csv` for each habit.
struct LoopCSVImporter: Importer {
    static let format = "loop-csv"
    static let source = "loop"
    static let companions: Set<String> = [CSVImporter.format, MatrixImporter.format]
    static let sameDay = SameDayRule.first

    /// The values of habits that are done or not done.
    static let words: [String: Double] = [
        "YES_MANUAL": 2, "YES_AUTO": 1, "NO": 0, "SKIP": 3, "UNKNOWN": -1,
    ]

    static func canRead(_ input: ImportInput) throws -> Bool {
        guard input.form != .file, let list = try habitList(of: input) else { return false }
        return !EntryFiles(of: input, nextTo: list).byNumber.isEmpty
    }

    /// Returns the file with the list of habits, or `nil` if the input has no such file.
    private static func habitList(of input: ImportInput) throws -> ImportFile? {
        try input.files(named: "Habits.csv").first { file in
            guard try file.content.kind == .text else { return false }
            let header = try ImportTable(file, options).header
            return header.starts(with: ["Position", "Name"])
        }
    }

    /// The files with the entries of the habits, in folders next to the list of habits.
    private struct EntryFiles {
        /// The files by the number at the beginning of their folder.
        private(set) var byNumber: [Int: ImportFile] = [:]
        /// The files in a folder without a number, or with the number of another folder.
        private(set) var others: [ImportFile] = []

        init(of input: ImportInput, nextTo list: ImportFile) {
            let folder = list.name.dropLast(list.lastName.count)
            for file in input.files(named: "Checkmarks.csv") where file.name.hasPrefix(folder) {
                let path = file.name.dropFirst(folder.count).split(separator: "/")
                guard path.count == 2 else { continue }
                let word = path[0].prefix { character in character != " " }
                if let number = Int(word), byNumber[number] == nil {
                    byNumber[number] = file
                } else {
                    others.append(file)
                }
            }
        }

        /// Removes and returns the file of a habit, or returns `nil` if the habit has no file.
        mutating func remove(_ number: Int) -> ImportFile? { byNumber.removeValue(forKey: number) }

        /// The files that belong to no habit, in the order of their names.
        var remaining: [ImportFile] {
            let files = byNumber.values + others
            return files.sorted { first, second in first.name < second.name }
        }
    }

    private static var options: TableOptions {
        var options = TableOptions()
        options.delimiter = UInt8(ascii: ",")
        return options
    }

    func records(of input: ImportInput, _ receive: (ImportEntry) throws -> Void) throws {
        guard let list = try Self.habitList(of: input) else { return }
        var files = EntryFiles(of: input, nextTo: list)
        try receive(
            .notice(
                ImportNotice(
                    "The CSV export of Loop does not identify habits. If you also import Loop's database, each habit exists twice."
                )))
        let habits = try readHabits(list, receive)
        for (number, habit) in habits {
            if let file = files.remove(number) { try readCheckmarks(file, of: habit, receive) }
        }
        for file in files.remaining { try skipCheckmarks(file, receive) }
        if let notice = Self.notice(ofFilesWithoutHabit: files.remaining, list) {
            try receive(.notice(notice))
        }
    }

    /// Reads the list of habits.
    ///
    /// - Returns: The habits with their numbers.
    private func readHabits(
        _ list: ImportFile, _ receive: (ImportEntry) throws -> Void
    ) throws -> [(number: Int, habit: LoopHabit)] {
        let table = try ImportTable(list, Self.options)
        let columns = TableColumns(table.header)
        var habits: [(number: Int, habit: LoopHabit)] = []
        try table.forEach { row in
            func reject(_ error: HabitError) throws {
                let source = SourceLocation(file: list.displayName, line: row.line)
                try receive(.rejected(.habits, error, original: row.original, source: source))
            }
            if let problem = row.problem { return try reject(problem) }
            let habit = Self.habit(row, columns)
            guard let number = Int(habit.key) else {
                // Without its number, a habit has no entries.
                let key = habit.key.excerpt
                return try reject(
                    HabitError(.rowInvalid, "'\(key)' is not the number of a habit: correct it"))
            }
            let isKnown = habits.contains { other in other.number == number }
            guard !isKnown else {
                return try reject(
                    HabitError(.duplicateKey, "another habit has the number \(number): correct one of them"))
            }
            try habit.send(receive)
            habits.append((number, habit))
        }
        return habits
    }

    private func readCheckmarks(
        _ file: ImportFile,
        of habit: LoopHabit,
        _ receive: (ImportEntry) throws -> Void
    ) throws {
        try forEachEntry(of: file) { row, source in
            let entry: ImportEntry
            do throws(HabitError) {
                if let problem = row.problem { throw problem }
                var event = try Self.event(row, habit)
                event.source = source
                entry = .event(event)
            } catch {
                let rejected = RejectedEntry(.events, error, original: row.original, source: source)
                entry = .rejected(rejected.of(habit: habit.key))
            }
            try receive(entry)
        }
    }

    /// Skips the entries of a file that belongs to no habit.
    private func skipCheckmarks(_ file: ImportFile, _ receive: (ImportEntry) throws -> Void) throws {
        try forEachEntry(of: file) { row, source in
            try receive(.skipped(.events, .noHabit, note: row[2], source: source))
        }
    }

    private func forEachEntry(
        of file: ImportFile, _ body: (ImportTable.Row, SourceLocation) throws -> Void
    ) throws {
        let table = try ImportTable(file, Self.options, hasHeader: false)
        var isFirst = true
        try table.forEach { row in
            defer { isFirst = false }
            // Older exports have no header.
            if isFirst, row[0] == "Date" { return }
            try body(row, SourceLocation(file: file.displayName, line: row.line))
        }
    }

    /// Returns the notice for files whose number the list of habits does not contain, or `nil` without such files.
    private static func notice(ofFilesWithoutHabit files: [ImportFile], _ list: ImportFile) -> ImportNotice? {
        guard let first = files.first else { return nil }
        let problem =
            files.count == 1
            ? "'\(first.displayName)' belongs to no habit"
            : "\(files.count) files belong to no habit, for example '\(first.displayName)'"
        return ImportNotice(
            "\(problem), because '\(list.displayName)' does not contain the number of the folder",
            .advice("import the complete ZIP file of the export"))
    }

    private static func event(_ row: ImportTable.Row, _ habit: LoopHabit) throws(HabitError) -> ImportedEvent {
        let date = row[0]
        let word = row[1]
        guard let day = Day(date) else {
            throw HabitError(
                .dayInvalid, "'\(date.excerpt)' is not a date: write YYYY-MM-DD", field: Field.day.name)
        }
        guard let value = words[word] ?? Double(decimal: word) else {
            throw HabitError(
                .outcomeInvalid, "'\(word.excerpt)' is not a value of Loop", field: Field.outcome.name)
        }
        var comment = FieldInput<String>.absent
        if row.cells.count > 2 { comment = FieldInput(text: row[2]) }
        return habit.event(value, on: day, comment: comment)
    }

    /// Returns the habit in a row of `Habits.csv`, whose columns have other names in older versions.
    private static func habit(_ row: ImportTable.Row, _ columns: TableColumns) -> LoopHabit {
        var habit = LoopHabit()
        habit.key = columns.text(row, "position") ?? ""
        habit.name = columns.text(row, "name") ?? ""
        habit.reason = joined(columns.text(row, "question"), columns.text(row, "description"))
        func number<Value>(
            _ text: String?,
            of kind: UnreadableValue.Kind,
            parse: (String) -> Value?
        ) -> Value? {
            guard let text, !text.isEmpty else { return nil }
            let value = parse(text)
            if value == nil { habit.unreadable.append(UnreadableValue(kind, text)) }
            return value
        }
        func word(
            _ text: String?,
            among known: Set<String>,
            of kind: UnreadableValue.Kind
        ) -> String? {
            guard let text, !text.isEmpty else { return nil }
            let word = text.uppercased()
            if !known.contains(word) { habit.unreadable.append(UnreadableValue(kind, text)) }
            return word
        }
        let timesText = columns.text(row, "frequencynumerator", "numrepetitions")
        let times = number(timesText, of: .frequency) { text in Int(text) }
        habit.times = times ?? 1
        let periodText = columns.text(row, "frequencydenominator", "interval")
        let period = number(periodText, of: .frequency) { text in Int(text) }
        habit.periodDays = period ?? 1
        let type = word(columns.text(row, "type"), among: ["YES_NO", "NUMERICAL"], of: .kind)
        habit.isNumeric = type == "NUMERICAL"
        let targetTypeText = columns.text(row, "target type")
        let targetType = word(targetTypeText, among: ["AT_LEAST", "AT_MOST"], of: .target)
        habit.isAtMost = targetType == "AT_MOST"
        let targetText = columns.text(row, "target value")
        let target = number(targetText, of: .target) { text in Double(decimal: text) }
        habit.target = target ?? 0
        habit.unit = columns.text(row, "unit") ?? ""
        let archivedText = columns.text(row, "archived?", "archived")
        let archived = word(archivedText, among: ["TRUE", "FALSE"], of: .kind)
        habit.isArchived = archived == "TRUE"
        return habit
    }
}
