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
        (bytes, tokens) = (tokenizer.bytes, tokenizer.tokens)
        self.parameterPrefix = parameterPrefix
        var index = 0
        var end = 0
        while index < tokens.count {
            let token = tokens[index]
            write(between: end, and: token.range.lowerBound)
            if token.kind == .word, let function = functions[token.text.lowercased()], let close = close(after: index) {
                write(function, arguments: index + 2..<close, next: close + 1)
                index = close
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
        let isPlain = slots.allSatisfy { if case .parameter = $0 { true } else { false } }
        let isSorted = tokens.contains { $0.isWord("ORDER") }
        guard isPlain, !slots.isEmpty, !isSorted else { return nil }
        // A call of a table function has slots that are not parameters, so this SELECT calls none.
        let one = PostGISTranslation(
            String(decoding: bytes, as: UTF8.self), functions: [:], parameterPrefix: "list.value_")
        let numbers = 1...slots.count
        return """
            SELECT found.*, list.number
            FROM unnest(\(numbers.map { "$\($0)" }.joined(separator: ", "))) WITH ORDINALITY
              AS list(\(numbers.map { "value_\($0)" }.joined(separator: ", ")), number)
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
        case .parameter: sql += "\(parameterPrefix)\(number(of: String(token.text.dropFirst())))"
        // The comparison is by code point, because a quote with a combining mark is a different `Character`.
        case .quotedName:
            sql +=
                "\""
                + String(String.UnicodeScalarView(token.text.unicodeScalars.flatMap { $0 == "\"" ? [$0, $0] : [$0] }))
                + "\""
        case .word where token.isWord("USER"): sql += "\"user\""
        default: sql += String(decoding: bytes[token.range], as: UTF8.self)
        }
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
        guard tokens[index].kind == .parameter, index + 2 < tokens.count, tokens[index + 1].isWord("IS") else {
            return nil
        }
        let isNegated = tokens[index + 2].isWord("NOT")
        let last = isNegated ? index + 3 : index + 2
        guard last < tokens.count, tokens[last].isWord("NULL") else { return nil }
        slots.append(.isNull(self.index(of: String(tokens[index].text.dropFirst()))))
        let parameter = "\(parameterPrefix)\(slots.count)"
        sql += isNegated ? "(NOT \(parameter))" : parameter
        return last
    }

    // MARK: Table functions

    /// Returns the index of the parenthesis that ends the arguments after `index`, or `nil` if there are no arguments.
    private func close(after index: Int) -> Int? {
        guard index + 1 < tokens.count, tokens[index + 1].isSymbol("(") else { return nil }
        return tokens[(index + 2)...].firstIndex { $0.isSymbol(")") && $0.depth == tokens[index + 1].depth }
    }

    private mutating func write(_ function: TableFunction, arguments range: Range<Int>, next: Int) {
        let columns = columnsNamed(of: function)
        let call = calls.count
        calls.append(Call(name: function.name, arguments: arguments(range), columns: columns))
        for token in tokens[range] where token.kind == .parameter { _ = index(of: String(token.text.dropFirst())) }
        let arrays = columns.map { column -> String in
            slots.append(.column(call: call, column))
            return "\(parameterPrefix)\(slots.count)"
        }
        let names = columns.map { column in
            let name = "\"\(function.columns[column].name)\""
            return function.columns[column].kind == .text ? "rows.\(name) COLLATE \"C\" AS \(name)" : "rows.\(name)"
        }
        let columnNames = columns.map { "\"\(function.columns[$0].name)\"" }
        sql += """
            (SELECT \(names.joined(separator: ", ")) FROM unnest(\(arrays.joined(separator: ", "))) \
            AS rows(\(columnNames.joined(separator: ", "))))
            """
        if !isAlias(next) { sql += " AS \(function.name) " }
    }

    /// Returns the columns whose names the SQL contains.
    ///
    /// Other columns are not computed.
    private func columnsNamed(of function: TableFunction) -> [Int] {
        let names = Set(tokens.compactMap(\.name))
        let named = function.columns.indices.filter { names.contains(function.columns[$0].name) }
        if SQLToken.readsAllColumns(tokens) { return Array(function.columns.indices) }
        return named.isEmpty ? [0] : named
    }

    private func arguments(_ range: Range<Int>) -> [String] {
        guard !range.isEmpty else { return [] }
        let depth = tokens[range.lowerBound - 1].depth + 1
        let commas = range.filter { tokens[$0].isSymbol(",") && tokens[$0].depth == depth }
        return zip([range.lowerBound] + commas.map { $0 + 1 }, commas + [range.upperBound]).map { start, end in
            guard start < end else { return "NULL" }
            return String(
                decoding: bytes[tokens[start].range.lowerBound..<tokens[end - 1].range.upperBound], as: UTF8.self)
        }
    }

    /// Whether the token at `index` is an alias of the table before it.
    private func isAlias(_ index: Int) -> Bool {
        guard index < tokens.count, let name = tokens[index].name else { return false }
        return tokens[index].kind == .quotedName || !Self.notAliases.contains(name)
    }

    private static let notAliases: Set<String> = [
        "where", "join", "on", "order", "group", "cross", "left", "inner", "limit", "union", "using", "having", "right",
        "full", "natural", "offset", "except", "intersect", "window", "fetch", "for",
    ]
}
