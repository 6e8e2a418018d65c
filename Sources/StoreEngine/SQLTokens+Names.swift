extension SQLToken {
    /// Returns whether the tokens read columns that they do not name: `*`, or the columns of a NATURAL join.
    ///
    /// A `*` can also be a product or the argument of `count`.
    package static func readsAllColumns(_ tokens: [SQLToken]) -> Bool {
        var previous: SQLToken?
        for token in tokens {
            if token.isWord("NATURAL") {
                return true
            }
            if token.isSymbol("*"), let previous, previous.canPrecedeAllColumns {
                return true
            }
            previous = token
        }
        return false
    }

    /// Whether a `*` after the token can stand for all columns.
    private var canPrecedeAllColumns: Bool {
        let isKeyword = isWord("SELECT") || isWord("DISTINCT") || isWord("ALL")
        return isKeyword || isSymbol(",") || isSymbol(".")
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
        var names: Set<String> = []
        var hasConditions = false
        for token in tokenizer.tokens {
            if token.name != nil || token.kind == .string {
                names.insert(token.text.lowercased())
            }
            if token.kind == .word, Self.conditions.contains(token.text.uppercased()) {
                hasConditions = true
            }
        }
        self.names = names
        readsAllColumns = SQLToken.readsAllColumns(tokenizer.tokens)
        isAnything = !tokenizer.problems.isEmpty
        self.hasConditions = isAnything || hasConditions
    }

    /// Returns whether the SQL can read the view with this name.
    package func contains(view: String) -> Bool {
        isAnything || names.contains(view)
    }

    /// Returns whether the SQL can read the column with this name.
    package func contains(column: String) -> Bool {
        isAnything || readsAllColumns || names.contains(column)
    }
}
