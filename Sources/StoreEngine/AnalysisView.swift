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
        package func sql(on key: String) -> String {
            "\(keyword) \(call) AS \(alias) ON \(alias).\(column) = \(key)"
        }
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
                if let alias = alias(inJoin: line) {
                    clauses.append(Lookup(alias: alias, sql: String(line)))
                } else if let last = clauses.indices.last {
                    clauses[last].sql += "\n\(line)"
                }
            }
            return clauses
        }

        /// Returns the alias of the table in a line with a JOIN, or `nil` if the line continues a clause.
        private static func alias(inJoin line: Substring) -> String? {
            let words = line.split(separator: " ")
            guard let keyword = words.prefix(2).firstIndex(of: "JOIN") else {
                return nil
            }
            let table = keyword + 1
            guard table < words.count else {
                return nil
            }
            let isRenamed = table + 2 < words.count && words[table + 1] == "AS"
            return String(words[isRenamed ? table + 2 : table])
        }

        /// Returns whether `sql` contains a column of the table.
        func isRead(in sql: String) -> Bool {
            sql.ranges(of: "\(alias).").contains { range in
                guard let before = sql[..<range.lowerBound].last else {
                    return true
                }
                let isPartOfName = before.isLetter || before.isNumber || before == "_"
                return !isPartOfName && before != "."
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
        name: String,
        columns: [(name: String, sql: String)],
        source: String,
        joins: String = "",
        join: Join? = nil,
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
    /// - Parameter includes: A closure that returns whether the statement uses the column with a name. Other columns are
    ///   omitted.
    /// - Returns: The SELECT.
    package func select(_ includes: (String) -> Bool = { _ in true }) -> String {
        let named = columns.filter { includes($0.name) }
        // A SELECT needs a column, and a statement that only counts rows names none.
        let expressions = named.isEmpty ? ["1 AS \"1\""] : named.map { "\($0.sql) AS \"\($0.name)\"" }
        let list = expressions.joined(separator: ", ")
        let function = named.contains(where: isJoined) ? functionClause : nil
        var read = "\(list)\n\(function ?? "")\n\(conditions)"
        var clauses: [String] = []
        // A later clause can refer to the tables of earlier clauses.
        for lookup in lookups.reversed() where lookup.isRead(in: read) {
            clauses.insert(lookup.sql, at: 0)
            read += lookup.sql
        }
        if let function {
            clauses.append(function)
        }
        let lines = ["SELECT \(list)", "FROM \(source)"] + clauses
        return lines.joined(separator: "\n") + conditions
    }

    /// The clause that joins the function to the source, or `nil` if the view has no function.
    private var functionClause: String? {
        guard let join else {
            return nil
        }
        guard let key = columns.first(where: { $0.name == join.key }) else {
            return nil
        }
        return join.sql(on: key.sql)
    }

    /// Returns a SELECT that adds the columns of the joined function to the view in a catalog.
    ///
    /// - Parameters:
    ///   - schema: The schema of the catalog view, which has the same name as this view.
    ///   - includes: A closure that returns whether the statement uses the column with a name. Other columns are
    ///     omitted.
    /// - Returns: The SELECT, or `nil` if the statement uses no column of the function.
    package func select(fromCatalog schema: String, _ includes: (String) -> Bool) -> String? {
        let named = columns.filter { includes($0.name) }
        guard let join, named.contains(where: isJoined) else {
            return nil
        }
        let expressions = named.map { column in
            if isJoined(column) {
                "\(column.sql) AS \"\(column.name)\""
            } else {
                "\(name).\"\(column.name)\""
            }
        }
        let list = expressions.joined(separator: ", ")
        let function = join.sql(on: "\(name).\"\(join.key)\"")
        return """
            SELECT \(list)
            FROM \(schema).\(name) AS \(name)
            \(function)
            """
    }

    /// Returns whether a column comes from the joined function.
    package func isJoined(_ column: (name: String, sql: String)) -> Bool {
        guard let join else {
            return false
        }
        return column.sql.contains("\(join.alias).")
    }
}
