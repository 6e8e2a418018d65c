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

    /// A table that is joined to the source of a view.
    public struct Lookup: Sendable {
        /// The name of the table in the SELECT.
        public var alias: String
        /// The clause, such as `JOIN account ON account.id = event.user_id`.
        public var sql: String

        /// Splits joins into their clauses.
        static func clauses(of joins: String) -> [Lookup] {
            var clauses: [Lookup] = []
            for line in joins.split(separator: "\n") {
                let words = line.split(separator: " ")
                if let keyword = words.firstIndex(of: "JOIN"), keyword < 2, keyword + 1 < words.count {
                    let isRenamed = keyword + 3 < words.count && words[keyword + 2] == "AS"
                    clauses.append(Lookup(alias: String(words[keyword + (isRenamed ? 3 : 1)]), sql: String(line)))
                } else if let last = clauses.indices.last {
                    clauses[last].sql += "\n\(line)"
                }
            }
            return clauses
        }

        /// Returns whether `sql` contains a column of the table.
        func isRead(in sql: String) -> Bool {
            sql.ranges(of: "\(alias).").contains { range in
                let before = sql[..<range.lowerBound].last
                return before.map { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "." } ?? true
            }
        }
    }

    /// The name of the view.
    public var name: String
    /// The name of each column and its expression, which has no parameters.
    public var columns: [(name: String, sql: String)]
    /// The table after FROM.
    public var source: String
    /// The tables that are joined to the source, each with at most one row for each row of the source.
    ///
    /// A SELECT contains only the joins whose columns it reads. An inner join must find a row for each row of the
    /// source, so that omitting the join does not change the rows.
    public var lookups: [Lookup]
    /// The function that is joined to the view, or `nil` if every column comes from ``source``.
    public var join: Join?
    /// The clauses after the sources, such as `WHERE …`, or an empty string.
    public var conditions: String

    /// Creates a view from its parts.
    ///
    /// - Parameters:
    ///   - name: The name of the view.
    ///   - columns: The columns of the view and their expressions.
    ///   - source: The table after FROM.
    ///   - joins: The clauses that join other tables. Each clause begins a line with `JOIN` or `LEFT JOIN`.
    ///   - join: The function that is joined to the view, or `nil`.
    ///   - conditions: The clauses after the sources.
    package init(
        name: String, columns: [(name: String, sql: String)], source: String, joins: String = "", join: Join? = nil,
        conditions: String
    ) {
        self.name = name
        self.columns = columns
        self.source = source
        lookups = Lookup.clauses(of: joins)
        self.join = join
        self.conditions = conditions
    }

    /// Returns the view as one SELECT.
    ///
    /// A table or function is joined only if the statement uses one of its columns.
    ///
    /// - Parameter isNamed: Whether the statement uses the column with this name. Other columns are omitted.
    /// - Returns: The SELECT.
    package func select(_ isNamed: (String) -> Bool = { _ in true }) -> String {
        let named = columns.filter { isNamed($0.name) }
        // A SELECT needs a column, and a statement that only counts rows names none.
        let list = named.isEmpty ? "1 AS \"1\"" : named.map { "\($0.sql) AS \"\($0.name)\"" }.joined(separator: ", ")
        var function: String?
        if let join, let key = columns.first(where: { $0.name == join.key }), named.contains(where: isJoined) {
            function = join.sql(on: key.sql)
        }
        var read = "\(list)\n\(function ?? "")\n\(conditions)"
        var clauses: [String] = []
        // A later clause can refer to the tables of earlier clauses.
        for lookup in lookups.reversed() where lookup.isRead(in: read) {
            clauses.insert(lookup.sql, at: 0)
            read += lookup.sql
        }
        return (["SELECT \(list)", "FROM \(source)"] + clauses + [function].compactMap(\.self))
            .joined(separator: "\n") + conditions
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
