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
        self.tables = Set(tables.map { name in name.lowercased() })
        self.modules = Set(modules.map { name in name.lowercased() })
    }

    /// Applies the authorizer to every statement that the connection compiles during `body`.
    func whileInForce<Result>(on db: Database, _ body: () throws -> Result) rethrows -> Result {
        let connection = db.sqliteConnection
        sqlite3_set_authorizer(
            connection,
            { context, action, first, second, database, view in
                guard let context else { return SQLITE_DENY }
                let authorizer = Unmanaged<ViewAuthorizer>.fromOpaque(context).takeUnretainedValue()
                func text(_ pointer: UnsafePointer<CChar>?) -> String? {
                    guard let pointer else { return nil }
                    return String(cString: pointer)
                }
                return authorizer.answer(
                    action,
                    first: text(first),
                    second: text(second),
                    database: text(database),
                    view: text(view))
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

    /// Decides whether a statement may perform an action, whose code determines the meaning of the first two texts.
    private func answer(
        _ action: Int32,
        first: String?,
        second: String?,
        database: String?,
        view: String?
    ) -> Int32 {
        if isTrusting { return SQLITE_OK }
        let second = second ?? ""
        switch action {
        case SQLITE_SELECT, SQLITE_RECURSIVE:
            return SQLITE_OK
        case SQLITE_READ:
            return readAnswer(
                table: first?.lowercased() ?? "",
                column: second,
                database: database?.lowercased(),
                view: view?.lowercased())
        case SQLITE_FUNCTION:
            return functionAnswer(second.lowercased())
        default:
            return refuse("only reading is allowed")
        }
    }

    private func functionAnswer(_ name: String) -> Int32 {
        guard !Self.allowed.contains(name) else { return SQLITE_OK }
        var reason = "the function '\(name)' cannot be used"
        if Self.clocks.contains(name) {
            let calendar = SQLFunctions.calendar.joined(separator: ", ")
            reason += " because its result can depend on the clock: use \(calendar), or a parameter"
        }
        return refuse(reason)
    }

    /// Decides whether a statement may read a column of a table or view.
    ///
    /// - Parameters:
    ///   - table: The name of the table or view, in lower case.
    ///   - column: The name of the column, or an empty text if the statement reads only rows.
    ///   - database: The database of the table. If the statement reads only rows, it is the database that the statement
    ///     names, or `nil`.
    ///   - view: The name of the view that reads the column, in lower case, or `nil`.
    /// - Returns: `SQLITE_OK` or `SQLITE_DENY`.
    private func readAnswer(
        table: String,
        column: String,
        database: String?,
        view: String?
    ) -> Int32 {
        let mayRead = mayRead(table, column: column, database: database, view: view)
        return mayRead ? SQLITE_OK : refuse("'\(table)' cannot be read")
    }

    private func mayRead(
        _ table: String,
        column: String,
        database: String?,
        view: String?
    ) -> Bool {
        let isFunction = functions.contains(table)
        let isOfSQLite = table.hasPrefix("sqlite_") || modules.contains(table)
        if isOfSQLite, !isFunction { return false }
        let readsOnlyRows = column.isEmpty
        // The file has views of the same names. A name without a database is the temporary view.
        if views.contains(table) {
            return database == "temp" || (readsOnlyRows && database == nil)
        }
        if let view, views.contains(view), tables.contains(table) { return true }
        // A statement reads rows without columns from a table of a view, or from a name in a WITH clause.
        return readsOnlyRows || isFunction
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
    private static let allowed = words.union(SQLFunctions.calendar).union(SQLFunctions.statistics)

    private static let words: Set<String> = {
        let text = """
            abs avg ceil ceiling char coalesce concat concat_ws count cume_dist dense_rank distance exp first_value floor format
            geodesic_distance group_concat hex ifnull iif in_area instr json json_array json_array_length json_extract
            json_group_array json_group_object json_object json_type json_valid lag last_value lead length ln log
            log10 log2 lower ltrim max min mod nth_value ntile nullif percent_rank pi point_latitude point_longitude pow power
            printf quote rank replace rfc3339 round row_number rtrim sign sqrt substr substring sum total trim trunc typeof
            unicode upper like glob -> ->>
            """
        let words = text.split { character in character == " " || character == "\n" }
        return Set(words.map(String.init))
    }()

    /// SQLite's date functions, which can read a clock.
    private static let clocks: Set<String> = ["date", "time", "datetime", "julianday", "strftime", "unixepoch"]
}
