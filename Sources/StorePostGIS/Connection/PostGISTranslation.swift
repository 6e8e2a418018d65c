import Base
import StoreEngine

/// A translation of SQL into the syntax of PostgreSQL.
///
/// Parameters are numbered. A registered table function becomes arrays that contain its rows. Names are quoted in the
/// syntax of the server. This includes `user`, which is otherwise the keyword for the current role.
struct PostGISTranslation {
    /// The source of the value of a numbered parameter.
    enum Slot {
        /// The parameter with this index in ``parameters``.
        case parameter(Int)
        /// A Boolean that is true if the parameter with this index is null.
        case isNull(Int)
        /// A column of the rows of a table function.
        case column(call: Int, Int)

        /// Whether the slot is the value of a parameter.
        fileprivate var isParameter: Bool {
            switch self {
            case .parameter: true
            case .isNull, .column: false
            }
        }
    }

    /// A call of a table function.
    struct Call {
        var name: String
        /// The SQL of the arguments.
        var arguments: [String]
        /// The indices of the function's columns that the SQL names.
        var columns: [Int]
    }

    private(set) var sql = ""
    private(set) var parameters: [String] = []
    private(set) var slots: [Slot] = []
    private(set) var calls: [Call] = []

    private var numbers: [String: Int] = [:]
    private let bytes: [UInt8]
    private let tokens: [SQLToken]
    /// The text before the number of a parameter.
    private let parameterPrefix: String

    /// Translates a statement.
    ///
    /// - Parameters:
    ///   - text: The SQL of the statement.
    ///   - functions: The registered table functions by name. The translation does not keep them, because they may hold
    ///     references to the session that keeps the translation.
    ///   - parameterPrefix: The text before the number of a parameter.
    init(_ text: String, functions: [String: TableFunction], parameterPrefix: String = "$") {
        let tokenizer = SQLTokenizer(text)
        bytes = tokenizer.bytes
        tokens = tokenizer.tokens
        self.parameterPrefix = parameterPrefix
        var index = 0
        var end = 0
        while index < tokens.count {
            let token = tokens[index]
            write(between: end, and: token.range.lowerBound)
            if let last = functionCall(at: index, of: functions) {
                index = last
            } else if let last = nullTest(at: index) {
                index = last
            } else {
                write(token)
            }
            end = tokens[index].range.upperBound
            index += 1
        }
    }

    /// A SELECT that runs this SELECT for several lists of values.
    ///
    /// Each parameter is an array that contains one value for each list. The last column of a row is the number of its
    /// list, from 1. The rows are sorted by this number.
    ///
    /// `nil` if a parameter is not the value of a parameter of this SELECT, or if this SELECT contains ORDER BY.
    var forLists: String? {
        let isPlain = slots.allSatisfy(\.isParameter)
        let isSorted = tokens.contains { token in token.isWord("ORDER") }
        guard isPlain, !slots.isEmpty, !isSorted else { return nil }
        // A call of a table function has slots that are not parameters, so this SELECT calls none.
        let one = PostGISTranslation(
            String(decoding: bytes, as: UTF8.self),
            functions: [:],
            parameterPrefix: "list.value_")
        let numbers = 1...slots.count
        let arrays = numbers.map { number in "$\(number)" }
        let columns = numbers.map { number in "value_\(number)" }
        return """
            SELECT found.*, list.number
            FROM unnest(\(arrays.joined(separator: ", "))) WITH ORDINALITY
              AS list(\(columns.joined(separator: ", ")), number)
            CROSS JOIN LATERAL (
            \(one.sql)
            ) AS found
            ORDER BY list.number
            """
    }

    /// Writes the white space between two tokens.
    ///
    /// Comments are omitted. PostgreSQL permits nested comments and SQLite does not, so the end of a comment could
    /// differ between the engines.
    private mutating func write(between start: Int, and end: Int) {
        guard start < end else { return }
        let gap = bytes[start..<end]
        sql += gap.contains(UInt8(ascii: "\n")) ? "\n" : " "
    }

    private mutating func write(_ token: SQLToken) {
        switch token.kind {
        case .parameter:
            let number = number(of: Self.parameterName(token))
            sql += "\(parameterPrefix)\(number)"
        case .quotedName:
            sql += Self.quoted(token.text)
        case .word where token.isWord("USER"):
            sql += "\"user\""
        default:
            sql += String(decoding: bytes[token.range], as: UTF8.self)
        }
    }

    /// Returns a name in quotation marks, with those in the name doubled.
    ///
    /// The comparison is by code point, because a quotation mark with a combining mark is a different `Character`.
    private static func quoted(_ name: String) -> String {
        var quoted: String.UnicodeScalarView = "\"".unicodeScalars
        for scalar in name.unicodeScalars {
            if scalar == "\"" { quoted.append(scalar) }
            quoted.append(scalar)
        }
        quoted.append("\"")
        return String(quoted)
    }

    /// Returns the name of a parameter without the colon before it.
    private static func parameterName(_ token: SQLToken) -> String {
        String(token.text.dropFirst())
    }

    private mutating func number(of name: String) -> Int {
        if let number = numbers[name] { return number }
        slots.append(.parameter(index(of: name)))
        numbers[name] = slots.count
        return slots.count
    }

    private mutating func index(of name: String) -> Int {
        if let index = parameters.firstIndex(of: name) { return index }
        parameters.append(name)
        return parameters.count - 1
    }

    /// Writes `:name IS NULL` or `:name IS NOT NULL` as a Boolean parameter.
    ///
    /// In such a test, the server cannot determine the type of the parameter `:name`.
    ///
    /// - Returns: The index of the last token of the test, or `nil` if the tokens are not such a test.
    private mutating func nullTest(at index: Int) -> Int? {
        let token = tokens[index]
        guard token.kind == .parameter, index + 2 < tokens.count else { return nil }
        guard tokens[index + 1].isWord("IS") else { return nil }
        let isNegated = tokens[index + 2].isWord("NOT")
        let last = isNegated ? index + 3 : index + 2
        guard last < tokens.count, tokens[last].isWord("NULL") else { return nil }
        let parameter = self.index(of: Self.parameterName(token))
        slots.append(.isNull(parameter))
        let test = "\(parameterPrefix)\(slots.count)"
        sql += isNegated ? "(NOT \(test))" : test
        return last
    }

    // MARK: Table functions

    /// Writes a call of a table function as a SELECT from arrays.
    ///
    /// - Parameters:
    ///   - index: The index of a token.
    ///   - functions: The registered table functions by name.
    /// - Returns: The index of the last token of the call, or `nil` if the token does not begin a call.
    private mutating func functionCall(at index: Int, of functions: [String: TableFunction]) -> Int? {
        let token = tokens[index]
        guard token.kind == .word else { return nil }
        guard let function = functions[token.text.lowercased()] else { return nil }
        guard let close = close(after: index) else { return nil }
        write(function, arguments: index + 2..<close)
        if !isAlias(close + 1) {
            sql += " AS \(function.name) "
        }
        return close
    }

    /// Returns the index of the parenthesis that ends the arguments after `index`, or `nil` if there are no arguments.
    private func close(after index: Int) -> Int? {
        let open = index + 1
        guard open < tokens.count, tokens[open].isSymbol("(") else { return nil }
        let depth = tokens[open].depth
        let rest = tokens[(open + 1)...]
        return rest.firstIndex { token in
            token.depth == depth && token.isSymbol(")")
        }
    }

    private mutating func write(_ function: TableFunction, arguments range: Range<Int>) {
        let indices = columnsNamed(of: function)
        let call = calls.count
        calls.append(Call(name: function.name, arguments: arguments(range), columns: indices))
        for token in tokens[range] where token.kind == .parameter {
            _ = index(of: Self.parameterName(token))
        }
        var arrays: [String] = []
        var outputs: [String] = []
        var names: [String] = []
        for index in indices {
            slots.append(.column(call: call, index))
            arrays.append("\(parameterPrefix)\(slots.count)")
            let column = function.columns[index]
            let name = "\"\(column.name)\""
            names.append(name)
            let isText = column.kind == .text
            outputs.append(isText ? "rows.\(name) COLLATE \"C\" AS \(name)" : "rows.\(name)")
        }
        sql += """
            (SELECT \(outputs.joined(separator: ", ")) FROM unnest(\(arrays.joined(separator: ", "))) \
            AS rows(\(names.joined(separator: ", "))))
            """
    }

    /// Returns the columns whose names the SQL contains.
    ///
    /// Other columns are not computed.
    private func columnsNamed(of function: TableFunction) -> [Int] {
        let columns = function.columns
        if SQLToken.readsAllColumns(tokens) { return Array(columns.indices) }
        let names = Set(tokens.compactMap(\.name))
        let named = columns.indices.filter { index in
            names.contains(columns[index].name)
        }
        return named.isEmpty ? [0] : named
    }

    /// Returns the SQL of each argument in a range of tokens.
    private func arguments(_ range: Range<Int>) -> [String] {
        guard !range.isEmpty else { return [] }
        let open = tokens[range.lowerBound - 1]
        var arguments: [String] = []
        var start = range.lowerBound
        for index in range {
            let token = tokens[index]
            guard token.depth == open.depth + 1, token.isSymbol(",") else { continue }
            arguments.append(argument(start..<index))
            start = index + 1
        }
        arguments.append(argument(start..<range.upperBound))
        return arguments
    }

    private func argument(_ range: Range<Int>) -> String {
        guard let first = tokens[range].first, let last = tokens[range].last else { return "NULL" }
        let text = bytes[first.range.lowerBound..<last.range.upperBound]
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns whether the token at `index` is an alias of the table before it.
    private func isAlias(_ index: Int) -> Bool {
        guard index < tokens.count, let name = tokens[index].name else { return false }
        let isQuoted = tokens[index].kind == .quotedName
        return isQuoted || !Self.notAliases.contains(name)
    }

    private static let notAliases: Set<String> = [
        "where", "join", "on", "order", "group", "cross", "left", "inner", "limit", "union", "using", "having", "right",
        "full", "natural", "offset", "except", "intersect", "window", "fetch", "for",
    ]
}
