import StoreEngine

/// The tokens of SQL of a user, an operator or a report, and the constructs that its check distinguishes.
struct AnalysisTokens {
    /// The tokens, without semicolons at the end.
    let all: [SQLToken]

    /// Creates the tokens of a text.
    init(_ tokenizer: SQLTokenizer) {
        var tokens = tokenizer.tokens
        while let last = tokens.last, last.isSymbol(";") {
            tokens.removeLast()
        }
        all = tokens
    }

    /// Returns the token at an index, or `nil` beyond the first or the last token.
    func token(at index: Int) -> SQLToken? {
        all.indices.contains(index) ? all[index] : nil
    }

    private func isWord(_ word: String, at index: Int) -> Bool {
        token(at: index)?.isWord(word) ?? false
    }

    private func isSymbol(_ symbol: String, at index: Int) -> Bool {
        token(at: index)?.isSymbol(symbol) ?? false
    }

    /// Returns the index of the parenthesis that closes the one at an index, or `nil` if it is not found.
    private func close(of index: Int) -> Int? {
        guard isSymbol("(", at: index) else { return nil }
        let depth = all[index].depth
        let rest = all[index...]
        return rest.firstIndex { token in
            token.depth == depth && token.isSymbol(")")
        }
    }

    // MARK: Names

    /// Returns whether the dot at an index is between two names, as in `view.column`.
    ///
    /// After anything else, a dot would call a function: `(a).f` is `f(a)`.
    func isQualifyingDot(at index: Int) -> Bool {
        guard token(at: index - 1)?.name != nil else { return false }
        return !isSymbol(".", at: index - 2)
    }

    /// Returns whether the parenthesis after the name at an index begins a clause or column names, not arguments.
    ///
    /// An example is `AS name(columns)`.
    func isClause(at index: Int) -> Bool {
        if isWord("AS", at: index - 1) { return true }
        let token = all[index]
        guard token.kind == .word else { return false }
        let word = token.text.lowercased()
        return AnalysisWords.clauses.contains(word)
    }

    // MARK: Types

    /// Returns whether the name at an index is in the position of a type: before a text, after `::`, or at the end of
    /// a CAST.
    func isType(at index: Int) -> Bool {
        let next = token(at: index + 1)
        if let next, Self.isAfterType(next) { return true }
        if isSymbol("::", at: index - 1) { return true }
        return isWord("AS", at: index - 1) && isSymbol(")", at: index + 1)
    }

    private static func isAfterType(_ token: SQLToken) -> Bool {
        if token.kind == .string || token.isSymbol("(") { return true }
        return token.isWord("WITH") || token.isWord("WITHOUT")
    }

    /// Returns the type after the token at an index if that is `::` or CAST, otherwise `nil`.
    ///
    /// If the type is missing, the result is the token itself.
    func typeName(after index: Int) -> SQLToken? {
        let token = all[index]
        if token.isSymbol("::") {
            return self.token(at: index + 1) ?? token
        }
        let open = index + 1
        guard token.isWord("CAST"), let close = close(of: open) else { return nil }
        let depth = all[open].depth + 1
        let arguments = (open + 1)..<close
        let keyword = arguments.last { index in
            let argument = all[index]
            return argument.depth == depth && argument.isWord("AS")
        }
        guard let keyword else { return token }
        return all[keyword + 1]
    }

    // MARK: Common table expressions

    /// The indices of the names of common table expressions: after WITH, and after the comma that follows one.
    ///
    /// In other positions, the same tokens call a function and name its rows.
    var queryNames: Set<Int> {
        var names: Set<Int> = []
        for index in all.indices where all[index].isWord("WITH") {
            let isRecursive = isWord("RECURSIVE", at: index + 1)
            var name = isRecursive ? index + 2 : index + 1
            while let end = endOfQuery(namedAt: name) {
                names.insert(name)
                guard isSymbol(",", at: end + 1) else { break }
                name = end + 2
            }
        }
        return names
    }

    /// The names of the common table expressions of the whole statement.
    var outerQueries: Set<String> {
        let outer = queryNames.filter { index in all[index].depth == 0 }
        return Set(outer.compactMap { index in all[index].name })
    }

    /// Returns the index of the parenthesis that ends `name AS (…)` or `name (columns) AS (…)`, otherwise `nil`.
    private func endOfQuery(namedAt index: Int) -> Int? {
        guard token(at: index)?.name != nil else { return nil }
        var next = index + 1
        if let columns = close(of: next) { next = columns + 1 }
        guard isWord("AS", at: next) else { return nil }
        next += 1
        if isWord("NOT", at: next) { next += 1 }
        if isWord("MATERIALIZED", at: next) { next += 1 }
        return close(of: next)
    }
}
