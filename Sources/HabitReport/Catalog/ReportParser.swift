import Base
import HabitModel
import Rendering
import StoreEngine

/// A parser that converts the entries of a header to a report and collects all problems.
struct ReportParser {
    /// The maximum number of words in a list of names, because the comparison with all columns takes quadratic time.
    private static let mostWords = 100
    /// The number of problems after which the parser skips further entries.
    private static let mostProblems = 100

    private let header: ReportHeader
    private(set) var problems: [ReportProblem]
    private var entries: [ReportKey: [ReportHeader.Entry]] = [:]

    init(_ header: ReportHeader) {
        self.header = header
        problems = header.problems
    }

    /// Returns the report, or `nil` if the header has problems and no entries.
    ///
    /// The report is valid only if ``problems`` is empty after the call.
    mutating func report(id: String, file: String) -> Report? {
        // If the file cannot be split into entries, errors about missing entries would be misleading.
        guard header.problems.isEmpty || !header.entries.isEmpty else { return nil }
        if !Report.isID(id) {
            problem(
                1,
                "the file name \("\(id).sql".quoted) is not a valid id: use lower-case letters, digits and '-', with a letter first"
            )
        }
        sortEntries()
        requireAll()
        let columns = (entries[.column] ?? []).compactMap { column($0) }
        var report = Report(
            id: id, title: text(.title), description: text(.description),
            parameters: (entries[.parameter] ?? []).compactMap { parameter($0) }, columns: columns,
            key: names(.key, among: columns), geometry: geometry(columns), formats: formats(.formats),
            table: names(.table, among: columns), charts: charts(),
            nightly: formats(.nightly), periods: periods(), alert: alert(columns), example: text(.example),
            sql: header.sql, sqlLine: header.sqlLine, file: file,
            lines: entries.compactMapValues(\.first?.line))
        report.group = group() ?? report.derivedGroup
        rejectDuplicates(report)
        if !report.nightly.isEmpty, NightlyRun.isReserved(id) {
            problem(
                entries[.nightly]?.first?.line ?? 1,
                "a nightly run has a file or a section '\(id)' of its own: give the report file another name")
        }
        return report
    }

    mutating func problem(_ line: Int, _ message: String) {
        problems.append(ReportProblem(line: line, message))
    }

    // MARK: Entries

    private mutating func sortEntries() {
        for entry in header.entries where problems.count < Self.mostProblems {
            guard let key = ReportKey(rawValue: entry.key) else {
                problem(entry.line, "unknown key \(entry.key.quoted): \(Self.hint(entry.key, ReportKey.allCases))")
                continue
            }
            guard key.isRepeatable || entries[key] == nil else {
                let first = entries[key]?.first?.line ?? 1
                problem(entry.line, "duplicate '\(key.rawValue)' (first on line \(first)): keep one of the lines")
                continue
            }
            entries[key, default: []].append(entry)
            if entry.value.isEmpty, !key.mayBeEmpty {
                problem(entry.line, "'\(key.rawValue)' has no value: write a line such as '\(key.form)'")
            }
        }
    }

    private mutating func requireAll() {
        for key in ReportKey.allCases where key.isRequired && entries[key] == nil {
            problem(
                header.sqlLine, "the header has no '\(key.rawValue)': add a line such as '\(key.form)' above the SELECT"
            )
        }
        guard header.sql.isEmpty else { return }
        problem(header.sqlLine, "the file has no SELECT: write one below the header, without '--'")
    }

    private func text(_ key: ReportKey) -> String { entries[key]?.first?.value ?? "" }

    private mutating func words(_ key: ReportKey) -> (words: [String], line: Int) {
        guard let entry = entries[key]?.first else { return ([], header.sqlLine) }
        let words = entry.value.words
        guard words.count <= Self.mostWords else {
            problem(entry.line, "'\(key.rawValue)' has \(words.count) words: use at most \(Self.mostWords)")
            return ([], entry.line)
        }
        return (words, entry.line)
    }

    static func hint<Case: RawRepresentable<String>>(_ word: String, _ cases: [Case]) -> String {
        let names = cases.map(\.rawValue)
        if let nearest = names.nearestSpelling(to: word.lowercased()) { return "did you mean '\(nearest)'?" }
        return "use one of \(names.joined(separator: ", "))"
    }

    // MARK: Lists of words

    private mutating func formats(_ key: ReportKey) -> [OutputFormat] {
        let list = words(key)
        var formats: [OutputFormat] = []
        for word in list.words {
            guard let format = OutputFormat(rawValue: word) else {
                problem(list.line, "unknown format \(word.quoted): \(Self.hint(word, OutputFormat.allCases))")
                continue
            }
            if formats.contains(format) {
                problem(list.line, "duplicate format '\(word)': keep one")
            } else {
                formats.append(format)
            }
        }
        return formats
    }

    /// Returns the group that the header declares, or `nil` if it declares none.
    private mutating func group() -> ReportGroup? {
        guard let entry = entries[.group]?.first, !entry.value.isEmpty else { return nil }
        let group = ReportGroup(rawValue: entry.value)
        if group == nil {
            problem(entry.line, "unknown group \(entry.value.quoted): \(Self.hint(entry.value, ReportGroup.allCases))")
        }
        return group
    }

    private mutating func periods() -> [NightlyPeriod] {
        let list = words(.every)
        let periods = list.words.compactMap { word -> NightlyPeriod? in
            let period = NightlyPeriod(rawValue: word)
            if period == nil {
                problem(list.line, "unknown period \(word.quoted): \(Self.hint(word, NightlyPeriod.allCases))")
            }
            return period
        }
        return periods.isEmpty ? [.day] : periods
    }

    /// Returns the words of `key`, each of which must be the name of a column.
    private mutating func names(_ key: ReportKey, among columns: [ReportColumn]) -> [String] {
        let list = words(key)
        let names = columns.map(\.name)
        for (index, word) in list.words.enumerated() {
            if !names.contains(word) {
                let suggestion = names.nearestSpelling(to: word).map { name in "did you mean '\(name)'?" }
                let hint = suggestion ?? "declare it with '\(ReportColumn.form)'"
                problem(list.line, "'\(key.rawValue)' names the unknown column \(word.quoted): \(hint)")
            } else if list.words[..<index].contains(word) {
                problem(list.line, "'\(key.rawValue)' names '\(word)' twice: keep one")
            }
        }
        return list.words
    }

    private mutating func charts() -> [Report.ChartLine] {
        var charts: [Report.ChartLine] = []
        for entry in entries[.chart] ?? [] {
            do {
                charts.append(Report.ChartLine(chart: try Chart(entry.value), line: entry.line))
            } catch {
                problem(entry.line, (error as? HabitError)?.plainText ?? "\(error)")
            }
        }
        return charts
    }

    private mutating func alert(_ columns: [ReportColumn]) -> AlertMessage? {
        guard let entry = entries[.alert]?.first, !entry.value.isEmpty else { return nil }
        do {
            return try AlertMessage(entry.value, columns: columns.map(\.name))
        } catch {
            problem(entry.line, (error as? AlertMessage.Fault)?.description ?? "\(error)")
            return nil
        }
    }

    private mutating func geometry(_ columns: [ReportColumn]) -> ReportGeometry? {
        guard entries[.geometry] != nil else { return nil }
        let words = names(.geometry, among: columns)
        let line = entries[.geometry]?.first?.line ?? 1
        for word in words {
            guard let column = columns.first(where: { $0.name == word }), column.kind != .number else { continue }
            problem(
                line,
                "the column '\(word)' has the type \(column.kind.rawValue): use columns of the type number for a geometry"
            )
        }
        let indexes = words.compactMap { word in columns.firstIndex { $0.name == word } }
        if words == ["latitude", "longitude"] {
            problem(line, "the longitude must be first: write '-- geometry: longitude latitude'")
        }
        switch words.count {
        case 2 where indexes.count == 2: return .point(longitude: indexes[0], latitude: indexes[1])
        case 4 where indexes.count == 4:
            return .box(west: indexes[0], south: indexes[1], east: indexes[2], north: indexes[3])
        case 2, 4: return nil
        default:
            problem(
                line,
                "a geometry cannot have \(words.count) columns: write 'longitude latitude' or 'west south east north'")
            return nil
        }
    }

    // MARK: Names that must differ

    private mutating func rejectDuplicates(_ report: Report) {
        var columns: Set<String> = []
        for column in report.columns where !columns.insert(column.name).inserted {
            problem(column.line, "the column '\(column.name)' is declared twice: rename one of them")
        }
        var names: Set<String> = []
        for parameter in report.parameters {
            for name in parameter.sqlNames where !names.insert(name).inserted {
                problem(parameter.line, "two parameters have the name ':\(name)' in the SQL: rename this one")
            }
        }
    }
}

extension String {
    /// The words of the text, separated by white space.
    var words: [String] { split(whereSeparator: \.isWhitespace).map(String.init) }
}
