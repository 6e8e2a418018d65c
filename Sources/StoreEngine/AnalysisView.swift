/// A view that reports and user-supplied SQL can read.
public struct AnalysisView: Sendable {
    /// A table function that is joined to the view, with one row of the function for each row of the view.
    ///
    /// The join is needed only for columns whose expressions contain the alias of the function.
    public struct Join: Sendable {
        /// The keyword between the two sources, such as `JOIN`.
        public var keyword: String
        /// The call, such as `habit_standings(NULL)`.
        public var call: String
        /// The name of the function in the statement.
        public var alias: String
        /// The column of the function that equals the column ``key`` of the view.
        public var column: String
        /// The column of the view that equals the column ``column`` of the function.
        public var key: String

        /// Creates a join from its parts.
        package init(keyword: String, call: String, alias: String, column: String, key: String) {
            self.keyword = keyword
            self.call = call
            self.alias = alias
            self.column = column
            self.key = key
        }

        /// Returns the clause that joins the function to an expression of the key.
        package func sql(on key: String) -> String { "\(keyword) \(call) AS \(alias) ON \(alias).\(column) = \(key)" }
    }

    /// The name of the view.
    public var name: String
    /// The name of each column and its expression, which has no parameters.
    public var columns: [(name: String, sql: String)]
    /// The sources after FROM.
    public var source: String
    /// The function that is joined to the view, or `nil` if every column comes from ``source``.
    public var join: Join?
    /// The clauses after the sources, such as `WHERE …`, or an empty string.
    public var conditions: String

    /// Creates a view from its parts.
    package init(
        name: String, columns: [(name: String, sql: String)], source: String, join: Join? = nil, conditions: String
    ) {
        self.name = name
        self.columns = columns
        self.source = source
        self.join = join
        self.conditions = conditions
    }

    /// Returns the view as one SELECT.
    ///
    /// The function is joined only if the statement uses one of its columns.
    ///
    /// - Parameter isNamed: Whether the statement uses the column with this name. Other columns are omitted.
    /// - Returns: The SELECT.
    package func select(_ isNamed: (String) -> Bool = { _ in true }) -> String {
        let named = columns.filter { isNamed($0.name) }
        let list = named.map { "\($0.sql) AS \"\($0.name)\"" }
        var text = "SELECT \(list.joined(separator: ", "))\nFROM \(source)"
        if let join, let key = columns.first(where: { $0.name == join.key }), named.contains(where: isJoined) {
            text += "\n" + join.sql(on: key.sql)
        }
        return text + conditions
    }

    /// Returns a SELECT that adds the columns of the joined function to the view in a catalog.
    ///
    /// - Parameters:
    ///   - schema: The schema of the catalog view, which has the same name as this view.
    ///   - isNamed: Whether the statement uses the column with this name. Other columns are omitted.
    /// - Returns: The SELECT, or `nil` if the statement uses no column of the function.
    package func select(fromCatalog schema: String, _ isNamed: (String) -> Bool) -> String? {
        guard let join, columns.contains(where: { isNamed($0.name) && isJoined($0) }) else { return nil }
        let list = columns.filter { isNamed($0.name) }.map {
            isJoined($0) ? "\($0.sql) AS \"\($0.name)\"" : "\(name).\"\($0.name)\""
        }
        let source = "\(schema).\(name) AS \(name)"
        return "SELECT \(list.joined(separator: ", "))\nFROM \(source)\n\(join.sql(on: "\(name).\"\(join.key)\""))"
    }

    /// Returns whether a column comes from the joined function.
    package func isJoined(_ column: (name: String, sql: String)) -> Bool {
        join.map { column.sql.contains("\($0.alias).") } ?? false
    }
}
