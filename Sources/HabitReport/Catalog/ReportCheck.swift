import Base
import HabitModel
import HabitStore
import Rendering
import StoreEngine

/// A check of a parsed report, which finds all problems and not only the first one.
public struct ReportCheck {
    /// The signature of the SQL, as the engine reports it: the names of its result columns and of its parameters.
    public typealias StatementSignature = (columnNames: [String], parameters: [String])

    private let report: Report
    private let reserved: Set<String>
    private let tokens: [SQLToken]
    private var problems: [ReportProblem]

    /// Creates a check.
    ///
    /// - Parameters:
    ///   - report: The report to check.
    ///   - reservedOptions: The names of the command's own options, without dashes.
    public init(_ report: Report, reservedOptions: some Sequence<String>) {
        self.report = report
        reserved = Set(reservedOptions)
        let tokenizer = SQLTokenizer(report.sql)
        tokens = tokenizer.tokens
        problems = tokenizer.problems.map { ReportProblem(line: report.sqlLine + $0.line - 1, $0.message) }
    }

    /// Parses a report file and returns all its problems.
    ///
    /// - Parameters:
    ///   - bytes: The content of the file in UTF-8.
    ///   - id: The ID of the report.
    ///   - file: The name of the file in errors.
    ///   - reservedOptions: The names of the command's own options, without dashes.
    /// - Returns: The report, or `nil` if the header has problems; and the problems, sorted by line.
    public static func problems(
        inFile bytes: [UInt8], id: String, file: String, reservedOptions: some Sequence<String>
    ) -> (report: Report?, problems: [ReportProblem]) {
        var parser = ReportParser(ReportHeader(bytes))
        let report = parser.report(id: id, file: file)
        guard let report, parser.problems.isEmpty else { return (nil, sorted(parser.problems)) }
        return (report, ReportCheck(report, reservedOptions: reservedOptions).problems())
    }

    /// Returns all problems of the report, sorted by line.
    ///
    /// - Parameter signature: The engine's analysis of the SQL. If it is `nil`, the check finds only problems that are
    ///   visible in the text.
    /// - Returns: The problems, without duplicates.
    public func problems(against signature: StatementSignature? = nil) -> [ReportProblem] {
        var check = self
        check.checkStatement()
        check.checkOrder()
        check.checkParameters(signature?.parameters)
        if let signature { check.checkColumns(signature.columnNames) }
        check.checkFormats()
        check.checkNightly()
        check.checkReservedNames()
        check.checkExample()
        return Self.sorted(check.problems)
    }

    static func sorted(_ problems: [ReportProblem]) -> [ReportProblem] {
        var seen: Set<ReportProblem> = []
        let distinct = problems.filter { problem in seen.insert(problem).inserted }
        let sorted = distinct.enumerated().sorted { first, second in
            (first.element.line, first.offset) < (second.element.line, second.offset)
        }
        return sorted.map(\.element)
    }

    private mutating func problem(_ line: Int?, _ message: String) {
        problems.append(ReportProblem(line: line ?? report.sqlLine, message))
    }

    /// Returns the line of the file that contains a token.
    private func line(_ token: SQLToken?) -> Int { report.sqlLine + (token?.line ?? 1) - 1 }

    // MARK: The SQL

    private mutating func checkStatement() {
        if let first = tokens.first, !first.isWord("SELECT"), !first.isWord("WITH") {
            problem(line(first), "the SQL begins with \(first.text.quoted): write one SELECT, or WITH … SELECT")
        }
        guard let end = tokens.firstIndex(where: { $0.isSymbol(";") }), end + 1 < tokens.count else { return }
        problem(line(tokens[end + 1]), "the SQL has more than one statement: remove the text after the ';'")
    }

    private mutating func checkOrder() {
        let outline = SQLOutline(tokens: tokens)
        guard let order = outline.order else {
            let terms = report.key.joined(separator: ", ")
            return problem(
                line(tokens.last), "the order of the rows is undefined: end the SELECT with ORDER BY …, \(terms)")
        }
        for name in report.key {
            let index = report.columns.firstIndex { $0.name == name } ?? 0
            guard !outline.orders(by: name, at: index) else { continue }
            problem(
                report.sqlLine + order.line - 1,
                "the ORDER BY does not contain the key column '\(name)': add it at the end, so that the order is unique"
            )
        }
    }

    private mutating func checkParameters(_ compiled: [String]?) {
        let used = tokens.filter { $0.kind == .parameter }
        for token in used where !token.text.hasPrefix(":") {
            problem(line(token), "the SQL has the unsupported parameter \(token.text.quoted): write ':name'")
        }
        let names = compiled ?? used.map { String($0.text.dropFirst()) }
        let declared = report.parameters.flatMap(\.sqlNames)
        var seen: Set<String> = Set(declared)
        for name in names where !name.isEmpty && seen.insert(name).inserted {
            let suggestion = declared.nearestSpelling(to: name).map { nearest in "did you mean ':\(nearest)'? If not, "
            }
            let token = used.first { token in token.text.dropFirst() == name }
            problem(
                line(token),
                "the header has no parameter ':\(name)': \(suggestion ?? "")declare it with '\(ReportParameter.form)'")
        }
        let known = Set(names)
        for parameter in report.parameters {
            for name in parameter.sqlNames where !known.contains(name) {
                problem(parameter.line, "the SQL does not use ':\(name)': use it, or remove the parameter")
            }
        }
    }

    private mutating func checkColumns(_ names: [String]) {
        let declared = report.columns.map(\.name)
        for column in report.columns where !names.contains(column.name) {
            problem(
                column.line,
                "the statement has no column '\(column.name)': remove the line, or select the column with AS")
        }
        for (index, name) in names.enumerated() {
            if names[..<index].contains(name) {
                problem(report.sqlLine, "the statement has two columns \(name.quoted): rename one with AS")
            } else if !declared.contains(name) {
                problem(
                    report.sqlLine,
                    "the header has no column \(name.quoted): declare it with '\(ReportColumn.form)', or name it with AS"
                )
            }
        }
        guard declared != names, declared.sorted() == names.sorted() else { return }
        let pairs = zip(report.columns, names)
        let different = pairs.first { column, name in column.name != name }
        problem(
            different?.0.line,
            "the header and the statement have different column orders: declare the columns in the order \(names.joined(separator: ", "))"
        )
    }

    // MARK: The header

    private mutating func checkFormats() {
        let line = report.lines[.formats]
        for format in report.formats where format.needsGeometry && report.geometry == nil {
            problem(
                line, "\(format.rawValue) requires a geometry: add '\(ReportKey.geometry.form)', or remove the format")
        }
        if report.formats.contains(.ics), !ICalendarRenderer.isDated(report.columns.map(\.name)) {
            problem(line, "ics requires a column 'day', 'at' or '…_at': add one, or remove the format")
        }
        for line in report.chartLines { checkChart(line) }
    }

    private mutating func checkChart(_ line: Report.ChartLine) {
        if !report.formats.contains(.html) {
            problem(line.line, "a chart requires the format html: add html to the formats, or remove the chart")
        }
        for name in line.chart.columns where !report.columns.contains(where: { $0.name == name }) {
            let nearest = report.columns.map(\.name).nearestSpelling(to: name)
            let suggestion = nearest.map { column in "did you mean '\(column)'?" }
            let hint = suggestion ?? "use one of the report's columns"
            problem(line.line, "the chart uses the unknown column '\(name)': \(hint)")
        }
        for (name, kinds) in line.chart.columnKinds {
            let column = report.columns.first { column in column.name == name }
            guard let column, !kinds.contains(column.kind) else { continue }
            let names = kinds.map(\.rawValue).joined(separator: " or ")
            problem(
                line.line,
                "the chart uses '\(name)', which has the type \(column.kind.rawValue): use a column of the type \(names)"
            )
        }
        for (name, kind) in line.chart.parameterKinds {
            let isDeclared = report.parameters.contains { parameter in
                parameter.name == name && parameter.kind == kind
            }
            guard !isDeclared else { continue }
            problem(
                line.line,
                "the chart uses the parameter '\(name)': declare a parameter of this name with the type \(kind.rawValue)"
            )
        }
        if line.chart.needsGeometry, report.geometry == nil {
            problem(line.line, "a map requires a geometry: add '\(ReportKey.geometry.form)'")
        }
    }

    private mutating func checkNightly() {
        guard !report.nightly.isEmpty || report.alert != nil else { return }
        let line = report.lines[.nightly] ?? report.lines[.alert]
        for format in report.nightly where !report.formats.contains(format) {
            problem(line, "the nightly run cannot write \(format.rawValue): add it to 'formats', or remove it here")
        }
        let hasDate = report.parameters.contains { parameter in
            parameter.name == "date" && parameter.kind == .date
        }
        if !hasDate {
            problem(
                line,
                "the nightly run sets the parameter 'date': add '-- parameter: date date default yesterday - The report day.'"
            )
        }
        for parameter in report.parameters
        where parameter.need == .required && !["date", "from"].contains(parameter.name) {
            problem(
                parameter.line,
                "the nightly run sets only the parameters 'date' and 'from': make '\(parameter.name)' optional, or add a default"
            )
        }
    }

    /// Returns the problems of a nightly report or alert rule, in the order of the checks.
    fileprivate mutating func nightlyProblems() -> [ReportProblem] {
        problems = []
        checkNightly()
        return problems
    }

    private mutating func checkReservedNames() {
        for parameter in report.parameters where reserved.contains(parameter.optionName) {
            problem(
                parameter.line,
                "the name '\(parameter.optionName)' is reserved: rename the parameter")
        }
    }

    private mutating func checkExample() {
        let line = report.lines[.example]
        if line == nil {
            for parameter in report.parameters where parameter.need == .required {
                problem(
                    parameter.line,
                    "the parameter '\(parameter.optionName)' is required, but the header has no example: add a line such as '-- example: --\(parameter.optionName) \(parameter.valueName.uppercased())'"
                )
            }
            return
        }
        guard let words = report.example.shellWords else {
            return problem(line, "the example has an unclosed quote: close it")
        }
        do {
            let given = try report.arguments(from: words)
            for parameter in report.parameters {
                if let text = given[parameter.name] {
                    // The example contains the name of a file.
                    if parameter.kind == .area { continue }
                    if let reason = parameter.reasonToRefuse(text) {
                        problem(line, "the example is invalid: \(reason)")
                    }
                } else if parameter.need == .required {
                    problem(
                        line,
                        "the example is invalid: it lacks the parameter '\(parameter.optionName)' (\(parameter.valueName))"
                    )
                }
            }
        } catch let error as HabitError {
            problem(line, "the example is invalid: \(error.plainText)")
        } catch {
            problem(line, "the example is invalid: \(error)")
        }
    }
}

extension Report {
    /// Checks that a nightly run can set the parameters of the report.
    ///
    /// - Throws: `report-invalid` with the first problem of the header, its file and its line.
    public func requireNightlyParameters() throws {
        var check = ReportCheck(self, reservedOptions: [String]())
        if let first = check.nightlyProblems().first { throw first.error(file: file) }
    }
}
