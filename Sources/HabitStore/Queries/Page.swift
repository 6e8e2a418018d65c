import Base
import Foundation
import HabitModel
import StoreEngine

/// A page of a long result: at most `limit` rows that follow the last row of the previous page.
public struct Page: Sendable, Equatable {
    /// The maximum number of rows.
    public var limit: Int
    /// The position of the last row of the previous page, or `nil` for the first page.
    public var after: Cursor?

    /// Creates a page of at most `limit` rows that follow the position `after`.
    public init(limit: Int, after: Cursor? = nil) {
        self.limit = limit
        self.after = after
    }
}

/// The end of a page, with the position of the following rows.
public struct PageEnd: Sendable, Equatable {
    /// The number of rows on the page.
    public var count = 0
    /// The cursor of the last row, or `nil` if the page is the last one.
    public var next: Cursor?
}

extension Selection {
    /// Reads the rows of a page.
    ///
    /// - Parameters:
    ///   - page: The page that this query reads.
    ///   - session: A session of the store.
    ///   - body: Receives each row of the page, but not the row after it.
    /// - Returns: The number of rows and the cursor of the next page.
    /// - Throws: An error of the engine or of `body`.
    public func read(_ page: Page, in session: any Session, _ body: (any Row) throws -> Void) throws -> PageEnd {
        var end = PageEnd()
        var last: Cursor?
        try session.query(sql) { row in
            guard end.count < page.limit else {
                end.next = last
                return false
            }
            end.count += 1
            try body(row)
            if end.count == page.limit { last = Cursor(of: row, in: self) }
            return true
        }
        return end
    }

    /// Returns the cursor of the last row of a page, or `nil` if the page is the last one.
    ///
    /// - Parameters:
    ///   - page: The page that this query reads.
    ///   - session: A session of the store.
    /// - Returns: The cursor, or `nil` if the page is the last one.
    /// - Throws: An error of the engine.
    public func end(of page: Page, in session: any Session) throws -> Cursor? {
        var sql = sql
        sql.text = "SELECT *\nFROM (\n\(sql.text)\n) AS page\nLIMIT 2 OFFSET \(page.limit - 1)"
        var last: Cursor?
        var count = 0
        try session.query(sql) { row in
            count += 1
            if count == 1 { last = Cursor(of: row, in: self) }
            return true
        }
        return count > 1 ? last : nil
    }
}

/// The position of a row in a sorted result, used for keyset pagination.
///
/// A cursor contains the row's values in the sort columns. The last sort column is unique, so a cursor identifies one
/// row.
public struct Cursor: Sendable, Equatable, CustomStringConvertible {
    let values: [Value]

    /// Creates the cursor of `row`, which must be a row of `selection`.
    public init(of row: some Row, in selection: Selection) { values = selection.cursor.map(row.value) }

    /// The value of the first sort column if it is a date, otherwise `nil`.
    var day: Day? {
        guard case .text(let text)? = values.first else { return nil }
        return Day(text)
    }

    /// Parses the text form of a cursor.
    ///
    /// - Parameter text: A value of ``description``.
    /// - Throws: `parameter-invalid` if `text` is not a cursor.
    public init(_ text: String) throws {
        guard let data = Data(base64URLEncoded: text) else { throw Self.invalid }
        // The bytes are split before they become text, because a text may begin with a combining character.
        values = try data.split(separator: Self.separator, omittingEmptySubsequences: false).map(Self.value)
    }

    /// The text form of the cursor, encoded as base64url.
    ///
    /// It is safe in a URL.
    public var description: String {
        Data(values.map { Array(Self.word($0).utf8) }.joined(separator: [Self.separator])).base64URLEncoded
    }

    /// The byte between two values.
    private static let separator: UInt8 = 0x1F
    static let invalid = HabitError(
        .parameterInvalid, "the cursor does not belong to this list: use the next link of the list", field: "after")

    private static func word(_ value: Value) -> String {
        switch value {
        case .integer(let number): "i\(number)"
        case .number(let number): "n\(number)"
        case .text(let text): "t\(text)"
        case .null, .blob, .point: "0"
        }
    }

    private static func value(_ word: Data) throws -> Value {
        guard let rest = String(validating: word.dropFirst(), as: UTF8.self) else { throw invalid }
        switch word.first {
        case UInt8(ascii: "0") where rest.isEmpty: return .null
        case UInt8(ascii: "t"): return .text(rest)
        case UInt8(ascii: "i"): if let number = Int64(rest) { return .integer(number) }
        case UInt8(ascii: "n"): if let number = Double(rest), number.isFinite { return .number(number) }
        default: break
        }
        throw invalid
    }
}

/// A term of an ORDER BY clause.
struct OrderTerm: ExpressibleByStringLiteral, Sendable {
    /// The expression in the ORDER BY clause.
    private let name: String
    /// The expression in the select list and in conditions.
    let value: String
    let isDescending: Bool
    /// Whether the value can be null.
    ///
    /// Rows with a null value are last.
    let isNullable: Bool
    let kind: Kind

    /// The type of a term's values.
    enum Kind: Sendable { case text, day, instant, distance }

    init(
        _ name: String, value: String? = nil, _ kind: Kind = .text, isDescending: Bool = false, isNullable: Bool = false
    ) {
        self.name = name
        self.value = value ?? name
        self.kind = kind
        self.isDescending = isDescending
        self.isNullable = isNullable
    }

    init(stringLiteral name: String) { self.init(name) }

    static func descending(_ name: String, _ kind: Kind = .text, isNullable: Bool = false) -> OrderTerm {
        OrderTerm(name, kind, isDescending: true, isNullable: isNullable)
    }

    /// Whether a row can have `value` in this term.
    func accepts(_ value: Value) -> Bool {
        switch (kind, value) {
        case (_, .null): isNullable
        case (.text, .text(let text)): !text.unicodeScalars.contains("\0")
        case (.day, .text(let text)): Day(text) != nil
        case (.instant, .integer): true
        case (.distance, .number(let meters)): meters.isFinite && meters >= 0
        default: false
        }
    }

    var sql: String { name + (isDescending ? " DESC" : "") + (isNullable ? " NULLS LAST" : "") }
}

extension [OrderTerm] {
    /// The sort values as columns with the names `order_0`, `order_1` and so on.
    var keys: [String] { enumerated().map { "\($1.value) AS order_\($0)" } }

    /// The same order in an outer query that reads the columns of ``keys``.
    var keySQL: String {
        enumerated().map { index, term in
            OrderTerm("order_\(index)", isDescending: term.isDescending, isNullable: term.isNullable).sql
        }.joined(separator: ", ")
    }

    /// Returns the condition that a row follows `cursor` in this order.
    ///
    /// - Throws: `parameter-invalid` if the values of the cursor do not match the terms of this order.
    func condition(_ cursor: Cursor) throws -> SQL {
        guard cursor.values.count == count, zip(self, cursor.values).allSatisfy({ $0.accepts($1) }) else {
            throw Cursor.invalid
        }
        var bindings: [String: Value] = [:]
        var condition = "FALSE"
        for (index, term) in enumerated().reversed() {
            let value = cursor.values[index]
            let name = ":after_\(index)"
            if value == .null {
                // Only rows without the value follow a row without the value.
                condition = "(\(term.value) IS NULL AND \(condition))"
                continue
            }
            bindings["after_\(index)"] = value
            let isBehind = "\(term.value) \(term.isDescending ? "<" : ">") \(name)"
            let isEqual = "(\(term.value) = \(name) AND \(condition))"
            let isMissing = term.isNullable ? " OR \(term.value) IS NULL" : ""
            condition = "(\(isBehind)\(isMissing) OR \(isEqual))"
        }
        // A bound on the first value lets the engine find the rows in an index.
        if let first = self.first, !first.isNullable, bindings["after_0"] != nil {
            condition = "\(first.value) \(first.isDescending ? "<=" : ">=") :after_0 AND \(condition)"
        }
        return SQL(condition, bindings)
    }
}
