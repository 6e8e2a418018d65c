import CSQLite
import GRDB
import StoreEngine

/// An empty database whose only tables have the shape of the report views.
///
/// SQL that compiles there refers to no other table of the store, by any name or quoting.
enum ViewSchemaDatabase {
    /// An error of SQLite for SQL that does not compile.
    struct Failure: Error {
        var error: DatabaseError
        /// The line of the error in the SQL, from 1, or `nil` if SQLite does not report it.
        var line: Int?
        /// The reason if a call lacks its arguments, otherwise `nil`.
        var missingArguments: String?
    }

    /// The message of SQLite for a statement without a plan, which is a call without its arguments.
    static let noPlan = "no query solution"

    /// Compiles `sql` in such a database.
    ///
    /// - Parameters:
    ///   - sql: The text to compile.
    ///   - views: The views that the SQL can read.
    ///   - functions: The table functions that the SQL can call.
    /// - Throws: A ``Failure`` with SQLite's first error, such as an unknown name.
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
            let calls = FunctionTable()
            calls.register(functions, on: outline.sqliteConnection, trusted: { try $0() }, report: { _ in })
            do {
                _ = try outline.makeStatement(sql: sql)
            } catch let error as DatabaseError {
                let offset = Int(sqlite3_error_offset(outline.sqliteConnection))
                let line = offset < 0 ? nil : 1 + sql.utf8.prefix(offset).count { $0 == UInt8(ascii: "\n") }
                let missing = error.message == noPlan ? calls.missingArguments : nil
                throw Failure(error: error, line: line, missingArguments: missing)
            }
        }
    }
}
