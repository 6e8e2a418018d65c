import Foundation
import HabitModel
import StoreEngine

/// Part of a long result: at most `limit` rows, behind the one with which the part before it ended.
public struct Page: Sendable, Equatable {
    public var limit: Int
    public var after: Cursor?

    public init(limit: Int, after: Cursor? = nil) {
        self.limit = limit
        self.after = after
    }
}

/// A row's place in the order of a result: the values that it is sorted by, the last of which no other row has.
public struct Cursor: Sendable, Equatable, CustomStringConvertible {
    let values: [Value]

    /// The place of `row`, which is one of `selection`'s.
    public init(of row: some Row, in selection: Selection) { values = selection.cursor.map(row.value) }

    /// The day that the order begins with, where it begins with one.
    var day: Day? {
        guard case .text(let text)? = values.first else { return nil }
        return Day(text)
    }

    /// Reads what ``description`` gave; throws `parameter-invalid` for anything else.
    public init(_ text: String) throws {
        guard let data = Data(base64URLEncoded: text), let words = String(data: data, encoding: .utf8) else {
            throw Self.invalid
        }
        values = try words.split(separator: Self.separator, omittingEmptySubsequences: false).map(Self.value)
    }

    /// As one word that may stand in an address.
    public var description: String {
        Data(values.map(Self.word).joined(separator: Self.separator).utf8).base64URLEncoded
    }

    private static let separator = "\u{1F}"
    static let invalid = HabitError(
        .parameterInvalid, "this is not a page of this list: follow the list's own next link", field: "after")

    private static func word(_ value: Value) -> String {
        switch value {
        case .integer(let number): "i\(number)"
        case .number(let number): "n\(number)"
        case .text(let text): "t\(text)"
        case .null, .blob, .point: "0"
        }
    }

    private static func value(_ word: Substring) throws -> Value {
        let rest = word.dropFirst()
        switch word.first {
        case "0" where rest.isEmpty: return .null
        case "t": return .text(String(rest))
        case "i": if let number = Int64(rest) { return .integer(number) }
        case "n": if let number = Double(rest), number.isFinite { return .number(number) }
        default: break
        }
        throw invalid
    }
}

/// One of the values that rows are sorted by.
struct OrderTerm: ExpressibleByStringLiteral, Sendable {
    /// As it stands behind ORDER BY, and as it stands anywhere else.
    private let name: String
    let value: String
    let isDescending: Bool
    /// Whether there are rows without it, which come last.
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

    /// Whether a row can have this value.
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
    /// The values as columns of their own.
    var keys: [String] { enumerated().map { "\($1.value) AS order_\($0)" } }

    /// The same order among rows that have those columns.
    var keySQL: String {
        enumerated().map { index, term in
            OrderTerm("order_\(index)", isDescending: term.isDescending, isNullable: term.isNullable).sql
        }.joined(separator: ", ")
    }

    /// Whether a row comes behind `cursor` in this order.
    ///
    /// Throws `parameter-invalid` for a cursor that is not of this order: the values are compared with the columns.
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
                // Behind a row without it are only others without it.
                condition = "(\(term.value) IS NULL AND \(condition))"
                continue
            }
            bindings["after_\(index)"] = value
            let isBehind = "\(term.value) \(term.isDescending ? "<" : ">") \(name)"
            let isEqual = "(\(term.value) = \(name) AND \(condition))"
            let isMissing = term.isNullable ? " OR \(term.value) IS NULL" : ""
            condition = "(\(isBehind)\(isMissing) OR \(isEqual))"
        }
        // Where the first value alone rules a row out, an index finds the others.
        if let first = self.first, !first.isNullable, bindings["after_0"] != nil {
            condition = "\(first.value) \(first.isDescending ? "<=" : ">=") :after_0 AND \(condition)"
        }
        return SQL(condition, bindings)
    }
}
