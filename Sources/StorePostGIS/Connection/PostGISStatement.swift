import Base
import CPostgres
import StoreEngine

/// A statement that the server compiles when it first runs with values of given types.
final class PostGISStatement: Statement, PipelinedStatement {
    var pipelined: (any PipelinedStatement)? { self }

    private let text: PostGISTranslation
    private unowned let session: PostGISSession
    private let connection: PostGISConnection
    private let path: PostGISConnection.SearchPath
    /// The limits of SQL over the report views.
    ///
    /// `nil` for other SQL.
    private let limits: QueryLimits?
    private let isExplained: Bool
    /// The columns that SQL over the report views can read.
    private let columns: AnalysisColumns
    private var isChecked = false
    private var values: [Value] = []
    private var result: PostGISResult? {
        didSet { oldValue?.isWanted = oldValue === result }
    }
    /// Prefetched results by their values.
    ///
    /// They are valid while ``PostGISSession/questions`` equals `asked`.
    private var answers: [[Value]: PostGISResult] = [:]
    private var asked = 0

    var parameters: [String] { text.parameters }

    init(_ text: PostGISTranslation, in session: PostGISSession) {
        self.text = text
        self.session = session
        connection = session.connection
        path = .store
        limits = nil
        isExplained = false
        columns = AnalysisColumns(in: "", views: [], functions: [])
    }

    /// Creates a SELECT over the report views, on the connection that may run it.
    init(
        analysis text: PostGISTranslation,
        on connection: PostGISConnection,
        in path: PostGISConnection.SearchPath,
        limits: QueryLimits,
        isExplained: Bool,
        columns: AnalysisColumns,
        in session: PostGISSession
    ) {
        self.columns = columns
        self.text = text
        self.session = session
        self.connection = connection
        self.limits = limits
        self.isExplained = isExplained
        self.path = path
    }

    /// The names of the columns.
    ///
    /// The values must be bound, because the server requires their types.
    var columnNames: [String] {
        get throws {
            let parameters = try slotValues(rows: text.calls.map { _ in [:] })
            let names = try explaining {
                try connection.columnNames(text.sql, parameters.map(\.type), in: path)
            }
            guard !names.isEmpty || limits == nil else {
                throw HabitError(.reportInvalid, "the SQL cannot be run: its result has no columns")
            }
            return names
        }
    }

    func bind(_ values: [Value]) throws {
        result = nil
        guard values.count == parameters.count else {
            throw HabitError(
                .internal, "the statement has \(parameters.count) parameters, but \(values.count) values were bound")
        }
        self.values = values
        result = nextPrefetchedResult()
    }

    func forEach(_ body: (any Row) throws -> Bool) throws {
        defer { result = nil }
        while let row = try next() {
            guard try body(row) else { return }
        }
    }

    func next() throws -> (any Row)? {
        let result = try self.result ?? send(text.sql)
        self.result = result
        if try explaining(result.next), let row = result.row { return row }
        self.result = nil
        return nil
    }

    @discardableResult
    func run() throws -> Int {
        result = nil
        let result = try send(text.sql)
        while try result.next() {}
        return result.changes
    }

    func prefetch(_ questions: [[Value]]) throws -> [Bool] {
        answers = [:]
        asked = session.questions
        var waiting = Set(questions)
        let different = questions.filter { question in
            waiting.remove(question) != nil
        }
        try session.flushPending()
        let results = try lookUpTogether(different) ?? lookUpEach(different)
        answers = Dictionary(zip(different, results)) { first, _ in first }
        return questions.map { question in
            answers[question]?.hasRows ?? false
        }
    }

    /// Runs the statement for each list of values, in one network round trip.
    private func lookUpEach(_ lists: [[Value]]) throws -> [PostGISResult] {
        let parameters = try lists.map { list in
            try bind(list)
            return try slotValues(rows: [])
        }
        return try connection.run(text.sql, each: parameters, in: path)
    }

    /// Runs one statement for all lists of values on a cluster, where each statement may run on all shards.
    ///
    /// - Parameter lists: The lists of values.
    /// - Returns: The results in the order of the lists, or `nil` if the statement must run for each list.
    /// - Throws: An error of the server.
    private func lookUpTogether(_ lists: [[Value]]) throws -> [PostGISResult]? {
        guard session.isDistributed, lists.count > 1, let sql = text.forLists else { return nil }
        let areComplete = lists.allSatisfy { list in list.count == parameters.count }
        guard areComplete else { return nil }
        var arrays: [PostGISParameter] = []
        for case .parameter(let index) in text.slots {
            let values = lists.map { list in list[index] }
            guard let array = Self.array(of: values) else { return nil }
            arrays.append(array)
        }
        let result = try connection.run(sql, arrays, in: path)
        return try result.split(into: lists.count)
    }

    /// Returns an array of values, or `nil` if they have no common type that an array can have.
    private static func array(of values: [Value]) -> PostGISParameter? {
        guard let kind = values.lazy.compactMap(\.arrayKind).first else { return nil }
        let haveOneKind = values.allSatisfy { value in
            value == .null || value.arrayKind == kind
        }
        guard haveOneKind else { return nil }
        return PostGISParameter(array: values, of: kind)
    }

    /// Removes and returns the prefetched result for the bound values, or returns `nil` if it is not available.
    ///
    /// Each result is used only once, because the caller may then write data that changes the result.
    private func nextPrefetchedResult() -> PostGISResult? {
        guard !answers.isEmpty else { return nil }
        guard asked == session.questions else {
            answers = [:]
            return nil
        }
        return answers.removeValue(forKey: values)
    }

    private func send(_ sql: String) throws -> PostGISResult {
        let rows = try text.calls.map(rows)
        let values = try slotValues(rows: rows)
        try session.flushPending()
        guard limits != nil else {
            return try connection.run(sql, values, in: path)
        }
        return try explaining {
            try checkTables(values)
            let explained = isExplained ? "EXPLAIN (COSTS OFF) \(sql)" : sql
            return try connection.run(explained, values, in: path)
        }
    }

    // MARK: User-supplied SQL

    /// Checks that the plan reads only tables of the store.
    ///
    /// - Throws: `report-invalid` if the plan reads another table or calls another set-returning function.
    private func checkTables(_ values: [PostGISParameter]) throws {
        guard !isChecked else { return }
        let plan = try jsonPlan(values)
        // A quote inside a JSON string is escaped, so that the patterns do not match there.
        for match in plan.matches(of: #/"Schema": "((?:[^"\\]|\\.)*)"/#) {
            let schema = match.output.1
            let isOfStore = ["habitat", "habitat_functions", "habitat_views", "pg_catalog"].contains(schema)
            guard isOfStore else {
                throw HabitError(.reportInvalid, "the SQL cannot be run: a table of '\(schema)' cannot be read")
            }
        }
        if let match = plan.firstMatch(of: #/"Relation Name": "(pg_(?:[^"\\]|\\.)*)"/#) {
            throw HabitError(.reportInvalid, "the SQL cannot be run: '\(match.output.1)' cannot be read")
        }
        let permitted = permittedFunctions
        for match in plan.matches(of: #/"(?:Table )?Function Name": "((?:[^"\\]|\\.)*)"/#) {
            let function = String(match.output.1)
            guard permitted.contains(function) else {
                throw HabitError(
                    .reportInvalid, "the SQL cannot be run: the function '\(function)' cannot be used")
            }
        }
        isChecked = true
    }

    /// Returns the plan of the statement as JSON.
    private func jsonPlan(_ values: [PostGISParameter]) throws -> String {
        let result = try connection.run("EXPLAIN (VERBOSE, FORMAT JSON) \(text.sql)", values, in: path)
        var plan = ""
        while try result.next(), let row = result.row {
            plan += row.text(0) ?? ""
        }
        return plan
    }

    /// The set-returning functions that the plan may call.
    ///
    /// `unnest` replaces the registered table functions. The views in the catalog call `pg_stat_get_activity`. Citus
    /// reads the result of a part of the query by a function.
    private var permittedFunctions: [String] {
        var functions = ["unnest"]
        if path.viewSchema != nil { functions.append("pg_stat_get_activity") }
        if session.isDistributed { functions.append("read_intermediate_result") }
        return functions
    }

    /// Runs `body` and converts errors of the server into errors for the author of the SQL.
    private func explaining<Result>(_ body: () throws -> Result) throws -> Result {
        guard let limits else { return try body() }
        do {
            return try body()
        } catch let error as PostGISError {
            throw explanation(of: error, limits: limits)
        }
    }

    /// Returns the error for the author of the SQL, or the error of the server if the author cannot prevent it.
    private func explanation(of error: PostGISError, limits: QueryLimits) -> any Error {
        switch error.state {
        case "57014":
            return limits.timeoutError
        case _ where error.hasLostNode:
            return HabitError(
                .storeUnavailable,
                "a server of the cluster has failed, does not respond or cannot run the SQL: \(error.message)",
                .advice("try again, and simplify the SQL if it fails again"),
                cause: error)
        case "25006":
            return HabitError(
                .reportInvalid, "the SQL is not a SELECT: write one SELECT, which cannot change the store")
        case let state where Self.isFaultOfSQL(state):
            var reason = error.message
            if let column = error.unknownColumn {
                reason += columns.suggestion(for: column)
            }
            return HabitError(.reportInvalid, "the SQL cannot be run: \(reason)", cause: error)
        default:
            return error
        }
    }

    /// Whether the author of the SQL can prevent an error with this SQLSTATE.
    ///
    /// The classes are data that a function does not accept, SQL that the server does not accept, objects that are not
    /// in the state that the SQL requires, and exceeded limits (PostgreSQL, appendix A).
    static func isFaultOfSQL(_ state: String) -> Bool {
        let classes = ["21", "22", "25", "34", "42", "54", "55"]
        let states = ["0A000", "53200", "53400", "XX000"]
        return classes.contains(String(state.prefix(2))) || states.contains(state)
    }

    /// Returns the value of each numbered parameter.
    ///
    /// `rows` contains the columns of each call that the SQL names.
    private func slotValues(rows: [[Int: [Value]]]) throws -> [PostGISParameter] {
        guard values.count == parameters.count else {
            throw HabitError(.internal, "the query has no values for its parameters")
        }
        return try text.slots.map { slot in
            switch slot {
            case .parameter(let index):
                return PostGISParameter(values[index])
            case .isNull(let index):
                return PostGISParameter(isTrue: values[index] == .null)
            case .column(let call, let column):
                let name = text.calls[call].name
                let function = try session.function(name)
                let values = rows[call][column] ?? []
                return PostGISParameter(array: values, of: function.columns[column].kind)
            }
        }
    }

    /// Returns the rows of a table function, column by column.
    private func rows(of call: PostGISTranslation.Call) throws -> [Int: [Value]] {
        let function = try session.function(call.name)
        guard call.arguments.count == function.parameters.count else {
            let parameters = function.parameters.joined(separator: ", ")
            throw HabitError(
                .reportInvalid, "the SQL cannot be run: the arguments of \(function.name) are (\(parameters))")
        }
        let rows = try function.rows(try arguments(of: call), nil)
        var columns: [Int: [Value]] = [:]
        for column in call.columns {
            columns[column] = []
        }
        while try rows.next() {
            for column in call.columns {
                let value = try rows.value(column)
                columns[column]?.append(value)
            }
        }
        return columns
    }

    private func arguments(of call: PostGISTranslation.Call) throws -> [Value] {
        guard !call.arguments.isEmpty else { return [] }
        let list = call.arguments.joined(separator: ", ")
        let statement = statement(of: PostGISTranslation("SELECT \(list)", functions: [:]))
        let named = Dictionary(zip(parameters, values)) { first, _ in first }
        let bound = statement.parameters.map { name in named[name] ?? .null }
        try statement.bind(bound)
        do {
            let arguments = try statement.firstRow { row in
                call.arguments.indices.map(row.value)
            }
            return arguments ?? []
        } catch let error as HabitError where error.isOfUndefinedTable {
            throw HabitError(
                .reportInvalid,
                "the SQL cannot be run: on PostgreSQL the arguments of \(call.name) must be values or parameters, not columns of other tables"
            )
        }
    }

    /// Returns a statement on the same connection and with the same limits.
    private func statement(of text: PostGISTranslation) -> PostGISStatement {
        guard let limits else {
            return PostGISStatement(text, in: session)
        }
        return PostGISStatement(
            analysis: text,
            on: connection,
            in: path,
            limits: limits,
            isExplained: false,
            columns: columns,
            in: session)
    }
}

extension HabitError {
    /// Whether the server has refused SQL because a table does not exist or is not in the FROM clause.
    fileprivate var isOfUndefinedTable: Bool {
        guard let error = cause as? PostGISError else { return false }
        return error.state == PostGISError.undefinedTable
    }
}

extension Value {
    /// The type of an array that contains the value, or `nil` if there is no such array.
    fileprivate var arrayKind: TableFunction.Column.Kind? {
        switch self {
        case .integer: .integer
        case .number: .number
        case .text: .text
        case .null, .blob, .point: nil
        }
    }
}
