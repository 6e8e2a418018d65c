/// A view that SQL from outside may read.
public struct AnalysisView: Sendable {
    public var name: String
    /// What each column is, in SQL without parameters.
    public var columns: [(name: String, sql: String)]
    /// Behind FROM.
    public var source: String
    /// A join behind `source` that takes away no row and adds none, of use to the columns that name its alias alone.
    public var join: (alias: String, sql: String)?
    /// Behind those: conditions.
    public var conditions: String

    /// The SELECT that the view is, with those of its columns that `isNamed` says are looked at.
    func select(_ isNamed: (String) -> Bool = { _ in true }) -> String {
        let named = columns.filter { isNamed($0.name) }
        let list = named.map { "\($0.sql) AS \"\($0.name)\"" }
        var text = "SELECT \(list.joined(separator: ", "))\nFROM \(source)"
        if let join, named.contains(where: { $0.sql.contains("\(join.alias).") }) { text += "\n" + join.sql }
        return text + conditions
    }
}
