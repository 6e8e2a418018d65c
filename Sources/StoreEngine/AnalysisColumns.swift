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
    package init(in sql: String, views: [AnalysisView], functions: [TableFunction]) {
        let words = Set(SQLTokenizer(sql).tokens.compactMap(\.name))
        names =
            views.filter { words.contains($0.name) }.flatMap { $0.columns.map(\.name) }
            + functions.filter { words.contains($0.name) }.flatMap { $0.columns.map(\.name) }
    }

    /// Returns the end of an error text that suggests the most similar column.
    ///
    /// - Parameter column: The unknown column, which may follow the name of a table and a dot.
    /// - Returns: The suggestion, such as `: did you mean 'title'?`, or an empty text if no column is similar.
    package func suggestion(for column: some StringProtocol) -> String {
        let word = column.split(separator: ".").last.map { $0.lowercased() } ?? ""
        return names.nearestSpelling(to: word).map { ": did you mean '\($0)'?" } ?? ""
    }
}
