import CSQLite
import GRDB

/// An authorizer that restricts user-supplied SQL to the given views and to the tables that these views read.
///
/// SQLite passes the name of the view that reads a column to the authorizer, which rejects a column that no permitted
/// view reads. If a statement reads only the number of a table's rows, SQLite does not pass the view.
/// ``ViewSchemaDatabase`` has already rejected a statement that names a table or a view of the store.
/// <https://www.sqlite.org/c3ref/set_authorizer.html>
final class ViewAuthorizer {
    /// The permitted views, each of which is a temporary view of the connection.
    private let views: Set<String>
    /// The tables of the store, without SQLite's own tables and modules.
    private let tables: Set<String>
    /// The modules that SQL can read without a CREATE VIRTUAL TABLE.
    private let modules: Set<String>
    /// The table functions that the SQL can call.
    private let functions: Set<String>
    /// Whether the current statement is part of a table function and not of the user-supplied SQL.
    private var isTrusting = false
    /// The reason of the first rejection, as text for the user.
    private(set) var refusal: String?

    /// Creates an authorizer.
    ///
    /// - Parameters:
    ///   - views: The names of the permitted views. Each of them must be a temporary view of the connection, because the
    ///     file has views of the same names that contain the rows of all users.
    ///   - functions: The names of the permitted table functions.
    ///   - tables: The names of the tables of the store.
    ///   - modules: The names of all modules for virtual tables.
    init(views: [String], functions: [String], tables: [String], modules: [String]) {
        self.functions = Set(functions + ["json_each", "json_tree"])
        self.views = Set(views)
        self.tables = Set(tables.map { $0.lowercased() })
        self.modules = Set(modules.map { $0.lowercased() })
    }

    /// Applies the authorizer to every statement that the connection compiles during `body`.
    func whileInForce<Result>(on db: Database, _ body: () throws -> Result) rethrows -> Result {
        let connection = db.sqliteConnection
        sqlite3_set_authorizer(
            connection,
            { context, action, first, second, database, view in
                guard let context else { return SQLITE_DENY }
                let authorizer = Unmanaged<ViewAuthorizer>.fromOpaque(context).takeUnretainedValue()
                func text(_ pointer: UnsafePointer<CChar>?) -> String? { pointer.map { String(cString: $0) } }
                return authorizer.answer(action, text(first), text(second), database: text(database), view: text(view))
            },
            Unmanaged.passUnretained(self).toOpaque())
        defer { sqlite3_set_authorizer(connection, nil, nil) }
        return try withExtendedLifetime(self) { try body() }
    }

    /// Permits everything during `body`, for the queries of a table function.
    func withoutAuthorization(_ body: () throws -> Void) rethrows {
        let before = isTrusting
        isTrusting = true
        defer { isTrusting = before }
        try body()
    }

    private func answer(
        _ action: Int32, _ first: String?, _ second: String?, database: String?, view: String?
    ) -> Int32 {
        if isTrusting { return SQLITE_OK }
        switch action {
        case SQLITE_SELECT, SQLITE_RECURSIVE: return SQLITE_OK
        case SQLITE_READ:
            return readAnswer(
                table: (first ?? "").lowercased(), column: second ?? "", database: database?.lowercased(), view: view)
        case SQLITE_FUNCTION: return functionAnswer((second ?? "").lowercased())
        default: return refuse("only reading is allowed")
        }
    }

    private func functionAnswer(_ name: String) -> Int32 {
        if Self.allowed.contains(name) { return SQLITE_OK }
        let instead = SQLFunctions.calendar.joined(separator: ", ")
        let hint =
            Self.clocks.contains(name)
            ? " because its result can depend on the clock: use \(instead), or a parameter" : ""
        return refuse("the function '\(name)' cannot be used\(hint)")
    }

    /// Decides whether a statement may read a column of a table or view.
    ///
    /// - Parameters:
    ///   - table: The name of the table or view, in lower case.
    ///   - column: The name of the column, or an empty text if the statement reads only rows.
    ///   - database: The database of the table. If the statement reads only rows, it is the database that the statement
    ///     names, or `nil`.
    ///   - view: The name of the view that reads the column, or `nil`.
    /// - Returns: `SQLITE_OK` or `SQLITE_DENY`.
    private func readAnswer(table: String, column: String, database: String?, view: String?) -> Int32 {
        if table.hasPrefix("sqlite_") || modules.contains(table), !functions.contains(table) {
            return refuse("'\(table)' cannot be read")
        }
        // The file has views of the same names. A name without a database is the temporary view.
        if views.contains(table) {
            let isTemporary = database == "temp" || (column.isEmpty && database == nil)
            return isTemporary ? SQLITE_OK : refuse("'\(table)' cannot be read")
        }
        if let view = view?.lowercased(), views.contains(view), tables.contains(table) { return SQLITE_OK }
        // The statement reads only rows and no column, from a table that a view reads or from a name in a WITH clause.
        return column.isEmpty || functions.contains(table) ? SQLITE_OK : refuse("'\(table)' cannot be read")
    }

    private func refuse(_ reason: String) -> Int32 {
        if refusal == nil { refusal = reason }
        return SQLITE_DENY
    }

    /// A statement that makes SQLite register its own table functions.
    ///
    /// For this, SQLite compiles statements of its own on the connection.
    static let preparation = "SELECT 1 FROM json_each('[]'), json_tree('[]')"

    /// The functions that compute a value from their arguments, without a file or a clock.
    ///
    /// SQLite's date functions are not among them, because they accept 'now'.
    private static let allowed: Set<String> = Set(
        """
        abs avg ceil ceiling char coalesce concat concat_ws count cume_dist dense_rank distance exp first_value floor format
        geodesic_distance group_concat hex ifnull iif in_area instr json json_array json_array_length json_extract
        json_group_array json_group_object json_object json_type json_valid lag last_value lead length ln log
        log10 log2 lower ltrim max min mod nth_value ntile nullif percent_rank pi point_latitude point_longitude pow power
        printf quote rank replace rfc3339 round row_number rtrim sign sqrt substr substring sum total trim trunc typeof
        unicode upper like glob -> ->>
        """.split { $0 == " " || $0 == "\n" }.map(String.init) + SQLFunctions.calendar
            + SQLFunctions.statistics)

    /// SQLite's date functions, which can read a clock.
    private static let clocks: Set<String> = ["date", "time", "datetime", "julianday", "strftime", "unixepoch"]
}
