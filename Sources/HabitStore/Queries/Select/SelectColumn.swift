import StoreEngine

/// A column of a SELECT: an expression with its name.
struct SelectColumn: Sendable {
    /// The name, by which an outer SELECT reads the column.
    let name: String
    /// The expression.
    let expression: SQL

    /// Creates a column from its name and its expression.
    init(_ name: String, _ expression: SQL) {
        self.name = name
        self.expression = expression
    }
}

extension [SelectColumn] {
    /// The columns of a table, each with its own name.
    ///
    /// - Parameters:
    ///   - names: The names of the columns.
    ///   - table: The table.
    /// - Returns: The columns in the order of the names.
    static func named(_ names: [String], of table: String) -> [SelectColumn] {
        names.map { SelectColumn($0, "\(raw: table).\(raw: $0)") }
    }

    /// The select list.
    var list: SQL {
        map { column in "\(column.expression) AS \(raw: column.name)" }.joined(separator: ",\n  ")
    }
}
