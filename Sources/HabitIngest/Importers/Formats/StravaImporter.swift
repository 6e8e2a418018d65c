import Base
import Geo
import HabitModel

/// The export of Strava: `activities.csv`, with the files of the activities if the export is complete.
struct StravaImporter: Importer {
    static let format = "strava"
    static let companions: Set<String> = [
        GPXImporter.format, TCXImporter.format, PhotosImporter.format, CSVImporter.format, MatrixImporter.format,
    ]
    static let sameDay = SameDayRule.sum

    static func canRead(_ input: ImportInput) throws -> Bool { try list(of: input) != nil }

    func records(of input: ImportInput, _ receive: (ImportEntry) throws -> Void) throws {
        guard let (file, options) = try Self.list(of: input) else { return }
        let table = try ImportTable(file, options)
        guard let columns = Columns(table.header) else { return }
        var numbers = options
        // A single separator before three digits separates thousands: the seconds have at most two decimals.
        numbers.decimal = options.decimal ?? (table.delimiter == UInt8(ascii: ";") ? "," : ".")
        let reader = RowReader(
            columns: columns, values: TableValues(numbers, delimiter: table.delimiter), files: GPXFiles(input))
        var (rows, otherFiles, missing) = (0, 0, 0)
        try table.forEach { row in
            rows += 1
            let source = SourceLocation(file: file.displayName, line: row.line)
            if let problem = row.problem {
                return try receive(.rejected(RejectedEntry(.events, problem, original: row.original, source: source)))
            }
            var workout = reader.workout(row)
            workout.source = source
            let path = columns.path(row)
            if input.form == .file {
                if !path.isEmpty { missing += 1 }
            } else if GPXFiles.isGPX(path) {
                if let file = reader.files[path] {
                    var route = RouteStart(input.options)
                    try GPXReader.addFirstPositions(in: file, to: &route)
                    workout.setPosition(route)
                } else {
                    missing += 1
                }
            } else if !path.isEmpty {
                otherFiles += 1
            }
            try workout.send { entry in
                guard case .rejected(var rejected) = entry else { return try receive(entry) }
                rejected.error = Self.invalidDate(workout.startText, options)
                rejected.original = row.original
                try receive(.rejected(rejected))
            }
        }
        if rows == 0 {
            try receive(
                .notice(ImportNotice("\(file.displayName): no activities", .advice("export your account again"))))
        }
        if missing > 0 {
            let activities = missing == 1 ? "1 activity has" : "\(missing) activities have"
            try receive(
                .notice(
                    ImportNotice(
                        "\(activities) a file that is not in the input, and therefore no position",
                        .advice("import the complete export"))))
        }
        if otherFiles > 0 {
            let activities = otherFiles == 1 ? "1 activity has" : "\(otherFiles) activities have"
            try receive(
                .notice(
                    ImportNotice(
                        "\(activities) a file of another format than GPX, and therefore no position",
                        .advice("convert the files to GPX and use them as tracks"))))
        }
    }

    private static func invalidDate(_ text: String, _ options: TableOptions) -> HabitError {
        let remedy = options.dateFormat == nil ? Remedy.give(.dateFormat) : .advice("correct it or the form of dates")
        return HabitError(
            .instantInvalid, "'\(text.excerpt)' is not a date and a time of a known form", field: Field.at.name, remedy)
    }

    // MARK: Recognition

    /// Returns the table of the activities and its form, or `nil` if the input has no such table.
    private static func list(of input: ImportInput) throws -> (file: ImportFile, options: TableOptions)? {
        let candidates = input.file.map { [$0] } ?? input.files(named: "activities.csv")
        for file in candidates where try file.content.kind == .text {
            var options = input.options.table
            // Only spreadsheets write another delimiter than a comma. The texts of activities may contain any of them.
            for delimiter in options.delimiter.map({ [$0] }) ?? Self.delimiters {
                options.delimiter = delimiter
                guard let table = try? ImportTable(file, options), Columns(table.header) != nil else { continue }
                return (file, options)
            }
        }
        return nil
    }

    /// Whether a header belongs to an export before July 2019.
    static func isOlderHeader(_ header: [String]) -> Bool { Columns.isOlder(header.map { $0.lowercased() }) }

    private static let delimiters = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]

    /// The indices of the columns.
    ///
    /// Their names depend on the language of the user.
    private struct Columns {
        let id = 0
        let date = 1
        let name: Int
        let sport: Int
        let comment: Int
        /// The column of the elapsed time in seconds with decimals, and the column of the rounded time.
        let elapsed: [Int]
        /// The column of the path, or `nil` if the table has no such column.
        let file: Int?

        /// Finds the columns, or returns `nil` if the header is not from Strava.
        init?(_ header: [String]) {
            let names = header.map { $0.lowercased() }
            if Self.isOlder(names) {
                name = 2
                sport = 3
                comment = names.firstIndex(of: "description") ?? 4
                elapsed = [names.firstIndex(of: "elapsed_time")].compactMap(\.self)
                file = names.firstIndex(of: "filename")
                return
            }
            if names.count >= 4, names[0] == "activity id", names[1] == "activity date" {
                name = names.firstIndex(of: "activity name") ?? 2
                sport = names.firstIndex(of: "activity type") ?? 3
                comment = names.firstIndex(of: "activity description") ?? 4
                elapsed = [names.lastIndex(of: "elapsed time"), names.firstIndex(of: "elapsed time")].compactMap { $0 }
                file = names.firstIndex(of: "filename")
                return
            }
            guard names.count >= 16, !names[5].isEmpty, let last = names.lastIndex(of: names[5]), last > 5,
                let second = names[6...].firstIndex(of: names[5])
            else { return nil }
            (name, sport, comment, elapsed) = (2, 3, 4, [last, 5])
            // The weights of the user and the bicycle are between the path and the second elapsed time.
            file = second >= 9 ? second - 3 : nil
        }

        /// Whether a header belongs to an export before July 2019, whose names are in English in every language.
        static func isOlder(_ header: [String]) -> Bool {
            header.starts(with: ["id", "date", "name", "type"]) && header.contains("elapsed_time")
        }

        /// Returns the path of the file of an activity, or an empty text.
        func path(_ row: ImportTable.Row) -> String {
            let path = file.map { row[$0] } ?? ""
            let folder = "activities/"
            if path.hasPrefix(folder) { return path }
            return row.cells.dropFirst(comment + 1).first { $0.hasPrefix(folder) && !$0.contains(" ") } ?? path
        }
    }

    // MARK: Rows

    private struct RowReader {
        let columns: Columns
        let values: TableValues
        let files: GPXFiles

        /// Returns the activity of a row, without its position.
        func workout(_ row: ImportTable.Row) -> Workout {
            var workout = Workout()
            let id = row[columns.id]
            workout.id = id.isEmpty ? nil : id
            workout.sport = Workout.title(ofSport: row[columns.sport])
            workout.startText = row[columns.date]
            workout.start = LocalizedTime.time(workout.startText, pattern: values.options.dateFormat)
            let texts = columns.elapsed.map { row[$0] }
            let seconds = texts.lazy.compactMap { Self.seconds($0, values) }.first
            workout.minutes = seconds.map { $0 / 60 }
            if seconds == nil, let text = texts.first(where: { !$0.isEmpty }) {
                workout.unreadable.append(UnreadableValue(.duration, text))
            }
            workout.comment = FieldInput(text: joined(row[columns.name], row[columns.comment]))
            return workout
        }

        private static func seconds(_ text: String, _ values: TableValues) -> Double? {
            if text.isEmpty { return nil }
            let value =
                values.number(text) ?? XMLValues.number(text.replacing(",", with: ".").filter { !$0.isWhitespace })
            return value.flatMap { $0 >= 0 ? $0 : nil }
        }
    }
}
