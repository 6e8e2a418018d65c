import CSQLite
import Foundation
import GRDB
import HabitModel
import StoreEngine

/// Moving committed changes from the write-ahead log into the store's file (SQLite, "Write-Ahead Logging", section 6).
///
/// SQLite's automatic checkpoints never empty the log while readers follow each other without a gap. A truncating checkpoint
/// waits for the transactions that are open when it begins; later readers do not delay it.
extension SpatiaLiteEngine: WriteAheadLog {
    /// The size of the log, in bytes, from which a commit is followed by a truncating checkpoint.
    private static let logLimit: Int64 = 32 << 20
    /// The time that a commit waits for readers if the log is that large.
    private static let patience = Duration.milliseconds(100)

    public func checkpoint(wait: Duration) throws {
        guard logSize > 0 else { return }
        do {
            try queue.inDatabase { db in
                let connection = db.sqliteConnection
                SpatiaLiteConnection.setWait(wait, of: connection)
                defer { SpatiaLiteConnection.setWait(self.wait, of: connection) }
                let code = sqlite3_wal_checkpoint_v2(connection, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
                // A reader or a writer has taken longer; the next checkpoint does the rest.
                guard [SQLITE_OK, SQLITE_BUSY, SQLITE_LOCKED].contains(code) else {
                    throw DatabaseError(resultCode: ResultCode(rawValue: code))
                }
            }
        } catch {
            throw Self.explain(error, path: path, access: access)
        }
    }

    /// Empties the log after a commit if it has become large. The commit stands, whatever the outcome.
    func checkpointLargeLog() {
        if logSize >= Self.logLimit { try? checkpoint(wait: Self.patience) }
    }

    /// The size of the write-ahead log in bytes; 0 if it does not exist.
    private var logSize: Int64 {
        var status = stat()
        return stat(path + "-wal", &status) == 0 ? Int64(status.st_size) : 0
    }
}
