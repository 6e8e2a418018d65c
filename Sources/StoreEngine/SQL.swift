import Base

/// The text of a statement with the values of its `:name` parameters.
///
/// The text is composed of fixed fragments, never of values.
public struct SQL: Sendable, ExpressibleByStringLiteral {
    /// The text of the statement.
    public var text: String
    /// The values of the parameters, keyed by name without the colon.
    public var bindings: [String: Value]
    /// The columns of the result that contain keys and are read as a text of the row with that key, by index.
    ///
    /// If many rows refer to few keys, this costs less than a join. As in an inner join, a row whose key does not exist
    /// is omitted. The statement can run only in a session that has ``Session/keyedTexts``.
    package var texts: [Int: TextColumn] = [:]

    /// Creates a statement from its text and the values of its parameters.
    public init(_ text: String, _ bindings: [String: Value] = [:]) {
        self.text = text
        self.bindings = bindings
    }

    /// Creates a statement without parameter values.
    public init(stringLiteral text: String) {
        self.init(text)
    }

    /// Returns an INSERT of one row, with a parameter for each column.
    package static func insert(into table: String, columns: [String]) -> String {
        let names = columns.joined(separator: ", ")
        let parameters = columns.map { ":\($0)" }.joined(separator: ", ")
        return """
            INSERT INTO \(table) (\(names))
            VALUES (\(parameters))
            """
    }

    /// Appends the text and the parameter values of `b` to `a`.
    public static func += (a: inout SQL, b: SQL) {
        a.text += b.text
        a.bind(b.bindings)
    }

    /// Returns the values of the statement's parameters, in parameter order.
    ///
    /// - Parameter statement: The compiled statement.
    /// - Returns: One value for each parameter.
    /// - Throws: `internal` if a parameter has no value.
    package func values(of statement: any Statement) throws -> [Value] {
        try statement.parameters.map { name in
            guard let value = bindings[name] else {
                throw HabitError(.internal, "the query has no value for its parameter ':\(name)'")
            }
            return value
        }
    }

    /// Adds parameter values.
    ///
    /// A name that is bound twice must have the same value. Fragments with different values use different names.
    public mutating func bind(_ more: [String: Value]) {
        bindings.merge(more) { _, new in new }
    }
}

/// A text column that is never null, in a table with a key `id`.
public struct TextColumn: Hashable, Sendable {
    /// The name of the column.
    package var name: String
    /// The name of the table.
    package var table: String

    /// Creates a column from its name and its table.
    package init(name: String, table: String) {
        self.name = name
        self.table = table
    }
}
