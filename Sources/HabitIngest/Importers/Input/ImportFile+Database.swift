import Base
import HabitModel
import StoreSpatiaLite

extension ImportFile {
    /// Opens the file as an SQLite database.
    ///
    /// A database in an archive is read into memory. The same applies to the standard input, because SQLite cannot open
    /// its temporary file, which has no name. It also applies to a database with a write-ahead log, because SQLite would
    /// change the files to read the log.
    ///
    /// - Throws: `archive-unreadable` if the database is damaged, or larger than 64 MiB in memory.
    func database() throws -> SQLiteFile {
        if let log, let file = try database(with: log) { return file }
        if let path = try path, !path.hasPrefix(RandomAccessFile.descriptorFolder) {
            return try SQLiteFile(path: path, name: displayName)
        }
        do {
            return try SQLiteFile(bytes: try bytes(limit: SQLiteFile.memoryLimit), name: displayName)
        } catch let error as HabitError where error.code == .recordTooLong {
            throw HabitError(
                .archiveUnreadable,
                "the database in the archive or the standard input is larger than \(SQLiteFile.memoryLimit >> 20) MiB: unpack it and import the file",
                file: displayName)
        }
    }

    /// Opens the file as an SQLite database with the changes in its write-ahead log.
    ///
    /// - Returns: The database, or `nil` if the log contains no changes.
    private func database(with log: ImportFile) throws -> SQLiteFile? {
        do {
            let changes = SQLiteLog(try log.bytes(limit: SQLiteFile.memoryLimit))
            guard !changes.isEmpty else { return nil }
            let bytes = changes.applied(to: try bytes(limit: SQLiteFile.memoryLimit))
            return try SQLiteFile(bytes: bytes, name: displayName)
        } catch let error as HabitError where error.code == .recordTooLong {
            throw HabitError(
                .archiveUnreadable,
                "the database or its write-ahead log '\(log.displayName)' is larger than \(SQLiteFile.memoryLimit >> 20) MiB: open and close the database with sqlite3, which moves the log into it, or export it again",
                file: displayName)
        }
    }
}
