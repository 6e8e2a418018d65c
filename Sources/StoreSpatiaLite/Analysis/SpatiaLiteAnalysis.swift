import Base
import CSQLite
import GRDB
import StoreEngine

/// The restrictions of user-supplied SQL on a connection: readable views, time limit and errors.
final class SpatiaLiteAnalysis {
    /// The authorizer that restricts the statement to the views.
    let authorizer: ViewAuthorizer
    /// The deadline that enforces the time limit.
    let watch: QueryDeadline
    /// The last error that a table function threw.
    var failure: (any Error)?
    private let views: [AnalysisView]
    private let functions: [TableFunction]

    /// Creates the restrictions of a statement.
    ///
    /// - Parameters:
    ///   - views: All views that SQL can read.
    ///   - defined: The names of the views that the connection has as temporary views.
    ///   - functions: The table functions that SQL can call.
    ///   - limits: The limits on the execution.
    ///   - db: The connection.
    /// - Throws: An error of SQLite.
    init(
        reading views: [AnalysisView], defined: [String], calling functions: [TableFunction], limits: QueryLimits,
        of db: Database
    ) throws {
        let tables = try String.fetchAll(
            db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
        let modules = try String.fetchAll(db, sql: "SELECT name FROM pragma_module_list")
        authorizer = ViewAuthorizer(
            views: defined, functions: functions.map(\.name), tables: tables, modules: modules)
        watch = QueryDeadline(limits)
        self.views = views
        self.functions = functions
    }

    /// Compiles SQL that must be one SELECT over the views.
    ///
    /// - Parameters:
    ///   - sql: The text of the SELECT.
    ///   - db: The connection, which already has the views as temporary views.
    /// - Returns: The compiled statement.
    /// - Throws: `report-invalid` if the SQL is anything else.
    func compile(_ sql: String, of db: Database) throws -> GRDB.Statement {
        do {
            try db.execute(sql: ViewAuthorizer.preparation)
            for function in functions {
                let arguments = function.parameters.map { _ in "NULL" }.joined(separator: ", ")
                _ = try db.makeStatement(sql: "SELECT 1 FROM \(function.name)(\(arguments))")
            }
            try ViewSchemaDatabase.check(sql, reading: views, calling: functions)
            let statement = try authorizer.whileInForce(on: db) { try db.makeStatement(sql: sql) }
            guard statement.isReadonly, statement.columnCount > 0 else {
                throw HabitError(
                    .reportInvalid, "the SQL is not a SELECT: write one SELECT, which cannot change the store")
            }
            return statement
        } catch let failure as ViewSchemaDatabase.Failure {
            if let reason = failure.missingArguments {
                throw HabitError(.reportInvalid, "the SQL cannot be run: \(reason)", line: failure.line)
            }
            throw refusal(failure.error, line: failure.line, of: sql)
        } catch let error as DatabaseError {
            throw error.resultCode == .SQLITE_NOMEM ? Self.outOfMemory : refusal(error, line: nil, of: sql)
        }
    }

    private static let outOfMemory = HabitError(
        .reportInvalid,
        "the SQL needs more than \(SpatiaLiteConnection.analysisMemory >> 20) MiB of memory: aggregate fewer rows or shorter texts"
    )

    private func refusal(_ error: DatabaseError, line: Int?, of sql: String) -> HabitError {
        // GRDB's messages for several statements and for an empty text do not help the author of the SQL.
        let message =
            switch error.message {
            case .some(let text) where text.hasPrefix("Multiple statements"): "it contains more than one statement"
            case .some(let text) where text.hasPrefix("empty statement"): "it contains no statement"
            case let text: text ?? "SQLite rejected it"
            }
        let reason = authorizer.refusal ?? message
        return HabitError(.reportInvalid, "the SQL cannot be run: \(reason)\(hint(reason, sql))", line: line)
    }

    /// Returns a suggestion for an unknown table, function or column, or the list of readable views.
    private func hint(_ reason: String, _ sql: String) -> String {
        if let match = reason.prefixMatch(of: #/no such column: "?([^" ]+)/#) {
            return AnalysisColumns(in: sql, views: views, functions: functions).suggestion(for: match.output.1)
        }
        let unknown = "no such table: "
        if reason.hasPrefix(unknown),
            let nearest = (views.map(\.name) + functions.map(\.name)).nearestSpelling(
                to: String(reason.dropFirst(unknown.count)))
        {
            return ": did you mean '\(nearest)'?"
        }
        guard reason.contains("table") || reason.contains("read") || reason.contains("modify") else { return "" }
        return " (a SELECT can read \(views.map(\.name).joined(separator: ", ")))"
    }

    /// Converts the error of a step into an error for the author of the SQL.
    func explain(_ error: DatabaseError) -> any Error {
        if watch.isExpired { return watch.error }
        if error.resultCode == .SQLITE_NOMEM || (failure as? DatabaseError)?.resultCode == .SQLITE_NOMEM {
            return Self.outOfMemory
        }
        if let failure = failure as? HabitError { return failure }
        if error.resultCode == .SQLITE_TOOBIG {
            return HabitError(
                .reportInvalid,
                "the SQL creates a value that is larger than SQLite's limit: aggregate fewer rows"
            )
        }
        guard error.resultCode == .SQLITE_ERROR else { return error }
        return HabitError(.reportInvalid, "the SQL cannot be run: \(error.message ?? "SQLite rejected it")")
    }
}
