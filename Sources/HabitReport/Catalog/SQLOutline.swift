import HabitStore
import StoreEngine

/// The result columns and the order of a SELECT, as far as its text shows them.
struct SQLOutline {
    let tokens: [SQLToken]

    /// The terms of the last outermost ORDER BY and its line, or `nil` if the statement has no ORDER BY.
    var order: (terms: [ArraySlice<SQLToken>], line: Int)? {
        guard let start = orderStart else { return nil }
        let rest = tokens[(start + 2)...]
        let end = rest.firstIndex(where: Self.endsOrder) ?? rest.endIndex
        let terms = Self.list(rest[..<end])
        return (terms, tokens[start].line)
    }

    /// The index of the last outermost ORDER BY.
    private var orderStart: Int? {
        tokens.indices.dropLast().last { index in
            let token = tokens[index]
            guard token.depth == 0, token.isWord("ORDER") else { return false }
            return tokens[index + 1].isWord("BY")
        }
    }

    /// Whether an outermost ORDER BY ends before a token.
    private static func endsOrder(_ token: SQLToken) -> Bool {
        guard token.depth == 0 else { return false }
        if token.isSymbol(";") { return true }
        let words = ["LIMIT", "OFFSET", "FETCH", "UNION", "EXCEPT", "INTERSECT"]
        return words.contains { token.isWord($0) }
    }

    /// Whether the rows are sorted by the column at `index`.
    ///
    /// A term matches the column's name, its number (from 1), or the expression that the column's alias stands for.
    func orders(by column: String, at index: Int) -> Bool {
        let selected = selectList
        let terms = order?.terms ?? []
        return terms.contains { term in
            let term = Self.withoutDirection(term)
            if Self.name(term) == column { return true }
            if term.count == 1, let only = term.first, only.kind == .number {
                return only.text == String(index + 1)
            }
            return selected.contains { item in
                item.alias == column && Self.areAlike(item.expression, term)
            }
        }
    }

    /// A column with an alias in a SELECT.
    private struct SelectedColumn {
        let alias: String
        let expression: ArraySlice<SQLToken>
    }

    /// The columns with an alias in the outermost SELECT, or in the first SELECT of a UNION, which names the result.
    private var selectList: [SelectedColumn] {
        let select = tokens.firstIndex { token in
            token.depth == 0 && token.isWord("SELECT")
        }
        guard let select else { return [] }
        let rest = tokens[(select + 1)...]
        let end = rest.indices.first(where: isOutermostFrom) ?? rest.endIndex
        return Self.list(rest[..<end]).compactMap(Self.selectedColumn)
    }

    /// Whether the token at an index is the FROM of an outermost SELECT, and not of `IS DISTINCT FROM`.
    private func isOutermostFrom(_ index: Int) -> Bool {
        let token = tokens[index]
        guard token.depth == 0, token.isWord("FROM") else { return false }
        return !tokens[index - 1].isWord("DISTINCT")
    }

    /// Returns the column of an item of a select list, or `nil` if the item has no alias.
    private static func selectedColumn(_ item: ArraySlice<SQLToken>) -> SelectedColumn? {
        var item = item
        if let first = item.first, first.isWord("DISTINCT") || first.isWord("ALL") {
            item = item.dropFirst()
        }
        guard item.count > 1, let alias = item.last?.name else { return nil }
        var expression = item.dropLast()
        if let last = expression.last, last.isWord("AS") {
            expression = expression.dropLast()
        }
        return SelectedColumn(alias: alias, expression: expression)
    }

    // MARK: Lists and terms

    /// Splits tokens at the commas outside parentheses.
    private static func list(_ tokens: ArraySlice<SQLToken>) -> [ArraySlice<SQLToken>] {
        tokens.split(omittingEmptySubsequences: true) { token in
            token.depth == 0 && token.isSymbol(",")
        }
    }

    private static func withoutDirection(_ term: ArraySlice<SQLToken>) -> ArraySlice<SQLToken> {
        var term = term
        if isWord("NULLS", beforeLastOf: term) {
            term = term.dropLast(2)
        }
        if let last = term.last, last.isWord("ASC") || last.isWord("DESC") {
            term = term.dropLast()
        }
        if isWord("COLLATE", beforeLastOf: term) {
            term = term.dropLast(2)
        }
        return term
    }

    /// Whether the last token but one is a word.
    private static func isWord(_ word: String, beforeLastOf term: ArraySlice<SQLToken>) -> Bool {
        guard let token = term.dropLast().last else { return false }
        return token.isWord(word)
    }

    /// Returns the column of a plain or qualified name, or `nil` if the term is another expression.
    private static func name(_ term: ArraySlice<SQLToken>) -> String? {
        let alternates = term.enumerated().allSatisfy { offset, token in
            offset % 2 == 0 ? token.name != nil : token.isSymbol(".")
        }
        guard alternates, term.count % 2 == 1 else { return nil }
        return term.last?.name
    }

    private static func areAlike(_ a: ArraySlice<SQLToken>, _ b: ArraySlice<SQLToken>) -> Bool {
        a.elementsEqual(b) { one, other in
            if let name = one.name { return name == other.name }
            return one.kind == other.kind && one.text == other.text
        }
    }
}
