import HabitStore
import StoreEngine

/// The result columns and the order of a SELECT, as far as its text shows them.
struct SQLOutline {
    let tokens: [SQLToken]

    /// The terms of the last outermost ORDER BY and its line, or `nil` if the statement has no ORDER BY.
    var order: (terms: [ArraySlice<SQLToken>], line: Int)? {
        let start = tokens.indices.dropLast().last {
            tokens[$0].depth == 0 && tokens[$0].isWord("ORDER") && tokens[$0 + 1].isWord("BY")
        }
        guard let start else { return nil }
        let ends = ["LIMIT", "OFFSET", "FETCH", "UNION", "EXCEPT", "INTERSECT"]
        let end = tokens[(start + 2)...].firstIndex { token in
            token.depth == 0 && (token.isSymbol(";") || ends.contains { token.isWord($0) })
        }
        return (Self.list(tokens[(start + 2)..<(end ?? tokens.endIndex)]), tokens[start].line)
    }

    /// Whether the rows are sorted by the column at `index`.
    ///
    /// A term matches the column's name, its number (from 1), or the expression that the column's alias stands for.
    func orders(by column: String, at index: Int) -> Bool {
        let selected = selectList
        return (order?.terms ?? []).contains { term in
            let term = Self.withoutDirection(term)
            if let name = Self.name(term), name == column { return true }
            if term.count == 1, term.first?.kind == .number { return term.first?.text == String(index + 1) }
            return selected.contains { $0.alias == column && Self.areAlike($0.expression, term) }
        }
    }

    /// The columns with an alias in the outermost SELECT, or in the first SELECT of a UNION, which names the result.
    private var selectList: [(alias: String, expression: ArraySlice<SQLToken>)] {
        guard let select = tokens.firstIndex(where: { $0.depth == 0 && $0.isWord("SELECT") }) else { return [] }
        let rest = tokens[(select + 1)...]
        let from = rest.indices.first { index in
            tokens[index].depth == 0 && tokens[index].isWord("FROM") && !tokens[index - 1].isWord("DISTINCT")
        }
        return Self.list(rest[..<(from ?? rest.endIndex)]).compactMap { item in
            var item = item
            if let first = item.first, first.isWord("DISTINCT") || first.isWord("ALL") { item = item.dropFirst() }
            guard item.count > 1, let alias = item.last?.name else { return nil }
            let expression = item.dropLast()
            return (alias, expression.last?.isWord("AS") == true ? expression.dropLast() : expression)
        }
    }

    // MARK: Lists and terms

    /// Splits tokens at the commas outside parentheses.
    private static func list(_ tokens: ArraySlice<SQLToken>) -> [ArraySlice<SQLToken>] {
        tokens.split(omittingEmptySubsequences: true) { $0.depth == 0 && $0.isSymbol(",") }
    }

    private static func withoutDirection(_ term: ArraySlice<SQLToken>) -> ArraySlice<SQLToken> {
        var term = term
        if term.dropLast().last?.isWord("NULLS") == true { term = term.dropLast(2) }
        if let last = term.last, last.isWord("ASC") || last.isWord("DESC") { term = term.dropLast() }
        if term.dropLast().last?.isWord("COLLATE") == true { term = term.dropLast(2) }
        return term
    }

    /// Returns the column of a plain or qualified name, or `nil` if the term is another expression.
    private static func name(_ term: ArraySlice<SQLToken>) -> String? {
        let isPath = term.enumerated().allSatisfy { $0 % 2 == 0 ? $1.name != nil : $1.isSymbol(".") }
        return isPath && term.count % 2 == 1 ? term.last?.name : nil
    }

    private static func areAlike(_ a: ArraySlice<SQLToken>, _ b: ArraySlice<SQLToken>) -> Bool {
        a.elementsEqual(b) { one, other in
            if let name = one.name { name == other.name } else { one.kind == other.kind && one.text == other.text }
        }
    }
}
