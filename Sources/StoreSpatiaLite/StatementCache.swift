import CSQLite
import GRDB

/// Compiled statements of a connection that wait to be run again, by their text: compiling takes as long as a small answer.
///
/// Used inside the connection's queue alone, which is what makes it safe to share.
final class StatementCache: @unchecked Sendable {
    private var idle: [String: GRDB.Statement] = [:]
    /// So many are kept; then all are let go, since texts may differ without end.
    private static let limit = 64

    func take(_ sql: String) -> GRDB.Statement? { idle.removeValue(forKey: sql) }

    /// Keeps a statement that nobody uses any more.
    func give(_ statement: GRDB.Statement, for sql: String) {
        sqlite3_reset(statement.sqliteStatement)
        sqlite3_clear_bindings(statement.sqliteStatement)
        if idle.count >= Self.limit { idle.removeAll() }
        idle[sql] = statement
    }
}
