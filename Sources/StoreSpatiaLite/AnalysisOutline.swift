import CSQLite
import GRDB
import StoreEngine

/// An empty database that has nothing but tables in the shape of the report views.
///
/// SQL that compiles there names nothing else: no table of the store, by whatever name or quoting.
enum AnalysisOutline {
    /// What SQLite says of SQL that does not compile.
    struct Failure: Error {
        var error: DatabaseError
        /// The line of the SQL, from 1, where SQLite knows it.
        var line: Int?
    }

    /// Throws what SQLite says of the first name that it does not know, as a ``Failure``.
    static func check(
        _ sql: String, reading views: [AnalysisView], calling functions: [TableFunction]
    ) throws {
        var configuration = Configuration()
        configuration.prepareDatabase { try SpatiaLiteConnection.prepare($0, withSpatiaLite: false, wait: .zero) }
        let outline = try DatabaseQueue(configuration: configuration)
        try outline.inDatabase { outline in
            for view in views {
                let columns = view.columns.map { "\"\($0.name)\"" }
                try outline.execute(sql: "CREATE TEMP TABLE \(view.name) (\(columns.joined(separator: ", ")))")
            }
            FunctionTable().offer(
                functions, on: outline.sqliteConnection, trusted: { try $0() }, report: { _ in })
            do {
                _ = try outline.makeStatement(sql: sql)
            } catch let error as DatabaseError {
                let offset = Int(sqlite3_error_offset(outline.sqliteConnection))
                let line = offset < 0 ? nil : 1 + sql.utf8.prefix(offset).count { $0 == UInt8(ascii: "\n") }
                throw Failure(error: error, line: line)
            }
        }
    }
}
