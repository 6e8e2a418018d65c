import CSQLite
import GRDB

/// A cache of idle compiled statements for one connection, keyed by SQL text.
///
/// Compiling a statement takes about as long as a small query. The class is `@unchecked Sendable` because all access is
/// on the serial queue of the connection.
final class StatementCache: @unchecked Sendable {
    private var idle: [String: GRDB.Statement] = [:]
    /// The maximum number of idle statements.
    ///
    /// A full cache is emptied, because the number of different texts is unbounded.
    private static let limit = 64

    /// Removes and returns the idle statement for `sql`, or returns `nil` if it is not cached.
    func take(_ sql: String) -> GRDB.Statement? { idle.removeValue(forKey: sql) }

    /// Resets `statement`, clears its bindings and adds it to the cache.
    func give(_ statement: GRDB.Statement, for sql: String) {
        sqlite3_reset(statement.sqliteStatement)
        sqlite3_clear_bindings(statement.sqliteStatement)
        if idle.count >= Self.limit { idle.removeAll() }
        idle[sql] = statement
    }
}
