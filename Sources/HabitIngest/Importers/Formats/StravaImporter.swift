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
        let reader = RowReader(
            columns: columns,
            values: Self.values(of: table, options),
            files: GPXFiles(input),
            isSingleFile: input.form == .file)
        var counts = Counts()
        try table.forEach { row in
            counts.activities += 1
            let source = SourceLocation(file: file.displayName, line: row.line)
            if let problem = row.problem {
                return try receive(.rejected(.events, problem, original: row.original, source: source))
            }
            var workout = reader.workout(row)
            workout.source = source
            switch reader.routeFile(row) {
            case .absent: break
            case .gpx(let file):
                var route = RouteStart(input.options)
                try GPXReader.addFirstPositions(in: file, to: &route)
                workout.setPosition(route)
            case .missing: counts.missingFiles += 1
            case .otherFormat: counts.otherFiles += 1
            }
            try workout.send { entry in
                guard case .rejected(var rejected) = entry else { return try receive(entry) }
                rejected.error = Self.invalidDate(workout.startText, options)
                rejected.original = row.original
                try receive(.rejected(rejected))
            }
        }
        for notice in counts.notices(of: file) { try receive(.notice(notice)) }
    }

    /// Returns the parsers for the cells of a table.
    ///
    /// A single separator before three digits separates thousands, because the seconds have at most two decimals.
    private static func values(of table: ImportTable, _ options: TableOptions) -> TableValues {
        var numbers = options
        if numbers.decimal == nil {
            let hasSemicolons = table.delimiter == UInt8(ascii: ";")
            numbers.decimal = hasSemicolons ? "," : "."
        }
        return TableValues(numbers, delimiter: table.delimiter)
    }

    private static func invalidDate(_ text: String, _ options: TableOptions) -> HabitError {
        let isUnknownForm = options.dateFormat == nil
        let remedy: Remedy = isUnknownForm ? .give(.dateFormat) : .advice("correct it or the form of dates")
        return HabitError(
            .instantInvalid,
            "'\(text.excerpt)' is not a date and a time of a known form",
            field: Field.at.name,
            remedy)
    }

    // MARK: Notices

    /// The numbers of activities, and of those without a position because of their file.
    private struct Counts {
        var activities = 0
        /// The number of files that are not in the input.
        var missingFiles = 0
        /// The number of files of another format than GPX.
        var otherFiles = 0

        func notices(of table: ImportFile) -> [ImportNotice] {
            var notices: [ImportNotice] = []
            if activities == 0 {
                let message = "\(table.displayName): no activities"
                notices.append(ImportNotice(message, .advice("export your account again")))
            }
            if missingFiles > 0 {
                let subject = Self.subject(missingFiles)
                let message = "\(subject) a file that is not in the input, and therefore no position"
                notices.append(ImportNotice(message, .advice("import the complete export")))
            }
            if otherFiles > 0 {
                let subject = Self.subject(otherFiles)
                let message = "\(subject) a file of another format than GPX, and therefore no position"
                notices.append(ImportNotice(message, .advice("convert the files to GPX and use them as tracks")))
            }
            return notices
        }

        private static func subject(_ count: Int) -> String {
            count == 1 ? "1 activity has" : "\(count) activities have"
        }
    }

    // MARK: Recognition

    /// Returns the table of the activities and its form, or `nil` if the input has no such table.
    private static func list(of input: ImportInput) throws -> (file: ImportFile, options: TableOptions)? {
        let candidates: [ImportFile]
        if let file = input.file {
            candidates = [file]
        } else {
            candidates = input.files(named: "activities.csv")
        }
        for file in candidates where try file.content.kind == .text {
            var options = input.options.table
            // Only spreadsheets write another delimiter than a comma. The texts of activities may contain any of them.
            let delimiters = if let known = options.delimiter { [known] } else { Self.delimiters }
            for delimiter in delimiters {
                options.delimiter = delimiter
                guard let table = try? ImportTable(file, options) else { continue }
                let isList = Columns(table.header) != nil
                if isList { return (file, options) }
            }
        }
        return nil
    }

    /// Whether a header belongs to an export before July 2019.
    static func isOlderHeader(_ header: [String]) -> Bool {
        let names = header.map { name in name.lowercased() }
        return Columns.isOlder(names)
    }

    private static let delimiters: [UInt8] = [
        UInt8(ascii: ","),
        UInt8(ascii: ";"),
        UInt8(ascii: "\t"),
    ]

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
            let names = header.map { name in name.lowercased() }
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
                let exact = names.lastIndex(of: "elapsed time")
                let rounded = names.firstIndex(of: "elapsed time")
                elapsed = [exact, rounded].compactMap(\.self)
                file = names.firstIndex(of: "filename")
                return
            }
            // In any language, the name of the sixth column occurs again: the elapsed time.
            guard names.count >= 16 else { return nil }
            let elapsedName = names[5]
            guard !elapsedName.isEmpty else { return nil }
            guard let second = names[6...].firstIndex(of: elapsedName) else { return nil }
            guard let last = names.lastIndex(of: elapsedName) else { return nil }
            name = 2
            sport = 3
            comment = 4
            elapsed = [last, 5]
            // The weights of the user and the bicycle are between the path and the second elapsed time.
            file = second >= 9 ? second - 3 : nil
        }

        /// Whether a header belongs to an export before July 2019, whose names are in English in every language.
        static func isOlder(_ header: [String]) -> Bool {
            header.starts(with: ["id", "date", "name", "type"]) && header.contains("elapsed_time")
        }

        /// Returns the path of the file of an activity, or an empty text.
        func path(_ row: ImportTable.Row) -> String {
            let path = if let file { row[file] } else { "" }
            let folder = "activities/"
            if path.hasPrefix(folder) { return path }
            let cellsAfterComment = row.cells.dropFirst(comment + 1)
            let other = cellsAfterComment.first { cell in
                cell.hasPrefix(folder) && !cell.contains(" ")
            }
            return other ?? path
        }
    }

    /// The file with the route of an activity.
    private enum RouteFile {
        /// The activity has no file.
        case absent
        case gpx(ImportFile)
        /// The file is not in the input.
        case missing
        case otherFormat
    }

    // MARK: Rows

    private struct RowReader {
        let columns: Columns
        let values: TableValues
        let files: GPXFiles
        /// Whether the input is only the table.
        let isSingleFile: Bool

        /// Finds the file with the route of an activity.
        func routeFile(_ row: ImportTable.Row) -> RouteFile {
            let path = columns.path(row)
            if path.isEmpty { return .absent }
            if isSingleFile { return .missing }
            guard GPXFiles.isGPX(path) else { return .otherFormat }
            guard let file = files[path] else { return .missing }
            return .gpx(file)
        }

        /// Returns the activity of a row, without its position.
        func workout(_ row: ImportTable.Row) -> Workout {
            var workout = Workout()
            let id = row[columns.id]
            workout.id = id.isEmpty ? nil : id
            workout.sport = Workout.title(ofSport: row[columns.sport])
            workout.startText = row[columns.date]
            workout.start = LocalizedTime.time(workout.startText, pattern: values.options.dateFormat)
            let texts = columns.elapsed.map { index in row[index] }
            let seconds = texts.lazy.compactMap { text in Self.seconds(text, values) }.first
            workout.minutes = seconds.map { seconds in seconds / 60 }
            let firstText = texts.first { text in !text.isEmpty }
            if seconds == nil, let text = firstText {
                workout.unreadable.append(UnreadableValue(.duration, text))
            }
            workout.comment = FieldInput(text: joined(row[columns.name], row[columns.comment]))
            return workout
        }

        private static func seconds(_ text: String, _ values: TableValues) -> Double? {
            if text.isEmpty { return nil }
            guard let value = values.number(text) ?? plainNumber(text), value >= 0 else { return nil }
            return value
        }

        /// Parses a number with a decimal comma or point and any white space.
        private static func plainNumber(_ text: String) -> Double? {
            let digits = text.replacing(",", with: ".").filter { character in !character.isWhitespace }
            return XMLValues.number(digits)
        }
    }
}
