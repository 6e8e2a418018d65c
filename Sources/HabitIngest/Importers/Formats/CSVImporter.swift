import Base
import Geo
import HabitModel
import Photos

/// A table of another program with one event or post in each row.
struct CSVImporter: Importer {
    static let format = "csv"
    static let sameDay = SameDayRule.equal
    static let isTable = true

    static func canRead(_ input: ImportInput) throws -> Bool {
        let options = input.options
        guard let file = input.file, try file.content.kind == .text else { return false }
        let header = try ImportPlan.ifOfFormat { try ImportTable(file, options.table).header }
        guard let header else { return false }
        // Older exports of Strava have columns with the names of fields.
        let isDeclared = options.format == format || !options.table.columns.isEmpty
        guard isDeclared || !StravaImporter.isOlderHeader(header) else { return false }
        let columns = Columns(header, options.table, of: options.kind)
        return columns.missing(options.kind).isEmpty
    }

    func records(of input: ImportInput, _ receive: (ImportEntry) throws -> Void) throws {
        guard let file = input.file else { return }
        let table = try ImportTable(file, input.options.table)
        try input.options.table.checkColumns(of: table.header, file: table.file) { field in
            Column(rawValue: field) != nil
        }
        let columns = try Self.columns(of: table.header, in: file, input.options)
        if let name = columns.habitStatus {
            let column = IgnoredStatusColumn(column: name, file: table.file)
            try receive(.notice(ImportNotice(column.message)))
        }
        if !columns.unknown.isEmpty {
            let names = columns.unknown.map(\.excerpt).joined(separator: ", ")
            try receive(.notice(ImportNotice("Ignored unknown columns in '\(table.file)': \(names)")))
        }
        let values = TableValues(input.options.table, delimiter: table.delimiter)
        let reader = RowReader(columns: columns, values: values, file: file)
        let isPost = input.options.kind == .posts
        try table.forEach { row in
            let source = SourceLocation(file: file.displayName, line: row.line)
            let entry: ImportEntry
            do throws(HabitError) {
                if let problem = row.problem { throw problem }
                if isPost {
                    entry = .post(try reader.post(row, source))
                } else {
                    entry = .event(try reader.event(row, source))
                }
            } catch {
                let rejected = RejectedEntry(
                    isPost ? .posts : .events, error, original: row.original, source: source)
                entry = .rejected(reader.addingValues(of: row, to: rejected))
            }
            try receive(entry)
        }
    }

    static func hasOutcomeWords(_ input: ImportInput) throws -> Bool {
        guard let file = input.file else { return false }
        let header = try ImportTable(file, input.options.table).header
        return try columns(of: header, in: file, input.options).contains(.outcome)
    }

    // MARK: Columns

    /// Returns the columns of a header, without a column `status` that contains the status of the habits.
    private static func columns(
        of header: [String],
        in file: ImportFile,
        _ options: ImportOptions
    ) throws -> Columns {
        let columns = Columns(header, options.table, of: options.kind)
        guard let index = columns.statusIndex else { return columns }
        guard try hasHabitStatus(file, options.table, column: index) else { return columns }
        return Columns(header, options.table, of: options.kind, habitStatus: index)
    }

    /// Whether all words of a column are words of a habit's status, as the outputs of this program have them.
    private static func hasHabitStatus(_ file: ImportFile, _ options: TableOptions, column: Int) throws -> Bool {
        struct Stop: Error {}
        let table = try ImportTable(file, options)
        let values = TableValues(options, delimiter: table.delimiter)
        var hasStatus = false
        do {
            try table.forEach { row in
                let word = row[column]
                guard !word.isEmpty else { return }
                guard values.outcome(word) == nil, HabitStatus(word: word) != nil else { throw Stop() }
                hasStatus = true
            }
        } catch is Stop {
            return false
        }
        return hasStatus
    }

    /// A field of a table.
    enum Column: String, CaseIterable {
        case habit, day, time, at, outcome, amount, comment, latitude, longitude, caption, id, photo

        /// Other names of the column, in lowercase letters.
        fileprivate var aliases: [String] {
            switch self {
            case .habit: ["habit_id", "habit_name", "habit name", "name", "activity", "title"]
            case .day: ["date"]
            case .time: []
            case .at: ["ts", "timestamp", "when", "created_at", "occurred_at", "posted_at", "datetime"]
            case .outcome: ["status", "done", "value", "completed", "checked"]
            case .amount: ["quantity"]
            case .comment: ["note", "notes", "text"]
            case .latitude: ["lat", "y"]
            case .longitude: ["lon", "lng", "long", "x"]
            case .caption: ["description", "name"]
            case .id: []
            case .photo: ["picture"]
            }
        }

        /// Whether records of a kind have the field.
        fileprivate func belongs(to kind: RecordKind) -> Bool {
            switch self {
            case .habit, .outcome, .amount, .comment: kind != .posts
            case .caption: kind == .posts
            case .day, .time, .at, .latitude, .longitude, .id, .photo: true
            }
        }

        /// Whether a header names the column.
        func matches(_ name: String) -> Bool {
            let name = name.lowercased()
            return name == rawValue || aliases.contains(name)
        }

        /// Returns the index of the first name of the column in a header, or `nil` if the header does not contain it.
        fileprivate func index(in header: [String], except used: Set<Int>) -> Int? {
            for name in [rawValue] + aliases {
                let index = header.indices.first { index in
                    header[index] == name && !used.contains(index)
                }
                if let index { return index }
            }
            return nil
        }
    }

    /// The indices of the columns of a table.
    struct Columns {
        private let header: [String]
        private var indices: [Column: Int] = [:]
        /// The names of the columns without a meaning.
        private(set) var unknown: [String] = []
        /// The index of the outcome if its column is `status`, which can contain the status of the habits.
        private(set) var statusIndex: Int?
        /// The indices of further columns of outcomes, whose words for "not done" prevent an event.
        private(set) var otherOutcomes: [Int] = []
        /// The name of the column with the status of the habits, or `nil` if the table has no such column.
        private(set) var habitStatus: String?

        /// Finds the columns of a header.
        ///
        /// - Parameters:
        ///   - header: The names of the columns.
        ///   - options: The form of the table, which can assign columns to fields.
        ///   - kind: The kind of the records: events or posts.
        ///   - habitStatus: The index of the column with the status of the habits, or `nil` without such a column.
        init(
            _ header: [String],
            _ options: TableOptions,
            of kind: RecordKind,
            habitStatus: Int? = nil
        ) {
            self.header = header
            let names = header.map(\.folded)
            var used: Set<Int> = []
            if let habitStatus {
                self.habitStatus = header[habitStatus]
                used.insert(habitStatus)
            }
            assignColumns(of: options, names: names, used: &used)
            findColumns(of: kind, options: options, names: names, used: &used)
            let outcomeIsAssigned = options.columns[Field.outcome.name] != nil
            if let outcome = indices[.outcome], !outcomeIsAssigned {
                if names[outcome] == Field.status.name { statusIndex = outcome }
                otherOutcomes = names.indices.filter { index in
                    !used.contains(index) && Column.outcome.matches(names[index])
                }
                used.formUnion(otherOutcomes)
            }
            for (index, name) in names.enumerated() where !name.isEmpty && !used.contains(index) {
                unknown.append(header[index])
            }
            // Without a date, a time is an instant.
            let hasDate = indices[.day] != nil || indices[.at] != nil
            if let time = indices[.time], !hasDate {
                indices[.at] = time
                indices[.time] = nil
            }
        }

        /// Assigns the columns that the user names.
        private mutating func assignColumns(
            of options: TableOptions,
            names: [String],
            used: inout Set<Int>
        ) {
            for (field, name) in options.columns {
                guard let column = Column(rawValue: field) else { continue }
                guard let index = names.firstIndex(of: name.trimmed.folded) else { continue }
                indices[column] = index
                used.insert(index)
            }
        }

        /// Finds the other columns by their names.
        private mutating func findColumns(
            of kind: RecordKind,
            options: TableOptions,
            names: [String],
            used: inout Set<Int>
        ) {
            for column in Column.allCases where column.belongs(to: kind) {
                let isAssigned = indices[column] != nil || options.columns[column.rawValue] != nil
                if isAssigned { continue }
                if let index = column.index(in: names, except: used) {
                    indices[column] = index
                    used.insert(index)
                }
            }
        }

        func contains(_ column: Column) -> Bool { indices[column] != nil }

        /// Returns the index of a column, or `nil` if the table has no such column.
        func index(of column: Column) -> Int? { indices[column] }

        /// Returns the name of a column in the header, or `nil` if the table has no such column.
        func name(of column: Column) -> String? {
            guard let index = indices[column] else { return nil }
            return header[index]
        }

        /// Returns a cell, or `nil` if the table has no such column.
        func text(_ row: ImportTable.Row, _ column: Column) -> String? {
            guard let index = indices[column] else { return nil }
            return row[index]
        }

        /// The required fields without a column.
        func missing(_ kind: RecordKind) -> [String] {
            let hasTime = contains(.at) || contains(.time)
            if kind == .posts { return hasTime ? [] : ["time"] }
            var missing: [String] = []
            if !contains(.habit) { missing.append("habit") }
            if !contains(.day), !hasTime { missing.append("day or at") }
            return missing
        }
    }

    // MARK: Rows

    private struct RowReader {
        let columns: Columns
        let values: TableValues
        let file: ImportFile

        /// Returns the outcome of a row, or `nil` if the table has no column for it.
        ///
        /// A word for "not done" in any of several columns decides. Otherwise the first column with a word decides.
        private func outcome(_ row: ImportTable.Row) throws(HabitError) -> ImportedOutcome? {
            guard let text = columns.text(row, .outcome) else { return nil }
            let cells = columns.otherOutcomes.map { index in row[index] }
            let others = cells.filter { cell in !cell.isEmpty }
            let isNotDone = others.contains { word in values.outcome(word) == OutcomeWord.none }
            if isNotDone { return ImportedOutcome.none(.notDone) }
            let otherWord = others.first { word in values.outcome(word) != nil }
            let word = text.isEmpty ? otherWord ?? "" : text
            let field: Field = columns.statusIndex == nil ? .outcome : .status
            return try values.entryOutcome(word, field)
        }

        func event(_ row: ImportTable.Row, _ source: SourceLocation) throws(HabitError) -> ImportedEvent {
            let outcome = try outcome(row)
            let name = columns.text(row, .habit) ?? ""
            if let outcome, case .none = outcome {
                var event = undoneEvent(row, habit: name)
                event.outcome = outcome
                event.source = source
                return event
            }
            guard let time = try eventTime(row) else {
                throw HabitError(
                    .fieldMissing,
                    "the row has neither a day nor a time: add one of them",
                    field: Field.day.name)
            }
            guard !name.isEmpty else {
                throw HabitError(
                    .fieldMissing,
                    "the row names no habit: add it",
                    field: Field.habit.name)
            }
            var event = ImportedEvent(habit: .stored(name), time)
            event.outcome = outcome ?? .done
            event.localID = id(row)
            event.comment = comment(row)
            event.amount = try amount(row)
            event.position = try position(row)
            event.photo = photo(row)
            event.source = source
            return event
        }

        /// Returns the event of a row that the import skips, with the values that can be read.
        private func undoneEvent(_ row: ImportTable.Row, habit name: String) -> ImportedEvent {
            let time = try? eventTime(row)
            var event = ImportedEvent(habit: .stored(name), time ?? .date(Day(number: 0)))
            event.comment = comment(row)
            event.amount = (try? amount(row)) ?? .absent
            return event
        }

        func post(_ row: ImportTable.Row, _ source: SourceLocation) throws(HabitError) -> ImportedPost {
            var post = ImportedPost(time: try time(row))
            post.localID = id(row)
            post.caption = columns.text(row, .caption) ?? ""
            post.position = try position(row)
            post.photo = photo(row)
            post.source = source
            return post
        }

        /// Returns the entry of a row with an error, with the other values of the row.
        func addingValues(of row: ImportTable.Row, to rejected: RejectedEntry) -> RejectedEntry {
            guard row.problem == nil else { return rejected }
            var entry = rejected
            if entry.kind == .posts {
                entry.post = readablePost(row, rejected.source)
                return entry
            }
            let time = try? eventTime(row)
            entry.time = time
            entry.set(text: columns.text(row, .habit), for: .habit)
            entry.set(text: comment(row).value, for: .comment)
            entry.set(text: outcomeText(row), for: .outcome)
            if time == nil {
                entry.set(text: columns.text(row, .day), for: .day)
                entry.set(text: columns.text(row, .at), for: .at)
            }
            if let amount = try? amount(row), let number = amount.value {
                entry.values[.amount] = .number(number)
            } else {
                entry.set(text: columns.text(row, .amount), for: .amount)
            }
            if let position = try? position(row) {
                entry.values[.longitude] = .number(position.longitude)
                entry.values[.latitude] = .number(position.latitude)
            } else {
                entry.set(text: columns.text(row, .longitude), for: .longitude)
                entry.set(text: columns.text(row, .latitude), for: .latitude)
            }
            return entry
        }

        /// Returns the post of a row with the values that can be read.
        private func readablePost(_ row: ImportTable.Row, _ source: SourceLocation) -> ImportedPost {
            var post = ImportedPost(localID: id(row))
            post.time = try? time(row)
            post.caption = columns.text(row, .caption) ?? ""
            post.position = try? position(row)
            post.source = source
            return post
        }

        /// Returns the outcome of a row in the words of the store, or its text if it has no known meaning.
        private func outcomeText(_ row: ImportTable.Row) -> String? {
            guard let text = columns.text(row, .outcome) else { return nil }
            return switch values.outcome(text) {
            case .done: "done"
            case .skipped: "skipped"
            case OutcomeWord.none?: "no"
            case nil: text
            }
        }

        /// Returns the day and the time of an event, or `nil` if its cells are empty.
        ///
        /// The column of the day decides the day of an instant.
        private func eventTime(_ row: ImportTable.Row) throws(HabitError) -> ImportTime? {
            guard let day = columns.text(row, .day), !day.isEmpty else { return try time(row) }
            guard let at = columns.text(row, .at), !at.isEmpty else { return try time(row) }
            let date = try values.day(day).localDate
            let isTimeOfDay = ClockTime(at) != nil
            let time = isTimeOfDay ? try values.time(at, on: date) : try values.instant(at)
            if case .date = time { return .date(date) }
            return .dated(date, time)
        }

        /// Returns the time of a row, or `nil` if its cells are empty.
        private func time(_ row: ImportTable.Row) throws(HabitError) -> ImportTime? {
            if let text = columns.text(row, .at), !text.isEmpty { return try values.instant(text) }
            guard let text = columns.text(row, .day), !text.isEmpty else { return nil }
            let day = try values.day(text)
            guard case .date(let date) = day, let time = columns.text(row, .time) else { return day }
            return try values.time(time, on: date)
        }

        private func comment(_ row: ImportTable.Row) -> FieldInput<String> {
            guard let text = columns.text(row, .comment) else { return .absent }
            return FieldInput(text: text)
        }

        private func amount(_ row: ImportTable.Row) throws(HabitError) -> FieldInput<Double> {
            guard let text = columns.text(row, .amount) else { return .absent }
            return try values.amount(text)
        }

        private func position(_ row: ImportTable.Row) throws(HabitError) -> Geo.Position? {
            let latitude = columns.text(row, .latitude)
            let longitude = columns.text(row, .longitude)
            let hasLatitude = latitude?.isEmpty == false
            let hasLongitude = longitude?.isEmpty == false
            if hasLatitude, longitude == nil { throw missingColumn(.longitude, of: .latitude) }
            if hasLongitude, latitude == nil { throw missingColumn(.latitude, of: .longitude) }
            guard let latitude, let longitude else { return nil }
            return try values.position(latitude: latitude, longitude: longitude)
        }

        /// Returns the error of a position of which the table has only one coordinate.
        private func missingColumn(_ missing: Column, of other: Column) -> HabitError {
            let name = columns.name(of: other) ?? other.rawValue
            return HabitError(
                .positionInvalid,
                "the column '\(name.excerpt)' is a \(other.rawValue), but the table has no column for the \(missing.rawValue)",
                field: missing.rawValue,
                .advice("add or rename a column"),
                .give(.column))
        }

        private func id(_ row: ImportTable.Row) -> String? {
            guard let id = columns.text(row, .id), !id.isEmpty else { return nil }
            return id
        }

        /// Returns the photo in a file next to the table.
        private func photo(_ row: ImportTable.Row) -> ImportedPhoto? {
            guard let path = columns.text(row, .photo), !path.isEmpty else { return nil }
            return ImportedPhoto { [file] in
                try PhotoSource(folder: file.folder).bytes(path, limit: PhotoFile.sizeLimit)
            }
        }
    }
}

extension RejectedEntry {
    /// Sets the value of a field, unless the text is missing or empty.
    fileprivate mutating func set(text: String?, for field: Field) {
        if let text, !text.isEmpty { values[field] = .text(text) }
    }
}
