/// A view that user-supplied SQL and reports may read.
public struct AnalysisView: Sendable {
    /// A table function whose rows are joined to the view, one to each row, for the columns that name its alias.
    public struct Join: Sendable {
        /// The keyword between the two sources, such as `JOIN`.
        public var keyword: String
        /// The call, such as `habit_standings(NULL)`.
        public var call: String
        public var alias: String
        /// The column of the function's rows that equals the view's column `key`.
        public var column: String
        public var key: String

        package init(keyword: String, call: String, alias: String, column: String, key: String) {
            self.keyword = keyword
            self.call = call
            self.alias = alias
            self.column = column
            self.key = key
        }

        /// The clause that joins the function to an expression of the key.
        package func sql(on key: String) -> String { "\(keyword) \(call) AS \(alias) ON \(alias).\(column) = \(key)" }
    }

    public var name: String
    /// Each column with its expression, which has no parameters.
    public var columns: [(name: String, sql: String)]
    /// The sources after FROM.
    public var source: String
    public var join: Join?
    /// The clauses after the sources, such as `WHERE …`; may be empty.
    public var conditions: String

    package init(
        name: String, columns: [(name: String, sql: String)], source: String, join: Join? = nil, conditions: String
    ) {
        self.name = name
        self.columns = columns
        self.source = source
        self.join = join
        self.conditions = conditions
    }

    /// The view as one SELECT.
    ///
    /// - Parameter isNamed: Whether the statement uses a column. The function is joined only if one of its columns is used.
    package func select(_ isNamed: (String) -> Bool = { _ in true }) -> String {
        let named = columns.filter { isNamed($0.name) }
        let list = named.map { "\($0.sql) AS \"\($0.name)\"" }
        var text = "SELECT \(list.joined(separator: ", "))\nFROM \(source)"
        if let join, let key = columns.first(where: { $0.name == join.key }), named.contains(where: isJoined) {
            text += "\n" + join.sql(on: key.sql)
        }
        return text + conditions
    }

    /// The view as a catalog has it, with the joined function added; nil if no column of the function is used.
    package func select(fromCatalog schema: String, _ isNamed: (String) -> Bool) -> String? {
        guard let join, columns.contains(where: { isNamed($0.name) && isJoined($0) }) else { return nil }
        let list = columns.filter { isNamed($0.name) }.map {
            isJoined($0) ? "\($0.sql) AS \"\($0.name)\"" : "\(name).\"\($0.name)\""
        }
        let source = "\(schema).\(name) AS \(name)"
        return "SELECT \(list.joined(separator: ", "))\nFROM \(source)\n\(join.sql(on: "\(name).\"\(join.key)\""))"
    }

    /// Whether a column comes from the joined function.
    package func isJoined(_ column: (name: String, sql: String)) -> Bool {
        join.map { column.sql.contains("\($0.alias).") } ?? false
    }
}
