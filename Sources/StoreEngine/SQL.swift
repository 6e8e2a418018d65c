import HabitModel

/// A statement's text with the values of its `:name` parameters; put together from fixed fragments, never from values.
public struct SQL: Sendable, ExpressibleByStringLiteral {
    public var text: String
    public var bindings: [String: Value]
    /// The columns of the result, by their indexes, that hold keys of another table and are read as a text of its rows: of many
    /// rows that refer to few, that costs less than a join. As by a join, a row whose key is of nothing is left out. Of use where
    /// ``Session/keyedTexts`` is there.
    package var texts: [Int: TextColumn] = [:]

    public init(_ text: String, _ bindings: [String: Value] = [:]) {
        self.text = text
        self.bindings = bindings
    }

    public init(stringLiteral text: String) { self.init(text) }

    /// An INSERT of one row, with a parameter for each column.
    package static func insert(into table: String, columns: [String]) -> String {
        """
        INSERT INTO \(table) (\(columns.joined(separator: ", ")))
        VALUES (\(columns.map { ":\($0)" }.joined(separator: ", ")))
        """
    }

    public static func += (a: inout SQL, b: SQL) {
        a.text += b.text
        a.bind(b.bindings)
    }

    /// The values of the statement's parameters, in their order.
    package func values(of statement: any Statement) throws -> [Value] {
        try statement.parameters.map { name in
            guard let value = bindings[name] else {
                throw HabitError(.internal, "the query has no value for its parameter ':\(name)'")
            }
            return value
        }
    }

    /// A name bound twice must mean the same value: fragments that differ use names of their own.
    public mutating func bind(_ more: [String: Value]) { bindings.merge(more) { _, new in new } }
}

/// A column of a table that is never null, and its rows a key `id`.
public struct TextColumn: Hashable, Sendable {
    package var name: String
    package var table: String

    package init(name: String, table: String) {
        self.name = name
        self.table = table
    }
}
