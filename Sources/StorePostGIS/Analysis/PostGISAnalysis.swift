import Base
import StoreEngine

/// The check of SQL over the report views, and its conversion to one statement with the views.
///
/// The views become common table expressions of the statement, which hide tables of the same names. Tables are
/// accessible only with their schema. The check examines each token: the SQL must not name a schema, and it may call
/// only functions that compute a value from their arguments. In addition, the plan of the server must not read tables
/// of other schemas. The transaction is read-only from then on.
enum PostGISAnalysis {
    /// Returns the statement for SQL over the views.
    ///
    /// - Parameters:
    ///   - sql: The SQL of a user, an operator or a report.
    ///   - views: The report views.
    ///   - functions: The registered table functions by name.
    ///   - catalog: The schema with the views, without the columns of table functions. If it is `nil`, the statement
    ///     contains the definitions of the views.
    ///   - isDistributed: Whether Citus distributes the store over several servers.
    /// - Returns: The statement, with the slots of its parameters and its calls of table functions.
    /// - Throws: `report-invalid` if the SQL is not one SELECT over the views.
    static func text(
        _ sql: String, over views: [AnalysisView], calling functions: [String: TableFunction], catalog: String?,
        isDistributed: Bool
    ) throws -> PostGISTranslation {
        let tokenizer = SQLTokenizer(sql)
        if let problem = tokenizer.problems.first { throw refusal(problem.message, line: problem.line) }
        var tokens = tokenizer.tokens
        while tokens.last?.isSymbol(";") ?? false { tokens.removeLast() }
        try check(tokens, calling: functions)
        let text = withViews(sql, tokens, views, catalog: catalog, isDistributed: isDistributed)
        return PostGISTranslation(text, functions: functions)
    }

    // MARK: Checks

    private static func check(_ tokens: [SQLToken], calling functions: [String: TableFunction]) throws {
        guard let first = tokens.first else { throw refusal("it contains no statement", line: nil) }
        guard first.isWord("SELECT") || first.isWord("WITH") || first.isWord("VALUES") || first.isSymbol("(") else {
            throw refusal("it is not a SELECT, and the store cannot be changed this way", line: first.line)
        }
        let ownQueries = queryNames(tokens)
        for (index, token) in tokens.enumerated() {
            let next = index + 1 < tokens.count ? tokens[index + 1] : nil
            if token.isSymbol(";") { throw refusal("it contains more than one statement", line: token.line) }
            if token.kind == .parameter, !token.text.hasPrefix(":") || token.text.count < 2 {
                throw refusal("write a parameter as ':name'", line: token.line)
            }
            if token.kind == .word, let next, next.kind == .string || next.text.hasPrefix("$"),
                next.range.lowerBound == token.range.upperBound
            {
                throw refusal("the prefix '\(token.text)' before a quotation mark is not supported", line: token.line)
            }
            guard token.kind != .word || token.text.utf8.allSatisfy({ $0 < 0x80 }) else {
                throw refusal("write '\(token.text)' in double quotes", line: token.line)
            }
            guard token.kind != .quotedName || !token.text.unicodeScalars.contains("\"") else {
                throw refusal("a name cannot contain quotation marks", line: token.line)
            }
            // After anything except the name of a row source, a dot would call a function: (a).f is f(a).
            if token.isSymbol("."),
                index == 0 || tokens[index - 1].name == nil || index > 1 && tokens[index - 2].isSymbol(".")
            {
                throw refusal("a dot is allowed only between two names", line: token.line)
            }
            if let type = typeName(tokens, index), !types.contains(type.name ?? "") {
                throw refusal("the type '\(type.text)' cannot be used", line: token.line)
            }
            guard let name = token.name else { continue }
            if name.utf8.starts(with: "pg_".utf8)
                || (schemas.contains(name) && (token.kind == .word || next?.isSymbol(".") ?? false))
            {
                throw refusal("'\(name)' cannot be read", line: token.line)
            }
            // The types regclass, regtype and others reveal whether a name is in the catalog.
            if token.kind == .word, forbidden.contains(name) || name.hasPrefix("reg") && isType(tokens, index) {
                throw refusal("'\(name)' cannot be used", line: token.line)
            }
            if token.isWord("U"), let next, next.isSymbol("&") {
                throw refusal("the prefix U& of names and texts is not supported", line: token.line)
            }
            if moments.contains(name), isType(tokens, index) {
                throw refusal(
                    "the type '\(name)' cannot be used because its values can depend on the clock: use days, which are texts",
                    line: token.line
                )
            }
            guard let next, next.isSymbol("("), !ownQueries.contains(index), !isClause(name, token, tokens, index)
            else {
                continue
            }
            guard allowed.contains(name) || functions[name] != nil else {
                let hint =
                    clocks.contains(name)
                    ? " because its result can depend on the clock: use \(calendar), or a parameter" : ""
                throw refusal("the function '\(name)' cannot be used\(hint)", line: token.line)
            }
        }
    }

    /// Returns whether the parenthesis after a name begins a clause or column names, not arguments.
    ///
    /// An example is `AS name(columns)`.
    private static func isClause(_ name: String, _ token: SQLToken, _ tokens: [SQLToken], _ index: Int) -> Bool {
        if token.kind == .word, clauses.contains(name) { return true }
        return index > 0 && tokens[index - 1].isWord("AS")
    }

    /// Returns whether a name is in the position of a type: before a text, after `::`, or at the end of a CAST.
    private static func isType(_ tokens: [SQLToken], _ index: Int) -> Bool {
        let next = index + 1 < tokens.count ? tokens[index + 1] : nil
        if let next, next.kind == .string || next.isSymbol("(") || next.isWord("WITH") || next.isWord("WITHOUT") {
            return true
        }
        guard index > 0 else { return false }
        let before = tokens[index - 1]
        return before.isSymbol("::") || before.isWord("AS") && (next?.isSymbol(")") ?? false)
    }

    /// Returns the type after the token at `index`, if that is `::` or CAST.
    private static func typeName(_ tokens: [SQLToken], _ index: Int) -> SQLToken? {
        if tokens[index].isSymbol("::") { return index + 1 < tokens.count ? tokens[index + 1] : tokens[index] }
        guard tokens[index].isWord("CAST"), let end = close(tokens, index + 1) else { return nil }
        let depth = tokens[index + 1].depth + 1
        let keyword = (index + 2..<end).last { tokens[$0].isWord("AS") && tokens[$0].depth == depth }
        return keyword.map { tokens[$0 + 1] } ?? tokens[index]
    }

    private static let types: Set<String> = [
        "text", "varchar", "char", "bigint", "integer", "int", "smallint", "int2", "int4", "int8", "real", "float",
        "float4", "float8", "double", "numeric", "decimal", "boolean", "bool", "json", "jsonb",
    ]

    private static let moments: Set<String> = ["date", "time", "timetz", "timestamp", "timestamptz"]

    /// Returns the indices of the names of common table expressions: after WITH, and after the comma that follows one.
    ///
    /// In other positions the same tokens call a function and name its rows.
    private static func queryNames(_ tokens: [SQLToken]) -> Set<Int> {
        var names: Set<Int> = []
        for (index, token) in tokens.enumerated() where token.isWord("WITH") {
            var name = index + 1
            if name < tokens.count, tokens[name].isWord("RECURSIVE") { name += 1 }
            while let end = endOfQuery(tokens, name) {
                names.insert(name)
                guard end + 1 < tokens.count, tokens[end + 1].isSymbol(",") else { break }
                name = end + 2
            }
        }
        return names
    }

    /// Returns the index of the parenthesis that ends `name AS (…)` or `name (columns) AS (…)`, otherwise `nil`.
    private static func endOfQuery(_ tokens: [SQLToken], _ name: Int) -> Int? {
        guard name < tokens.count, tokens[name].name != nil else { return nil }
        var next = name + 1
        if let columns = close(tokens, next) { next = columns + 1 }
        guard next < tokens.count, tokens[next].isWord("AS") else { return nil }
        next += 1
        if next < tokens.count, tokens[next].isWord("NOT") { next += 1 }
        if next < tokens.count, tokens[next].isWord("MATERIALIZED") { next += 1 }
        return close(tokens, next)
    }

    /// Returns the index of the parenthesis that closes the one at `index`, or `nil` if it is not found.
    private static func close(_ tokens: [SQLToken], _ index: Int) -> Int? {
        guard index < tokens.count, tokens[index].isSymbol("(") else { return nil }
        return tokens[index...].firstIndex { $0.isSymbol(")") && $0.depth == tokens[index].depth }
    }

    private static func refusal(_ reason: String, line: Int?) -> HabitError {
        HabitError(.reportInvalid, "the SQL cannot be run: \(reason)", line: line)
    }

    private static let schemas: Set<String> = [
        "habitat", "habitat_functions", "information_schema", "public", "pg_temp", AnalystViews.forReaders,
        AnalystViews.forOperator,
    ]

    private static let calendar =
        "weekday, week_start, month, year, iso_week, day_add, day_diff, local_hour, microseconds"

    private static let forbidden: Set<String> = [
        "current_user", "session_user", "current_role", "current_catalog", "current_schema", "current_date",
        "current_time", "current_timestamp", "localtime", "localtimestamp", "tablesample", "into", "insert", "update",
        "delete", "merge", "now",
    ]

    private static let clocks: Set<String> = [
        "date", "time", "datetime", "julianday", "strftime", "unixepoch", "now", "clock_timestamp", "timeofday", "age",
    ]

    private static let clauses: Set<String> = [
        "select", "from", "join", "where", "and", "or", "not", "in", "exists", "any", "all", "some", "on", "using",
        "as", "over", "filter", "within", "group", "by", "partition", "order", "having", "limit", "offset", "union",
        "except", "intersect", "values", "case", "when", "then", "else", "between", "like", "is", "distinct",
        "materialized", "with", "lateral", "row", "array", "cast", "rollup", "cube", "sets", "interval", "double",
        "precision", "numeric", "decimal", "varchar", "char", "only",
    ]

    /// The functions that SQL of users may call, except table functions.
    static var allowedFunctions: Set<String> { allowed }

    private static let allowed: Set<String> = Set(
        """
        abs avg ceil ceiling char_length chr coalesce concat concat_ws count cume_dist degrees dense_rank distance exp extract
        first_value floor format greatest json_agg json_build_array json_build_object json_object_agg lag last_value lead
        least left length ln local_hour log log10 lower lpad ltrim max microseconds min mod nth_value ntile
        nullif percent_rank pi position pow power radians rank replace rfc3339 right round row_number rpad rtrim sign
        split_part sqrt starts_with string_agg strpos substr substring sum to_char trim trunc upper weekday week_start day_add
        day_diff in_area iso_week median month percentile year
        """.split { $0 == " " || $0 == "\n" }.map(String.init))

    // MARK: Conversion

    /// Returns the SQL after a WITH that contains the views it names and the queries of its own WITH.
    private static func withViews(
        _ sql: String, _ tokens: [SQLToken], _ views: [AnalysisView], catalog: String?, isDistributed: Bool
    ) -> String {
        let names = Set(tokens.compactMap(\.name))
        let isStar = SQLToken.readsAllColumns(tokens)
        // A common table expression of the SQL hides the view with the same name.
        let own = Set(queryNames(tokens).filter { tokens[$0].depth == 0 }.compactMap { tokens[$0].name })
        let queries = views.filter { names.contains($0.name) && !own.contains($0.name) }.compactMap { view in
            func isNamed(_ column: String) -> Bool { isStar || names.contains(column) }
            let select =
                catalog.map { view.select(fromCatalog: $0, isNamed) } ?? qualified(view.select(isNamed))
            // Citus would send the rows of a table function to each shard of the rows that it joins. It cannot
            // materialize rows without columns.
            let isFirst = isDistributed && view.join != nil && view.columns.contains { isNamed($0.name) }
            let option = isFirst ? "MATERIALIZED" : "NOT MATERIALIZED"
            return select.map { "\(view.name) AS \(option) (\n\($0)\n)" }
        }
        guard let first = tokens.first, let last = tokens.last else { return sql }
        let bytes = Array(sql.utf8)
        func text(from token: SQLToken) -> String {
            String(decoding: bytes[token.range.lowerBound..<last.range.upperBound], as: UTF8.self)
        }
        guard !queries.isEmpty else { return text(from: first) }
        let views = queries.joined(separator: ",\n")
        guard first.isWord("WITH"), tokens.count > 2 else { return "WITH \(views)\n\(text(from: first))" }
        let isRecursive = tokens[1].isWord("RECURSIVE")
        return "WITH \(isRecursive ? "RECURSIVE " : "")\(views),\n\(text(from: tokens[isRecursive ? 2 : 1]))"
    }

    /// Returns SQL of the program with the schema before each table.
    static func qualified(_ sql: String) -> String {
        let tokenizer = SQLTokenizer(sql)
        var text: [UInt8] = []
        var end = 0
        for (index, token) in tokenizer.tokens.enumerated() {
            text += tokenizer.bytes[end..<token.range.lowerBound]
            let before = index > 0 ? tokenizer.tokens[index - 1] : nil
            let isTable = before.map { $0.isWord("FROM") || $0.isWord("JOIN") } ?? false
            let isCall = index + 1 < tokenizer.tokens.count && tokenizer.tokens[index + 1].isSymbol("(")
            if token.kind == .word, isTable, !isCall { text += Array("habitat.".utf8) }
            text += tokenizer.bytes[token.range]
            end = token.range.upperBound
        }
        return String(decoding: text + tokenizer.bytes[end...], as: UTF8.self)
    }
}
