import Base

/// A statement, or a part of one, with the values of its parameters.
///
/// A literal is the text of the statement. An interpolated value becomes a parameter, so that a value is never part of
/// the text:
///
/// ```swift
/// let sql: SQL = "SELECT id FROM account WHERE external_id = \(.text(id), as: "id")"
/// // SELECT id FROM account WHERE external_id = :id
/// ```
///
/// The name of a parameter is only for readers. If two values have the same name, the second parameter gets a number, such
/// as `:id_2`. Statements can therefore be combined in any order:
///
/// ```swift
/// let counted: SQL = "SELECT count(*) FROM (\(sql)) AS counted"
/// ```
public struct SQL: Sendable, ExpressibleByStringInterpolation {
    /// A part of a statement.
    private enum Part: Sendable {
        case text(String)
        /// A parameter with its value.
        case value(Value, name: String)
        /// A parameter whose value the caller binds later.
        case parameter(String)
    }

    private var parts: [Part]
    /// The values of parameters that the text names itself, keyed by name without the colon.
    private var named: [String: Value] = [:]
    /// The name of a parameter that got two different values, or `nil`.
    private var ambiguousName: String?
    /// The columns of the result that contain keys and are read as a text of the row with that key, by index.
    ///
    /// If many rows refer to few keys, this costs less than a join. As in an inner join, a row whose key does not exist
    /// is omitted. The statement can run only in a session that has ``Session/keyedTexts``.
    package var texts: [Int: TextColumn] = [:]

    /// Creates a statement from a text that names its parameters, such as the text of a report.
    ///
    /// - Parameters:
    ///   - text: The text, which never contains a value from outside.
    ///   - values: The values of the parameters, keyed by name without the colon.
    public init(_ text: String, _ values: [String: Value] = [:]) {
        parts = [.text(text)]
        named = values
    }

    /// Creates a statement without parameters.
    public init(stringLiteral text: String) {
        parts = [.text(text)]
    }

    /// Creates a statement from a literal with values and other statements in it.
    public init(stringInterpolation interpolation: Interpolation) {
        self = interpolation.sql
    }

    /// Appends the text and the parameter values of `more` to `sql`.
    public static func += (sql: inout SQL, more: SQL) {
        sql.parts += more.parts
        sql.ambiguousName = sql.ambiguousName ?? more.ambiguousName
        sql.bind(more.named)
    }

    /// Sets the values of parameters that the text names itself.
    ///
    /// A name that is bound twice must have the same value. Otherwise the statement cannot run.
    ///
    /// - Parameter values: The values, keyed by name without the colon.
    public mutating func bind(_ values: [String: Value]) {
        for (name, value) in values {
            let bound = named.updateValue(value, forKey: name)
            if let bound, bound != value {
                ambiguousName = name
            }
        }
    }

    /// The value of a parameter that the text names itself, or that the caller binds for each row.
    package subscript(parameter: String) -> Value? {
        get { named[parameter] }
        set { named[parameter] = newValue }
    }

    // MARK: The text with its parameters

    /// The text of the statement, with a name for each parameter.
    public var text: String { rendered().text }

    /// The values of the parameters, keyed by name without the colon.
    public var bindings: [String: Value] { rendered().values }

    /// Returns the text of the statement with an expression for each value.
    ///
    /// - Parameter expression: Returns the expression for a value.
    /// - Returns: The text. It has parameters only if the caller binds them later.
    package func text(replacingValues expression: (Value) -> String) -> String {
        var text = ""
        for part in parts {
            switch part {
            case .text(let literal): text += literal
            case .value(let value, name: _): text += expression(value)
            case .parameter(let name): text += ":\(name)"
            }
        }
        return text
    }

    /// Returns the text and the values of its parameters.
    package func rendered() -> (text: String, values: [String: Value]) {
        var names = ParameterNames(values: named)
        for case .parameter(let name) in parts {
            names.reserve(name)
        }
        var text = ""
        for part in parts {
            switch part {
            case .text(let literal): text += literal
            case .value(let value, let name): text += ":\(names.name(of: value, like: name))"
            case .parameter(let name): text += ":\(name)"
            }
        }
        return (text, names.values)
    }

    /// Whether the statement has no text.
    package var isEmpty: Bool {
        parts.allSatisfy { part in
            if case .text(let literal) = part { literal.isEmpty } else { false }
        }
    }

    /// Returns a SELECT of all rows and columns of this SELECT, followed by other clauses.
    ///
    /// - Parameters:
    ///   - name: The name of this SELECT in the other clauses.
    ///   - clauses: The clauses, such as `WHERE …`.
    /// - Returns: The SELECT. It reads the same columns by keys as this one: see ``texts``.
    package func nested(as name: String, _ clauses: SQL) -> SQL {
        var outer: SQL = """
            SELECT *
            FROM (
            \(self)
            ) AS \(raw: name)
            \(clauses)
            """
        outer.texts = texts
        return outer
    }

    /// Returns the values of the statement's parameters, in parameter order.
    ///
    /// - Parameter statement: The compiled statement.
    /// - Returns: One value for each parameter.
    /// - Throws: `internal` if a parameter has no value, or two different values.
    package func values(of statement: any Statement) throws -> [Value] {
        try values(of: statement, in: bindings)
    }

    /// Returns the values of the statement's parameters, in parameter order.
    ///
    /// - Parameters:
    ///   - statement: The compiled statement.
    ///   - bindings: The values of ``rendered()``.
    /// - Returns: One value for each parameter.
    /// - Throws: `internal` if a parameter has no value, or two different values.
    package func values(of statement: any Statement, in bindings: [String: Value]) throws -> [Value] {
        if let ambiguousName {
            throw HabitError(.internal, "the query has two values for its parameter ':\(ambiguousName)'")
        }
        return try statement.parameters.map { name in
            guard let value = bindings[name] else {
                throw HabitError(.internal, "the query has no value for its parameter ':\(name)'")
            }
            return value
        }
    }

    // MARK: Common statements

    /// Returns an INSERT of one row, with a parameter for each column.
    package static func insert(into table: String, columns: [String]) -> String {
        let names = columns.joined(separator: ", ")
        let parameters = columns.map { ":\($0)" }.joined(separator: ", ")
        return """
            INSERT INTO \(table) (\(names))
            VALUES (\(parameters))
            """
    }
}

extension SQL {
    /// The parts of a literal with values and other statements in it.
    public struct Interpolation: StringInterpolationProtocol {
        fileprivate var sql = SQL("")

        /// Creates an empty interpolation.
        public init(literalCapacity: Int, interpolationCount: Int) {
            sql.parts = []
            sql.parts.reserveCapacity(2 * interpolationCount + 1)
        }

        /// Appends text.
        public mutating func appendLiteral(_ literal: String) {
            guard !literal.isEmpty else { return }
            sql.parts.append(.text(literal))
        }

        /// Appends a statement or a part of one, with its values.
        public mutating func appendInterpolation(_ other: SQL) {
            sql += other
        }

        /// Appends a parameter with its value.
        ///
        /// - Parameters:
        ///   - value: The value.
        ///   - name: The name of the parameter for readers, which consists of letters, digits and underscores.
        public mutating func appendInterpolation(_ value: Value, as name: String) {
            sql.parts.append(.value(value, name: name))
        }

        /// Appends a parameter whose value the caller binds later.
        ///
        /// - Parameter name: The name of the parameter, without the colon.
        public mutating func appendInterpolation(parameter name: String) {
            sql.parts.append(.parameter(name))
        }

        /// Appends the name of a table or a column, or another text of the program.
        ///
        /// - Parameter text: The text, which never comes from outside.
        public mutating func appendInterpolation(raw text: String) {
            appendLiteral(text)
        }
    }
}

/// The names of the parameters of a statement.
private struct ParameterNames {
    /// The values of the parameters by their names.
    private(set) var values: [String: Value]
    /// The names of the parameters whose values the caller binds later.
    private var reserved: Set<String> = []
    /// The names of the interpolated values, by the name in the literal and by the value.
    private var names: [String: [Value: String]] = [:]
    /// The last number that was added to a name.
    private var numbers: [String: Int] = [:]

    init(values: [String: Value]) {
        self.values = values
    }

    /// Keeps a name for a parameter whose value the caller binds later.
    mutating func reserve(_ name: String) {
        reserved.insert(name)
    }

    /// Returns the name for a value: the given name, with a number if another value has it.
    ///
    /// The cost does not depend on the number of values with the name.
    mutating func name(of value: Value, like given: String) -> String {
        if let name = names[given]?[value] { return name }
        var name = given
        while reserved.contains(name) || values[name] != nil {
            let number = numbers[given, default: 1] + 1
            numbers[given] = number
            name = "\(given)_\(number)"
        }
        values[name] = value
        names[given, default: [:]][value] = name
        return name
    }
}

extension Sequence where Element == SQL {
    /// Returns the statements one after another.
    ///
    /// - Parameter separator: The text between two statements.
    /// - Returns: The joined statement, which is empty if the sequence is empty.
    package func joined(separator: String) -> SQL {
        var joined = SQL("")
        var isFirst = true
        for sql in self {
            if !isFirst {
                joined += SQL(separator)
            }
            joined += sql
            isFirst = false
        }
        return joined
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
