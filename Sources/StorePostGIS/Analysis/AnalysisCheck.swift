import Base
import StoreEngine

/// The check that SQL of users reads only the report views.
///
/// The check examines each token: the SQL must not name a schema, and it may call only functions that compute a value
/// from their arguments.
struct AnalysisCheck {
    private let tokens: AnalysisTokens
    private let tableFunctions: Set<String>
    private let queryNames: Set<Int>

    /// Creates the check of SQL that may call table functions with the given names.
    init(_ tokens: AnalysisTokens, tableFunctions: Set<String>) {
        self.tokens = tokens
        self.tableFunctions = tableFunctions
        queryNames = tokens.queryNames
    }

    /// Checks the SQL.
    ///
    /// - Throws: `report-invalid` for the first token that is not permitted.
    func run() throws {
        try checkStatement()
        for (index, token) in tokens.all.enumerated() {
            try checkSyntax(of: token, at: index)
            guard let name = token.name else { continue }
            try checkName(name, of: token, at: index)
            try checkCall(of: name, at: index)
        }
    }

    /// Returns the error for SQL that the check refuses.
    static func refusal(_ reason: String, line: Int?) -> HabitError {
        HabitError(.reportInvalid, "the SQL cannot be run: \(reason)", line: line)
    }

    private func refusal(_ reason: String, of token: SQLToken) -> HabitError {
        Self.refusal(reason, line: token.line)
    }

    private func checkStatement() throws {
        guard let first = tokens.all.first else {
            throw Self.refusal("it contains no statement", line: nil)
        }
        let isQuery = ["SELECT", "WITH", "VALUES"].contains { word in first.isWord(word) }
        guard isQuery || first.isSymbol("(") else {
            throw refusal("it is not a SELECT, and the store cannot be changed this way", of: first)
        }
    }

    // MARK: Syntax

    private func checkSyntax(of token: SQLToken, at index: Int) throws {
        switch token.kind {
        case .parameter:
            guard Self.isNamedParameter(token) else {
                throw refusal("write a parameter as ':name'", of: token)
            }
        case .word:
            try checkWord(token, next: tokens.token(at: index + 1))
        case .quotedName:
            guard !token.text.unicodeScalars.contains("\"") else {
                throw refusal("a name cannot contain quotation marks", of: token)
            }
        default:
            break
        }
        if token.isSymbol(";") {
            throw refusal("it contains more than one statement", of: token)
        }
        if token.isSymbol("."), !tokens.isQualifyingDot(at: index) {
            throw refusal("a dot is allowed only between two names", of: token)
        }
        guard let type = tokens.typeName(after: index) else { return }
        let isPermitted = AnalysisWords.types.contains(type.name ?? "")
        guard isPermitted else {
            throw refusal("the type '\(type.text)' cannot be used", of: token)
        }
    }

    private static func isNamedParameter(_ token: SQLToken) -> Bool {
        token.text.hasPrefix(":") && token.text.count > 1
    }

    private func checkWord(_ token: SQLToken, next: SQLToken?) throws {
        if let next, Self.isQuotation(next) {
            let isPrefix = next.range.lowerBound == token.range.upperBound
            guard !isPrefix else {
                throw refusal("the prefix '\(token.text)' before a quotation mark is not supported", of: token)
            }
        }
        let isASCII = token.text.utf8.allSatisfy { byte in byte < 0x80 }
        guard isASCII else {
            throw refusal("write '\(token.text)' in double quotes", of: token)
        }
    }

    private static func isQuotation(_ token: SQLToken) -> Bool {
        token.kind == .string || token.text.hasPrefix("$")
    }

    // MARK: Names

    private func checkName(_ name: String, of token: SQLToken, at index: Int) throws {
        let next = tokens.token(at: index + 1)
        if isHidden(name, of: token, next: next) {
            throw refusal("'\(name)' cannot be read", of: token)
        }
        if token.kind == .word, isForbidden(name, at: index) {
            throw refusal("'\(name)' cannot be used", of: token)
        }
        let isEscape = next?.isSymbol("&") ?? false
        if token.isWord("U"), isEscape {
            throw refusal("the prefix U& of names and texts is not supported", of: token)
        }
        if AnalysisWords.moments.contains(name), tokens.isType(at: index) {
            throw refusal(
                "the type '\(name)' cannot be used because its values can depend on the clock: use days, which are texts",
                of: token)
        }
    }

    /// Returns whether a name is one of the catalog, or the name of a schema.
    private func isHidden(_ name: String, of token: SQLToken, next: SQLToken?) -> Bool {
        if name.utf8.starts(with: "pg_".utf8) { return true }
        guard AnalysisWords.schemas.contains(name) else { return false }
        let isQualifier = next?.isSymbol(".") ?? false
        return token.kind == .word || isQualifier
    }

    /// Returns whether an unquoted word has a meaning that is not permitted.
    ///
    /// The types regclass, regtype and others reveal whether a name is in the catalog.
    private func isForbidden(_ name: String, at index: Int) -> Bool {
        if AnalysisWords.forbidden.contains(name) { return true }
        return name.hasPrefix("reg") && tokens.isType(at: index)
    }

    // MARK: Calls

    private func checkCall(of name: String, at index: Int) throws {
        guard let next = tokens.token(at: index + 1), next.isSymbol("(") else { return }
        guard !queryNames.contains(index), !tokens.isClause(at: index) else { return }
        let isPermitted = AnalysisWords.functions.contains(name) || tableFunctions.contains(name)
        guard !isPermitted else { return }
        var reason = "the function '\(name)' cannot be used"
        if AnalysisWords.clocks.contains(name) {
            reason += " because its result can depend on the clock: use \(AnalysisWords.calendar), or a parameter"
        }
        throw refusal(reason, of: tokens.all[index])
    }
}
