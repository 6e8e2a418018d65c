import Base

/// The columns that SQL over the report views can read, for a suggestion after a misspelled column.
package struct AnalysisColumns {
    private let names: [String]

    /// Collects the columns of the views and functions that `sql` names.
    ///
    /// - Parameters:
    ///   - sql: The SQL of the author.
    ///   - views: All report views.
    ///   - functions: All table functions.
    package init(
        in sql: String,
        views: [AnalysisView],
        functions: [TableFunction]
    ) {
        let tokens = SQLTokenizer(sql).tokens
        let words = Set(tokens.compactMap(\.name))
        var names: [String] = []
        for view in views where words.contains(view.name) {
            names += view.columns.map(\.name)
        }
        for function in functions where words.contains(function.name) {
            names += function.columns.map(\.name)
        }
        self.names = names
    }

    /// Returns the end of an error text that suggests the most similar column.
    ///
    /// - Parameter column: The unknown column, which may follow the name of a table and a dot.
    /// - Returns: The suggestion, such as `: did you mean 'title'?`, or an empty text if no column is similar.
    package func suggestion(for column: some StringProtocol) -> String {
        let parts = column.split(separator: ".")
        let word = parts.last?.lowercased() ?? ""
        guard let name = names.nearestSpelling(to: word) else {
            return ""
        }
        return ": did you mean '\(name)'?"
    }
}
