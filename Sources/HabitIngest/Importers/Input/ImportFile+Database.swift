import HabitModel
import StoreSpatiaLite

extension ImportFile {
    /// Opens the file as an SQLite database.
    ///
    /// A database in an archive is read into memory.
    ///
    /// - Throws: `archive-unreadable` if the database is damaged, or larger than 64 MiB in an archive.
    func database() throws -> SQLiteFile {
        if let path = try path { return try SQLiteFile(path: path, name: displayName) }
        do {
            return try SQLiteFile(bytes: try bytes(limit: SQLiteFile.memoryLimit), name: displayName)
        } catch let error as HabitError where error.code == .recordTooLong {
            throw HabitError(
                .archiveUnreadable,
                "the database in the archive is larger than \(SQLiteFile.memoryLimit >> 20) MiB: unpack it and import the file",
                file: displayName)
        }
    }
}
