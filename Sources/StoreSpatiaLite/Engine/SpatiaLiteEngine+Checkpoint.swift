import Base
import CSQLite
import Foundation
import GRDB
import StoreEngine

/// Checkpoints, which move committed changes from the write-ahead log into the store's file.
///
/// SQLite's automatic checkpoints never empty the log while readers follow each other without a gap. A truncating
/// checkpoint waits only for the transactions that are open when it begins. Later readers do not delay it (SQLite,
/// "Write-Ahead Logging", section 6).
extension SpatiaLiteEngine: WriteAheadLog {
    /// The size of the log, in bytes, from which a commit is followed by a truncating checkpoint.
    private static let logLimit: Int64 = 32 << 20
    /// The time that a commit waits for readers if the log is that large.
    private static let patience = Duration.milliseconds(100)

    /// Moves the changes of the log into the file and truncates the log, unless other transactions take too long.
    ///
    /// A store without a log gets one.
    ///
    /// - Parameter wait: The maximum time to wait for the transactions of other connections.
    /// - Throws: An error of the engine.
    public func checkpoint(wait: Duration) throws {
        guard logSize > 0 else { return turnOnMissingLog() }
        do {
            try queue.inDatabase { db in
                let connection = db.sqliteConnection
                SpatiaLiteConnection.setWait(wait, of: connection)
                defer { SpatiaLiteConnection.setWait(self.wait, of: connection) }
                let code = sqlite3_wal_checkpoint_v2(connection, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
                // If a reader or a writer takes longer, the next checkpoint does the rest.
                guard [SQLITE_OK, SQLITE_BUSY, SQLITE_LOCKED].contains(code) else {
                    throw DatabaseError(resultCode: ResultCode(rawValue: code))
                }
            }
        } catch {
            throw Self.explain(error, path: path, access: access)
        }
    }

    /// Empties the log after a commit if it is large.
    ///
    /// The commit is valid whatever the outcome.
    func checkpointLargeLog() {
        if logSize >= Self.logLimit { try? checkpoint(wait: Self.patience) }
    }

    /// The size of the write-ahead log in bytes, or 0 if it does not exist.
    private var logSize: Int64 {
        var status = stat()
        return stat(path + "-wal", &status) == 0 ? Int64(status.st_size) : 0
    }
}
