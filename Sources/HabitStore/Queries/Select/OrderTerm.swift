import Base
import HabitModel
import StoreEngine

/// A term of an ORDER BY clause.
struct OrderTerm: Sendable {
    /// The type of a term's values.
    enum Kind: Sendable { case text, day, integer, instant, distance }

    /// The expression in the select list and in conditions.
    let value: SQL
    /// The name of the column in the select list with the same value, or `nil` if ORDER BY contains the expression.
    let column: String?
    let kind: Kind
    let isDescending: Bool
    /// Whether the value can be null.
    ///
    /// Rows with a null value are last.
    let isNullable: Bool

    /// Creates a term that sorts in ascending order.
    ///
    /// - Parameters:
    ///   - value: The expression.
    ///   - kind: The type of the values.
    ///   - column: The name of a column of the select list with the same value, or `nil`.
    ///   - isNullable: Whether the value can be null.
    init(_ value: SQL, _ kind: Kind = .text, column: String? = nil, isNullable: Bool = false) {
        self.init(value, kind: kind, column: column, isDescending: false, isNullable: isNullable)
    }

    /// Creates a term that sorts by a column of the select list in ascending order.
    ///
    /// - Parameters:
    ///   - name: The name of the column.
    ///   - kind: The type of the values.
    init(column name: String, _ kind: Kind = .text) {
        self.init("\(raw: name)", kind: kind, column: name, isDescending: false, isNullable: false)
    }

    private init(_ value: SQL, kind: Kind, column: String?, isDescending: Bool, isNullable: Bool) {
        self.value = value
        self.column = column
        self.kind = kind
        self.isDescending = isDescending
        self.isNullable = isNullable
    }

    /// Returns a term that sorts in descending order.
    ///
    /// - Parameters:
    ///   - value: The expression.
    ///   - kind: The type of the values.
    ///   - isNullable: Whether the value can be null.
    /// - Returns: The term.
    static func descending(_ value: SQL, _ kind: Kind = .text, isNullable: Bool = false) -> OrderTerm {
        OrderTerm(value, kind: kind, column: nil, isDescending: true, isNullable: isNullable)
    }

    /// Returns a term that sorts by a column of the select list in descending order.
    ///
    /// - Parameters:
    ///   - name: The name of the column.
    ///   - kind: The type of the values.
    ///   - isNullable: Whether the value can be null.
    /// - Returns: The term.
    static func descending(column name: String, _ kind: Kind = .text, isNullable: Bool = false) -> OrderTerm {
        OrderTerm("\(raw: name)", kind: kind, column: name, isDescending: true, isNullable: isNullable)
    }

    /// Returns the same order by a column that contains the value.
    func ordering(by name: String) -> OrderTerm {
        OrderTerm("\(raw: name)", kind: kind, column: name, isDescending: isDescending, isNullable: isNullable)
    }

    /// Whether a row can have `value` in this term.
    func accepts(_ value: Value) -> Bool {
        switch (kind, value) {
        case (_, .null): isNullable
        case (.text, .text(let text)): !text.unicodeScalars.contains("\0")
        case (.day, .text(let text)): Day(text) != nil
        case (.integer, .integer), (.instant, .integer): true
        case (.distance, .number(let meters)): meters.isFinite && meters >= 0
        default: false
        }
    }

    /// The term in an ORDER BY clause.
    fileprivate var sql: SQL {
        let ordered = column.map { SQL($0) } ?? value
        let direction = isDescending ? " DESC" : ""
        let nulls = isNullable ? " NULLS LAST" : ""
        return "\(ordered)\(raw: direction)\(raw: nulls)"
    }
}

extension [OrderTerm] {
    /// The ORDER BY clause, which is empty if the order is undefined.
    var clause: SQL {
        isEmpty ? "" : "ORDER BY \(map(\.sql).joined(separator: ", "))"
    }

    /// The names of the columns of ``keys``.
    private var keyNames: [String] { indices.map { "order_\($0)" } }

    /// The sort values as columns with the names `order_0`, `order_1` and so on.
    var keys: [SelectColumn] {
        zip(keyNames, self).map { name, term in SelectColumn(name, term.value) }
    }

    /// The same order in an outer query that reads the columns of ``keys``.
    var byKeys: [OrderTerm] {
        zip(keyNames, self).map { name, term in term.ordering(by: name) }
    }

    /// Returns the condition that a row follows `cursor` in this order.
    ///
    /// - Throws: `parameter-invalid` if the values of the cursor do not match the terms of this order.
    func condition(after cursor: Cursor) throws -> SQL {
        let areAccepted = zip(self, cursor.values).allSatisfy { term, value in term.accepts(value) }
        guard cursor.values.count == count, areAccepted else { throw Cursor.invalid }
        var condition: SQL = "FALSE"
        for (index, term) in enumerated().reversed() {
            condition = term.condition(after: cursor.values[index], at: index, orEqualAnd: condition)
        }
        // A bound on the first value lets the engine find the rows in an index.
        guard let first, !first.isNullable else { return condition }
        guard let value = cursor.values.first, value != .null else { return condition }
        let comparison = first.isDescending ? "<=" : ">="
        return "\(first.value) \(raw: comparison) \(value, as: "after_0") AND \(condition)"
    }
}

extension OrderTerm {
    /// Returns the condition that a row has a later value than a cursor, or the same value and meets a condition.
    ///
    /// - Parameters:
    ///   - value: The value of the cursor.
    ///   - index: The index of the term.
    ///   - later: The condition for rows with the same value.
    /// - Returns: The condition.
    fileprivate func condition(after value: Value, at index: Int, orEqualAnd later: SQL) -> SQL {
        guard value != .null else {
            // Only rows without the value follow a row without the value.
            return "(\(self.value) IS NULL AND \(later))"
        }
        let bound: SQL = "\(value, as: "after_\(index)")"
        let comparison = isDescending ? "<" : ">"
        let follows: SQL = "\(self.value) \(raw: comparison) \(bound)"
        let missing: SQL = isNullable ? " OR \(self.value) IS NULL" : ""
        let equal: SQL = "(\(self.value) = \(bound) AND \(later))"
        return "(\(follows)\(missing) OR \(equal))"
    }
}
