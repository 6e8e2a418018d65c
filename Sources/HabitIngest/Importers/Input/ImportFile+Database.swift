import HabitModel
import StoreSpatiaLite

extension ImportFile {
    /// Opens the file as an SQLite database.
    ///
    /// A database in an archive is read into memory. The same applies to the standard input, because SQLite cannot open
    /// its temporary file, which has no name.
    ///
    /// - Throws: `archive-unreadable` if the database is damaged, or larger than 64 MiB in memory.
    func database() throws -> SQLiteFile {
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
}
