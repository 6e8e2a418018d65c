/// A function of SQL that returns rows: `SELECT … FROM name(arguments)`.
///
/// Reports use these functions. Every engine has the same ones.
public struct TableFunction {
    /// A column of the function's rows.
    public struct Column {
        /// The type of a column.
        public enum Kind { case text, integer, number }

        /// The name of the column, a plain word.
        public var name: String
        /// The type of the values that are not null.
        public var kind: Kind

        /// Creates a column from its name and its type.
        public init(_ name: String, _ kind: Kind) {
            self.name = name
            self.kind = kind
        }
    }

    /// The name of the function in SQL.
    public var name: String
    /// The columns of the rows.
    public var columns: [Column]
    /// The names of the parameters, all of which are required.
    public var parameters: [String]
    /// The index of the column by which the function finds single rows, or `nil` if there is no such column.
    public var key: Int?
    /// A closure that starts the function and returns its rows.
    ///
    /// `key` is the value that the SQL requires in the key column, or `nil` if the SQL does not constrain that column.
    public var rows: (_ arguments: [Value], _ key: Value?) throws -> any TableFunctionRows

    /// Creates a function from its signature and the closure that returns its rows.
    public init(
        _ name: String, columns: [Column], parameters: [String], key: Int? = nil,
        rows: @escaping (_ arguments: [Value], _ key: Value?) throws -> any TableFunctionRows
    ) {
        self.name = name
        self.columns = columns
        self.parameters = parameters
        self.key = key
        self.rows = rows
    }
}

/// An iterator over the rows of a table function.
public protocol TableFunctionRows: AnyObject {
    /// Advances to the next row, or to the first row at the first call.
    ///
    /// Returns `false` after the last row.
    func next() throws -> Bool
    /// Returns a column of the current row.
    ///
    /// An implementation can compute the value here, because a query need not read every column.
    func value(_ column: Int) throws -> Value
}

/// The rows of a table function with one column of keys.
package final class KeyRows: TableFunctionRows {
    private var rest: ArraySlice<Int64>
    private var key: Int64 = 0

    /// Creates one row for each key.
    package init(_ keys: [Int64]) {
        rest = keys[...]
    }

    package func next() -> Bool {
        guard let next = rest.popFirst() else {
            return false
        }
        key = next
        return true
    }

    package func value(_ column: Int) -> Value {
        .integer(key)
    }
}
