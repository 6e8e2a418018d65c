import GRDB

/// An empty database that has nothing but tables in the shape of the report views.
///
/// SQL that compiles there names nothing else: no table of the store, by whatever name or quoting.
enum AnalysisOutline {
    /// Throws what SQLite says of the first name that it does not know.
    static func check(
        _ sql: String, reading views: [String], calling functions: [TableFunction], of db: Database
    ) throws {
        var configuration = Configuration()
        configuration.prepareDatabase { try SpatiaLiteConnection.prepare($0, wait: .zero) }
        let outline = try DatabaseQueue(configuration: configuration)
        let columns = try views.map { view in
            try db.makeStatement(sql: "SELECT * FROM temp.\(view)").columnNames.map { "\"\($0)\"" }
        }
        try outline.inDatabase { outline in
            for (view, columns) in zip(views, columns) {
                try outline.execute(sql: "CREATE TEMP TABLE \(view) (\(columns.joined(separator: ", ")))")
            }
            for function in functions {
                TableFunctionModule.register(
                    function, on: outline.sqliteConnection, trusted: { try $0() }, report: { _ in })
            }
            _ = try outline.makeStatement(sql: sql)
        }
    }
}
