extension SQLToken {
    /// Returns whether the tokens read columns that they do not name: `*`, or the columns of a NATURAL join.
    ///
    /// A `*` can also be a product or the argument of `count`.
    package static func readsAllColumns(_ tokens: [SQLToken]) -> Bool {
        tokens.indices.contains { index in
            if tokens[index].isWord("NATURAL") { return true }
            guard tokens[index].isSymbol("*"), index > 0 else { return false }
            let before = tokens[index - 1]
            return before.isWord("SELECT") || before.isWord("DISTINCT") || before.isWord("ALL") || before.isSymbol(",")
                || before.isSymbol(".")
        }
    }
}

/// The names in the SQL of an author, which determine the views and columns that a statement can read.
package struct SQLNames {
    private let names: Set<String>
    private let readsAllColumns: Bool
    /// Whether the SQL might read any column of any view.
    package let isAnything: Bool
    /// Whether the SQL has a condition that selects or joins rows.
    ///
    /// Without one, an engine evaluates the conditions of a view before any expression of the SQL. HAVING counts as a
    /// condition on rows, because an engine can apply it before it groups the rows.
    package let hasConditions: Bool

    private static let conditions: Set<String> = ["WHERE", "ON", "USING", "NATURAL", "HAVING"]

    /// Finds the names in `sql`.
    ///
    /// Texts count as names, because SQLite accepts them in the place of some names.
    package init(_ sql: String) {
        let tokenizer = SQLTokenizer(sql)
        names = Set(tokenizer.tokens.compactMap { $0.name ?? ($0.kind == .string ? $0.text.lowercased() : nil) })
        readsAllColumns = SQLToken.readsAllColumns(tokenizer.tokens)
        isAnything = !tokenizer.problems.isEmpty
        hasConditions =
            isAnything
            || tokenizer.tokens.contains { $0.kind == .word && Self.conditions.contains($0.text.uppercased()) }
    }

    /// Returns whether the SQL can read the view with this name.
    package func contains(view: String) -> Bool { isAnything || names.contains(view) }

    /// Returns whether the SQL can read the column with this name.
    package func contains(column: String) -> Bool { isAnything || readsAllColumns || names.contains(column) }
}
