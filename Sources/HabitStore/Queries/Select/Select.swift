import HabitModel
import StoreEngine

/// A SELECT as a value.
///
/// Its source is given once. Columns, joins and conditions are added.
struct Select {
    /// The columns of the result.
    var columns: [SelectColumn]
    /// The text after FROM, without the joins of ``joins``.
    let source: SQL
    /// The joins that the columns, the conditions and the order need.
    var joins: SQL
    /// The conditions that a row must meet.
    private(set) var conditions: [SQL] = []
    /// The order of the rows, or an empty array if the order is undefined.
    let order: [OrderTerm]
    /// The maximum number of rows, or `nil` for all rows.
    var limit: Int?
    /// An expression for the group of a row, or `nil` for one group.
    ///
    /// The rows are sorted by their group first, and ``limit`` is the maximum number of rows of each group.
    var group: SQL?
    /// See ``SQL/texts``.
    ///
    /// A query for a page does not use it.
    var texts: [Int: TextColumn] = [:]

    /// Creates a SELECT of all rows of a source.
    ///
    /// - Parameters:
    ///   - columns: The columns of the result.
    ///   - source: The text after FROM.
    ///   - joins: The joins.
    ///   - order: The order of the rows.
    init(_ columns: [SelectColumn], from source: SQL, joins: SQL = "", order: [OrderTerm] = []) {
        self.columns = columns
        self.source = source
        self.joins = joins
        self.order = order
    }

    // MARK: Conditions

    /// Adds a condition, unless it is `nil`.
    mutating func require(_ condition: SQL?) {
        guard let condition else { return }
        conditions.append(condition)
    }

    /// Adds several conditions.
    mutating func require(all more: [SQL]) {
        conditions += more
    }

    /// All conditions as one, or `nil` if there are no conditions.
    var condition: SQL? {
        conditions.isEmpty ? nil : conditions.joined(separator: " AND ")
    }

    // MARK: The statement

    /// The statement.
    var sql: SQL {
        guard let group else { return statement(ordered: order, limit: limit) }
        let byGroup = [OrderTerm(group)] + order
        guard let limit else { return statement(ordered: byGroup, limit: nil) }
        return first(limit, ofEach: group)
    }

    /// Returns the first rows of each group.
    private func first(_ limit: Int, ofEach group: SQL) -> SQL {
        var numbered = self
        numbered.columns += [
            SelectColumn("row_group", group),
            SelectColumn("number_in_group", "row_number() OVER (PARTITION BY \(group) \(order.clause))"),
        ]
        let names = columns.map(\.name).joined(separator: ", ")
        var sql: SQL = """
            SELECT \(raw: names)
            FROM (
            \(numbered.statement(ordered: [], limit: nil))
            ) AS grouped
            WHERE number_in_group <= \(.integer(Int64(limit)), as: "limit")
            ORDER BY row_group, number_in_group
            """
        sql.texts = texts
        return sql
    }

    private func statement(ordered order: [OrderTerm], limit: Int?) -> SQL {
        var sql: SQL = "SELECT\n  \(columns.list)\nFROM \(source)"
        if !joins.isEmpty {
            sql += "\n\(joins)"
        }
        if !conditions.isEmpty {
            sql += "\nWHERE \(conditions.joined(separator: "\n  AND "))"
        }
        if !order.isEmpty {
            sql += "\n\(order.clause)"
        }
        if let limit {
            sql += "\nLIMIT \(.integer(Int64(limit)), as: "limit")"
        }
        sql.texts = texts
        return sql
    }

    // MARK: Pages

    /// Returns the complete result, or the rows of a page.
    ///
    /// - Parameters:
    ///   - shape: The shape of the rows.
    ///   - page: The page to read, or `nil` for the complete result.
    /// - Returns: The query. The cursor of a row on a page is in its last columns.
    /// - Throws: `parameter-invalid` if the cursor of the page does not belong to this order.
    func selection(_ shape: ResultShape, page: Page?) throws -> Selection {
        guard let page else { return Selection(sql, shape: shape) }
        let cursor = columns.count..<columns.count + order.count
        return Selection(try keys(of: page).sql, shape: shape, cursor: Array(cursor))
    }

    /// Returns a page of rows of a table and looks up the details of only these rows.
    ///
    /// An inner query selects the keys and the other columns of the page. An outer query joins the details.
    ///
    /// - Parameters:
    ///   - shape: The shape of the rows.
    ///   - page: The page to read.
    ///   - table: The table of the rows.
    ///   - details: The columns to look up.
    ///   - joins: The joins that the details require.
    ///   - dialect: The SQL dialect of the engine.
    /// - Returns: The query, with the cursor of each row in its last columns.
    /// - Throws: `parameter-invalid` if the cursor of the page does not belong to this order.
    func selection(
        _ shape: ResultShape,
        page: Page,
        of table: String,
        details: [SelectColumn],
        joins: SQL,
        dialect: any Dialect
    ) throws -> Selection {
        var keys = try keys(of: page)
        let columns = details + .named(keys.columns.map(\.name), of: "page")
        keys.columns.insert(SelectColumn("key", "\(raw: table).id"), at: 0)
        let sql: SQL = """
            SELECT
              \(columns.list)
            FROM (
            \(keys.sql)
            ) AS page
            \(raw: dialect.traits.orderedJoin) \(raw: table) ON \(raw: table).id = page.key
            \(joins)
            \(order.byKeys.clause)
            """
        let cursor = columns.count - order.count..<columns.count
        return Selection(sql, shape: shape, cursor: Array(cursor))
    }

    /// Returns the query with the sort values as additional columns and with one row more than the page has.
    ///
    /// The additional row shows whether another page follows.
    private func keys(of page: Page) throws -> Select {
        var select = self
        select.columns += order.keys
        if let after = page.after {
            select.require(try order.condition(after: after))
        }
        select.limit = page.limit + 1
        return select
    }
}

extension SQL {
    /// Returns a condition that a column is one of several keys, or with `isNegated` that it is another key.
    ///
    /// - Parameters:
    ///   - column: The column.
    ///   - keys: The keys.
    ///   - name: The name of the parameters for readers.
    ///   - isNegated: Whether the column must differ from all keys.
    /// - Returns: The condition.
    static func membership(
        of column: SQL,
        in keys: [Int64],
        as name: String,
        isNegated: Bool = false
    ) -> SQL {
        membership(of: column, among: keys.map { key in .integer(key) }, as: name, isNegated: isNegated)
    }

    /// Returns a condition that a column is one of several texts.
    ///
    /// - Parameters:
    ///   - column: The column.
    ///   - texts: The texts.
    ///   - name: The name of the parameters for readers.
    /// - Returns: The condition.
    static func membership(of column: SQL, in texts: [String], as name: String) -> SQL {
        membership(of: column, among: texts.map { text in .text(text) }, as: name, isNegated: false)
    }

    private static func membership(
        of column: SQL,
        among values: [Value],
        as name: String,
        isNegated: Bool
    ) -> SQL {
        guard !values.isEmpty else { return isNegated ? "TRUE" : "FALSE" }
        let list = values.map { value -> SQL in "\(value, as: name)" }.joined(separator: ", ")
        return isNegated ? "\(column) NOT IN (\(list))" : "\(column) IN (\(list))"
    }
}
