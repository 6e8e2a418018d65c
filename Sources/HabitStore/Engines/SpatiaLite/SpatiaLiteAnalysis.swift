import CSpatiaLite
import GRDB
import HabitModel

/// What stands between SQL from outside and the store: what it may read, how long it may take, and what went wrong.
final class SpatiaLiteAnalysis {
    let authorizer: ViewAuthorizer
    let watch: QueryWatch
    /// What a table function threw.
    var failure: (any Error)?
    private let views: [String]
    private let functions: [TableFunction]

    init(reading views: [String], calling functions: [TableFunction], limits: QueryLimits, of db: Database) throws {
        let tables = try String.fetchAll(
            db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
        let modules = try String.fetchAll(db, sql: "SELECT name FROM pragma_module_list")
        authorizer = ViewAuthorizer(views: views, functions: functions.map(\.name), tables: tables, modules: modules)
        watch = QueryWatch(limits)
        self.views = views
        self.functions = functions
    }

    /// Throws `report-invalid` where the SQL is not one SELECT over the views.
    func compile(_ sql: String, of db: Database) throws -> GRDB.Statement {
        do {
            try db.execute(sql: ViewAuthorizer.preparation)
            for function in functions {
                let arguments = function.parameters.map { _ in "NULL" }.joined(separator: ", ")
                _ = try db.makeStatement(sql: "SELECT 1 FROM \(function.name)(\(arguments))")
            }
            try AnalysisOutline.check(sql, reading: views, calling: functions, of: db)
            let statement = try authorizer.whileInForce(on: db) { try db.makeStatement(sql: sql) }
            guard statement.isReadonly, statement.columnCount > 0 else {
                throw HabitError(
                    .reportInvalid, "only a SELECT can be run: nothing in the store may be changed this way")
            }
            return statement
        } catch let error as DatabaseError {
            // What GRDB says of more than one statement is for programmers.
            let isOne = error.message?.hasPrefix("Multiple statements") != true
            let message = isOne ? error.message : "it is more than one statement"
            let reason = authorizer.refusal ?? message ?? "the engine refused it"
            throw HabitError(
                .reportInvalid, "the SQL cannot be run: \(reason) (it can read \(views.joined(separator: ", ")))")
        }
    }

    /// The error of a step in the terms of whoever wrote the SQL.
    func explain(_ error: DatabaseError) -> any Error {
        if watch.isExpired { return watch.error }
        if let failure = failure as? HabitError { return failure }
        guard [.SQLITE_ERROR, .SQLITE_TOOBIG].contains(error.resultCode) else { return error }
        return HabitError(.reportInvalid, "the SQL cannot be run: \(error.message ?? "the engine refused it")")
    }
}
