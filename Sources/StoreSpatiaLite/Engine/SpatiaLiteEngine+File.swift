import Base
import Foundation
import GRDB
import StoreEngine

/// Operations on the complete file of a store.
extension SpatiaLiteEngine {
    /// The suffixes of the files that SQLite keeps next to a store.
    package static let companions = ["-wal", "-shm", "-journal"]

    private static func open(_ path: String, readonly: Bool, wait: Duration = .zero) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.readonly = readonly
        configuration.prepareDatabase { db in
            try SpatiaLiteConnection.forbidExtensions(on: db)
            SpatiaLiteConnection.setWait(wait, of: db.sqliteConnection)
        }
        try StorePath.check(path)
        // A path can begin with `file:`. SQLite must not parse it as a URI.
        return try DatabaseQueue(path: path.hasPrefix("file:") ? "./" + path : path, configuration: configuration)
    }

    /// Returns the version of the schema of a store.
    ///
    /// - Throws: `store-damaged` or another error of the engine.
    package static func version(ofStoreAt path: String) throws -> Int {
        do {
            return try open(path, readonly: true).inDatabase { try Int.fetchOne($0, sql: "PRAGMA user_version") ?? 0 }
        } catch {
            throw explain(error, path: path, access: .read)
        }
    }

    /// Turns off the write-ahead log of a store, so that the store consists of one file.
    ///
    /// - Throws: `busy` if another connection uses the store, or another error of the engine.
    package static func turnOffLog(ofStoreAt path: String) throws {
        do {
            let queue = try open(path, readonly: false)
            try queue.inDatabase { try turnOffLog($0) }
            try queue.close()
        } catch {
            throw explain(error, path: path, access: .write)
        }
    }

    /// Moves all changes into the file and turns off the write-ahead log.
    ///
    /// SQLite refuses this while another connection has the store open, also if that connection is idle (SQLite,
    /// `PRAGMA journal_mode`).
    private static func turnOffLog(_ db: Database) throws {
        let mode = try String.fetchOne(db, sql: "PRAGMA journal_mode = DELETE")
        guard mode == "delete" else { throw DatabaseError(resultCode: .SQLITE_BUSY) }
    }

    /// Runs `body` while no other process can use the store.
    ///
    /// - Parameters:
    ///   - path: The path of the store.
    ///   - wait: The maximum time to wait for another process.
    ///   - body: A closure that receives the suffixes of the other files that the store still has.
    /// - Returns: The result of `body`.
    /// - Throws: `busy` if another process uses the store, `store-not-habitat` if the file is the database of another
    ///   program or no database, an error of the engine, or the error of `body`.
    package static func withExclusiveUse<Result>(
        ofStoreAt path: String, wait: Duration, _ body: (_ remains: [String]) throws -> Result
    ) throws -> Result {
        var outcome: Swift.Result<Result, any Error>?
        do {
            let queue = try open(path, readonly: false, wait: wait)
            try queue.inDatabase { db in
                let id = try Int32.fetchOne(db, sql: "PRAGMA application_id") ?? 0
                let isEmpty = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") == 0
                guard id == applicationID || (id == 0 && isEmpty) else {
                    throw HabitError(
                        .storeNotHabitat, "'\(path)' is a database, but not a Habitat store", .give(.store))
                }
                try repeating(for: wait) { try lockWithoutLog(db) }
                outcome = Swift.Result { try body(remains(of: path)) }
                try? db.execute(sql: "ROLLBACK")
            }
        } catch let error as DatabaseError where outcome == nil {
            switch error.resultCode {
            case .SQLITE_BUSY, .SQLITE_LOCKED: throw inUse(path, cause: error)
            // The file is damaged, which is a reason to restore a backup.
            case .SQLITE_CORRUPT,
                .SQLITE_NOTADB where SQLiteFile.hasSignature(path):
                return try withLockedFile(path, body)
            case .SQLITE_NOTADB:
                throw HabitError(
                    .storeNotHabitat, "'\(path)' is not a store: move the file to another folder", .give(.store))
            default: throw explain(error, path: path, access: .write)
            }
        }
        guard let outcome else { throw HabitError(.internal, "the store was not locked") }
        return try outcome.get()
    }

    /// Begins a transaction that keeps other processes from reading and writing a store without a log.
    ///
    /// - Throws: A `DatabaseError` with SQLITE_BUSY if another connection uses the store.
    private static func lockWithoutLog(_ db: Database) throws {
        try turnOffLog(db)
        try db.execute(sql: "BEGIN EXCLUSIVE")
        // A writer that has opened the store since the first statement has turned the log on again.
        guard try String.fetchOne(db, sql: "PRAGMA journal_mode") == "delete" else {
            try db.execute(sql: "ROLLBACK")
            throw DatabaseError(resultCode: .SQLITE_BUSY)
        }
    }

    /// Repeats an operation that SQLite refuses immediately while other connections use the store.
    ///
    /// - Parameters:
    ///   - wait: The time after which the operation is not repeated.
    ///   - operation: The operation.
    /// - Throws: The error of the last attempt.
    private static func repeating(for wait: Duration, _ operation: () throws -> Void) throws {
        let end = ContinuousClock.now.advanced(by: wait)
        while true {
            do {
                return try operation()
            } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY && ContinuousClock.now < end {
                Thread.sleep(forTimeInterval: 0.02)
            }
        }
    }

    private static func remains(of path: String) -> [String] {
        companions.filter { Glibc.access(path + $0, F_OK) == 0 }
    }

    private static func inUse(_ path: String, cause: (any Error)? = nil) -> HabitError {
        HabitError(
            .busy,
            "another process uses the store '\(path)': stop the server and all other programs that use it, and try again",
            cause: cause)
    }

    /// Runs `body` with the lock of a writer on a file that SQLite cannot read.
    ///
    /// The lock is on the bytes that SQLite locks on Unix (SQLite, `PENDING_BYTE`).
    private static func withLockedFile<Result>(
        _ path: String, _ body: (_ remains: [String]) throws -> Result
    ) throws -> Result {
        let file = Glibc.open(path, O_RDWR | O_CLOEXEC)
        guard file >= 0 else {
            throw HabitError(
                .storeReadOnly,
                "you have no permission to write the store '\(path)': change the permissions of the file")
        }
        defer { close(file) }
        var lock = flock(
            l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: 0x4000_0000, l_len: 512, l_pid: 0)
        guard fcntl(file, F_SETLK, &lock) == 0 else { throw inUse(path) }
        return try body(remains(of: path))
    }
}
