/// A function of SQL that gives rows: `SELECT … FROM name(arguments)`.
///
/// Reports are written with them, and every engine offers the same ones.
public struct TableFunction {
    public struct Column {
        public enum Kind { case text, integer, number }

        /// A plain word.
        public var name: String
        /// What it holds where it is not null.
        public var kind: Kind

        public init(_ name: String, _ kind: Kind) {
            self.name = name
            self.kind = kind
        }
    }

    public var name: String
    /// What its rows hold.
    public var columns: [Column]
    /// What it is called with, all of them.
    public var parameters: [String]
    /// The index of the column by which single rows can be found; nil where there is none.
    public var key: Int?
    /// Begins to give the rows; `key` is the value that the key's column is to have, where the SQL says so.
    public var rows: (_ arguments: [Value], _ key: Value?) throws -> any TableFunctionRows

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

/// The rows of a table function, one after the other.
public protocol TableFunctionRows: AnyObject {
    /// Goes to the next row, the first at the first call; false where there is none.
    func next() throws -> Bool
    /// A column of the row it is at; what nobody asks for need not be worked out.
    func value(_ column: Int) throws -> Value
}
