import Base
import StoreEngine

/// The conversion of SQL over the report views to one statement with the views.
///
/// The views become common table expressions of the statement, which hide tables of the same names. Tables are
/// accessible only with their schema, and ``AnalysisCheck`` refuses the names of schemas. In addition, the plan of the
/// server must not read tables of other schemas. The transaction is read-only from then on.
struct PostGISAnalysis {
    /// The report views.
    let views: [AnalysisView]
    /// The registered table functions by name.
    let functions: [String: TableFunction]
    /// The schema with the views, without the columns of table functions.
    ///
    /// If it is `nil`, the statement contains the definitions of the views.
    let catalog: String?
    /// Whether Citus distributes the store over several servers.
    let isDistributed: Bool

    /// Returns the statement for SQL over the views.
    ///
    /// - Parameter sql: The SQL of a user, an operator or a report.
    /// - Returns: The statement, with the slots of its parameters and its calls of table functions.
    /// - Throws: `report-invalid` if the SQL is not one SELECT over the views.
    func statement(of sql: String) throws -> PostGISTranslation {
        let tokenizer = SQLTokenizer(sql)
        if let problem = tokenizer.problems.first {
            throw AnalysisCheck.refusal(problem.message, line: problem.line)
        }
        let tokens = AnalysisTokens(tokenizer)
        let check = AnalysisCheck(tokens, tableFunctions: Set(functions.keys))
        try check.run()
        let text = withViews(tokens, of: tokenizer.bytes)
        return PostGISTranslation(text, functions: functions)
    }

    /// Returns the SQL after a WITH that contains the views it names and the queries of its own WITH.
    private func withViews(_ tokens: AnalysisTokens, of bytes: [UInt8]) -> String {
        let end = tokens.all.last?.range.upperBound ?? 0
        func text(from index: Int) -> String {
            let start = tokens.token(at: index)?.range.lowerBound ?? end
            return String(decoding: bytes[start..<end], as: UTF8.self)
        }
        let queries = queries(of: tokens).joined(separator: ",\n")
        guard !queries.isEmpty else { return text(from: 0) }
        let hasWith = tokens.all.count > 2 && tokens.all[0].isWord("WITH")
        guard hasWith else {
            return "WITH \(queries)\n\(text(from: 0))"
        }
        let isRecursive = tokens.all[1].isWord("RECURSIVE")
        guard isRecursive else {
            return "WITH \(queries),\n\(text(from: 1))"
        }
        return "WITH RECURSIVE \(queries),\n\(text(from: 2))"
    }

    /// Returns the common table expressions of the views that the SQL names.
    private func queries(of tokens: AnalysisTokens) -> [String] {
        let names = Set(tokens.all.compactMap(\.name))
        let isStar = SQLToken.readsAllColumns(tokens.all)
        // A common table expression of the SQL hides the view with the same name.
        let own = tokens.outerQueries
        let named = views.filter { view in
            names.contains(view.name) && !own.contains(view.name)
        }
        return named.compactMap { view in
            query(of: view) { column in isStar || names.contains(column) }
        }
    }

    /// Returns the common table expression of a view, or `nil` if the statement can read the view of the catalog.
    private func query(of view: AnalysisView, isNamed: (String) -> Bool) -> String? {
        let select =
            if let catalog {
                view.select(fromCatalog: catalog, isNamed)
            } else {
                Self.qualified(view.select(isNamed))
            }
        guard let select else { return nil }
        // Citus would send the rows of a table function to each shard of the rows that it joins. It cannot
        // materialize rows without columns.
        let hasColumns = view.columns.contains { column in isNamed(column.name) }
        let isFirst = isDistributed && view.join != nil && hasColumns
        let option = isFirst ? "MATERIALIZED" : "NOT MATERIALIZED"
        return "\(view.name) AS \(option) (\n\(select)\n)"
    }

    /// Returns SQL of the program with the schema before each table.
    static func qualified(_ sql: String) -> String {
        let tokenizer = SQLTokenizer(sql)
        var text: [UInt8] = []
        var end = 0
        for (index, token) in tokenizer.tokens.enumerated() {
            let gap = end..<token.range.lowerBound
            text += tokenizer.bytes[gap]
            if isTable(at: index, of: tokenizer.tokens) {
                text += Array("habitat.".utf8)
            }
            text += tokenizer.bytes[token.range]
            end = token.range.upperBound
        }
        text += tokenizer.bytes[end...]
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns whether the token at an index names a table: a word after FROM or JOIN that is not called.
    private static func isTable(at index: Int, of tokens: [SQLToken]) -> Bool {
        guard index > 0, tokens[index].kind == .word else { return false }
        let before = tokens[index - 1]
        guard before.isWord("FROM") || before.isWord("JOIN") else { return false }
        let next = index + 1
        let isCalled = next < tokens.count && tokens[next].isSymbol("(")
        return !isCalled
    }
}
