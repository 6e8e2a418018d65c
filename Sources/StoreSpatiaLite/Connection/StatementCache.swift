import CSQLite
import GRDB

/// A cache of idle compiled statements for one connection, keyed by SQL text.
///
/// Compiling a statement takes about as long as a small query. The class is `@unchecked Sendable` because all access is
/// on the serial queue of the connection.
final class StatementCache: @unchecked Sendable {
    private var idle: [String: GRDB.Statement] = [:]
    /// The number of statements that the sessions of the connection have compiled.
    private(set) var compilations = 0
    /// The maximum number of idle statements.
    ///
    /// A full cache is emptied, because the number of different texts is unbounded. The changes of one record need up to
    /// 100 statements.
    private static let limit = 256
    /// The maximum length of a text in bytes.
    ///
    /// A longer text contains many values and does not recur.
    private static let textLimit = 4096
    /// The keywords with which a cached text begins.
    private static let keywords = ["SELECT", "INSERT", "UPDATE", "DELETE"]

    /// Whether statements with the text `sql` are kept.
    static func keeps(_ sql: String) -> Bool {
        sql.utf8.count <= textLimit && keywords.contains { keyword in sql.hasPrefix(keyword) }
    }

    /// Removes and returns the idle statement for `sql`, or compiles a new one.
    ///
    /// - Parameters:
    ///   - sql: The text of the statement.
    ///   - db: The connection.
    /// - Returns: The statement, which no other session uses.
    /// - Throws: An error of SQLite.
    func checkOut(_ sql: String, on db: Database) throws -> GRDB.Statement {
        if let statement = idle.removeValue(forKey: sql) { return statement }
        compilations += 1
        return try db.makeStatement(sql: sql)
    }

    /// Resets `statement`, clears its bindings and adds it to the cache.
    func checkIn(_ statement: GRDB.Statement, for sql: String) {
        sqlite3_reset(statement.sqliteStatement)
        sqlite3_clear_bindings(statement.sqliteStatement)
        if idle.count >= Self.limit { idle.removeAll() }
        idle[sql] = statement
    }
}
