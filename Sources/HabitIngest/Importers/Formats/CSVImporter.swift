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
        guard let file = input.file, try file.content.kind == .text,
            let header = try ImportPlan.ifOfFormat({ try ImportTable(file, input.options.table).header })
        else { return false }
        // Older exports of Strava have columns with the names of fields.
        let isDeclared = input.options.format == format || !input.options.table.columns.isEmpty
        guard isDeclared || !StravaImporter.isOlderHeader(header) else { return false }
        return Columns(header, input.options.table, input.options.kind).missing(input.options.kind).isEmpty
    }

    func records(of input: ImportInput, _ receive: (ImportEntry) throws -> Void) throws {
        guard let file = input.file else { return }
        let table = try ImportTable(file, input.options.table)
        try input.options.table.checkColumns(of: table.header, file: table.file) { Column(rawValue: $0) != nil }
        let columns = try Self.columns(of: table.header, input, file)
        if let name = columns.habitStatus {
            let column = IgnoredStatusColumn(column: name, file: table.file)
            try receive(.notice(ImportNotice(column.message)))
        }
        if !columns.unknown.isEmpty {
            let names = columns.unknown.map(\.excerpt).joined(separator: ", ")
            try receive(.notice(ImportNotice("Ignored unknown columns in '\(table.file)': \(names)")))
        }
        let reader = RowReader(
            columns: columns, values: TableValues(input.options.table, delimiter: table.delimiter), file: file)
        let isPost = input.options.kind == .posts
        try table.forEach { row in
            let source = SourceLocation(file: file.displayName, line: row.line)
            let entry: ImportEntry
            do throws(HabitError) {
                if let problem = row.problem { throw problem }
                entry = isPost ? .post(try reader.post(row, source)) : .event(try reader.event(row, source))
            } catch {
                entry = .rejected(reader.rejected(row, error, source, isPost: isPost))
            }
            try receive(entry)
        }
    }

    static func hasOutcomeWords(_ input: ImportInput) throws -> Bool {
        guard let file = input.file else { return false }
        let header = try ImportTable(file, input.options.table).header
        return try columns(of: header, input, file).contains(.outcome)
    }

    // MARK: Columns

    /// Returns the columns of a header, without a column `status` that contains the status of the habits.
    private static func columns(of header: [String], _ input: ImportInput, _ file: ImportFile) throws -> Columns {
        var columns = Columns(header, input.options.table, input.options.kind)
        if let index = columns.statusIndex, try hasHabitStatus(file, input.options.table, column: index) {
            columns = Columns(header, input.options.table, input.options.kind, habitStatus: index)
        }
        return columns
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
        init(_ header: [String], _ options: TableOptions, _ kind: RecordKind, habitStatus: Int? = nil) {
            self.header = header
            let names = header.map { $0.folded }
            var used: Set<Int> = []
            if let habitStatus {
                self.habitStatus = header[habitStatus]
                used.insert(habitStatus)
            }
            for (field, name) in options.columns {
                guard let column = Column(rawValue: field), let index = names.firstIndex(of: name.trimmed.folded) else {
                    continue
                }
                indices[column] = index
                used.insert(index)
            }
            for column in Column.allCases
            where column.belongs(to: kind) && indices[column] == nil && options.columns[column.rawValue] == nil {
                let candidates = [column.rawValue] + column.aliases
                let index = candidates.lazy.compactMap { name in
                    names.indices.first { names[$0] == name && !used.contains($0) }
                }.first
                if let index {
                    indices[column] = index
                    used.insert(index)
                }
            }
            if contains(.outcome), options.columns[Field.outcome.name] == nil {
                otherOutcomes = names.indices.filter { !used.contains($0) && Column.outcome.matches(names[$0]) }
                used.formUnion(otherOutcomes)
            }
            unknown = header.indices.filter { !used.contains($0) && !names[$0].isEmpty }.map { header[$0] }
            if let index = indices[.outcome], names[index] == Field.status.name,
                options.columns[Field.outcome.name] == nil
            {
                statusIndex = index
            }
            // Without a date, a time is an instant.
            if indices[.day] == nil, indices[.at] == nil, let time = indices[.time] {
                indices[.at] = time
                indices[.time] = nil
            }
        }

        func contains(_ column: Column) -> Bool { indices[column] != nil }

        /// Returns the index of a column, or `nil` if the table has no such column.
        func index(of column: Column) -> Int? { indices[column] }

        /// Returns the name of a column in the header, or `nil` if the table has no such column.
        func name(of column: Column) -> String? { indices[column].map { header[$0] } }

        /// Returns a cell, or `nil` if the table has no such column.
        func text(_ row: ImportTable.Row, _ column: Column) -> String? { indices[column].map { row[$0] } }

        /// The required fields without a column.
        func missing(_ kind: RecordKind) -> [String] {
            let hasTime = contains(.at) || contains(.time)
            if kind == .posts { return hasTime ? [] : ["time"] }
            return (contains(.habit) ? [] : ["habit"]) + (contains(.day) || hasTime ? [] : ["day or at"])
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
            let others = columns.otherOutcomes.map { row[$0] }.filter { !$0.isEmpty }
            if others.contains(where: { values.outcome($0) == OutcomeWord.none }) {
                return ImportedOutcome.none(.notDone)
            }
            let word = text.isEmpty ? others.first { values.outcome($0) != nil } ?? text : text
            return try values.entryOutcome(word, columns.statusIndex == nil ? .outcome : .status)
        }

        func event(_ row: ImportTable.Row, _ source: SourceLocation) throws(HabitError) -> ImportedEvent {
            let outcome = try outcome(row)
            let name = columns.text(row, .habit) ?? ""
            if case .none? = outcome {
                var event = ImportedEvent(habit: .stored(name), (try? eventTime(row)) ?? .date(Day(number: 0)))
                event.outcome = outcome ?? .done
                event.comment = comment(row)
                event.amount = (try? amount(row)) ?? .absent
                event.source = source
                return event
            }
            guard let time = try eventTime(row) else {
                throw HabitError(
                    .fieldMissing, "the row has neither a day nor a time: add one of them", field: Field.day.name)
            }
            guard !name.isEmpty else {
                throw HabitError(.fieldMissing, "the row names no habit: add it", field: Field.habit.name)
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

        func post(_ row: ImportTable.Row, _ source: SourceLocation) throws(HabitError) -> ImportedPost {
            var post = ImportedPost(time: try time(row))
            post.localID = id(row)
            post.caption = columns.text(row, .caption) ?? ""
            post.position = try position(row)
            post.photo = photo(row)
            post.source = source
            return post
        }

        /// Returns the entry of a row with an error, which keeps the other values of the row.
        func rejected(
            _ row: ImportTable.Row, _ error: HabitError, _ source: SourceLocation, isPost: Bool
        ) -> RejectedEntry {
            var entry = RejectedEntry(isPost ? .posts : .events, error, original: row.original, source: source)
            guard row.problem == nil else { return entry }
            let time = try? isPost ? self.time(row) : eventTime(row)
            let position = try? self.position(row)
            if isPost {
                var post = ImportedPost(
                    localID: id(row), time: time, caption: columns.text(row, .caption) ?? "", position: position)
                post.source = source
                entry.post = post
                return entry
            }
            entry.time = time
            let texts: [(Field, String?)] = [
                (.habit, columns.text(row, .habit)), (.comment, comment(row).value),
                (.day, time == nil ? columns.text(row, .day) : nil),
                (.at, time == nil ? columns.text(row, .at) : nil),
                (.outcome, outcomeText(row)),
            ]
            for case (let field, let text?) in texts where !text.isEmpty { entry.values[field] = .text(text) }
            if let amount = (try? amount(row))?.value {
                entry.values[.amount] = .number(amount)
            } else if let text = columns.text(row, .amount), !text.isEmpty {
                entry.values[.amount] = .text(text)
            }
            if let position {
                entry.values[.longitude] = .number(position.longitude)
                entry.values[.latitude] = .number(position.latitude)
            } else {
                let coordinates: [(Field, Column)] = [(.longitude, .longitude), (.latitude, .latitude)]
                for (field, column) in coordinates {
                    if let text = columns.text(row, column), !text.isEmpty { entry.values[field] = .text(text) }
                }
            }
            return entry
        }

        /// Returns the outcome of a row in the words of the store, or its text if it has no known meaning.
        private func outcomeText(_ row: ImportTable.Row) -> String? {
            columns.text(row, .outcome).map { text in
                switch values.outcome(text) {
                case .done: "done"
                case .skipped: "skipped"
                case OutcomeWord.none?: "no"
                case nil: text
                }
            }
        }

        /// Returns the day and the time of an event, or `nil` if its cells are empty.
        ///
        /// The column of the day decides the day of an instant.
        private func eventTime(_ row: ImportTable.Row) throws(HabitError) -> ImportTime? {
            guard let day = columns.text(row, .day), !day.isEmpty, let at = columns.text(row, .at), !at.isEmpty else {
                return try time(row)
            }
            let date = try values.day(day).localDate
            let time = ClockTime(at) == nil ? try values.instant(at) : try values.time(at, on: date)
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
            columns.text(row, .comment).map { FieldInput(text: $0) } ?? .absent
        }

        private func amount(_ row: ImportTable.Row) throws(HabitError) -> FieldInput<Double> {
            guard let text = columns.text(row, .amount) else { return .absent }
            return try values.amount(text)
        }

        private func position(_ row: ImportTable.Row) throws(HabitError) -> Geo.Position? {
            let latitude = columns.text(row, .latitude)
            let longitude = columns.text(row, .longitude)
            if longitude == nil, latitude?.isEmpty == false { throw missingColumn(.longitude, of: .latitude) }
            if latitude == nil, longitude?.isEmpty == false { throw missingColumn(.latitude, of: .longitude) }
            guard let latitude, let longitude else { return nil }
            return try values.position(latitude: latitude, longitude: longitude)
        }

        /// Returns the error of a position of which the table has only one coordinate.
        private func missingColumn(_ missing: Column, of other: Column) -> HabitError {
            let name = columns.name(of: other) ?? other.rawValue
            return HabitError(
                .positionInvalid,
                "the column '\(name.excerpt)' is a \(other.rawValue), but the table has no column for the \(missing.rawValue)",
                field: missing.rawValue, .advice("add or rename a column"), .give(.column))
        }

        private func id(_ row: ImportTable.Row) -> String? {
            columns.text(row, .id).flatMap { $0.isEmpty ? nil : $0 }
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
