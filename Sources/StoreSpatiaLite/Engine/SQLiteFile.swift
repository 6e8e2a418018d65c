import Base
import CSQLite
import Foundation
import StoreEngine

/// An SQLite database of another application, opened only for reading.
///
/// The file is opened as immutable, so that SQLite creates no other file next to it. User-defined triggers of the file
/// never run. Its views run only in a ``TileDatabase``, which limits the steps of statements.
package final class SQLiteFile {
    /// The name of the database in messages.
    private let name: String
    private var connection: OpaquePointer?

    /// Maximum size of a database in memory, in bytes.
    package static let memoryLimit = 64 << 20
    /// The first bytes of every database file (SQLite, "Database File Format", section 1.2).
    package static let signature = Array("SQLite format 3\0".utf8)
    /// Number of bytes of the header of a database file.
    private static let headerSize = 100
    /// Maximum size of a value, in bytes.
    private static let valueLimit: Int32 = 1 << 24

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - name: The name of the database in messages.
    /// - Throws: `archive-unreadable` if the file is truncated or is not a readable database.
    package init(path: String, name: String) throws {
        self.name = name
        guard !Self.isTruncated(path) else { throw truncated() }
        let isAbsolute = path.hasPrefix("/")
        let absolute = isAbsolute ? path : "\(FileManager.default.currentDirectoryPath)/\(path)"
        let allowed = CharacterSet(charactersIn: "/._-~").union(.alphanumerics)
        let encoded = absolute.addingPercentEncoding(withAllowedCharacters: allowed) ?? absolute
        try open("file:\(encoded)?immutable=1")
    }

    /// Opens a database in memory.
    ///
    /// - Parameters:
    ///   - bytes: The content of the database file.
    ///   - name: The name of the database in messages.
    /// - Throws: `archive-unreadable` if the bytes are truncated or are not a readable database.
    package init(bytes: [UInt8], name: String) throws {
        self.name = name
        let header = Array(bytes.prefix(Self.headerSize))
        guard !Self.isTruncated(header, size: bytes.count) else { throw truncated() }
        try open(":memory:")
        // SQLite frees the memory.
        guard let memory = sqlite3_malloc64(UInt64(max(bytes.count, 1))) else {
            throw HabitError(.internal, "there is not enough memory for the database", file: name)
        }
        bytes.withUnsafeBytes { content in
            guard let base = content.baseAddress else { return }
            memory.copyMemory(from: base, byteCount: content.count)
        }
        // SQLite opens no database in memory whose versions in the header select a write-ahead log.
        if bytes.count >= Self.headerSize, bytes[18] == 2, bytes[19] == 2 {
            memory.storeBytes(of: 1, toByteOffset: 18, as: UInt8.self)
            memory.storeBytes(of: 1, toByteOffset: 19, as: UInt8.self)
        }
        let content = memory.assumingMemoryBound(to: UInt8.self)
        let size = Int64(bytes.count)
        let flags = UInt32(SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_READONLY)
        let code = sqlite3_deserialize(connection, "main", content, size, size, flags)
        guard code == SQLITE_OK else { throw unreadable() }
    }

    deinit { sqlite3_close_v2(connection) }

    /// Whether the file at `path` begins as a database does.
    package static func hasSignature(_ path: String) -> Bool {
        guard let file = FileHandle(forReadingAtPath: path) else { return false }
        guard let start = try? file.read(upToCount: signature.count) else { return false }
        return Array(start) == signature
    }

    private func open(_ location: String) throws {
        _ = SpatiaLiteConnection.isConfigured
        let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX
        guard sqlite3_open_v2(location, &connection, flags, nil) == SQLITE_OK else { throw unreadable() }
        guard habitat_sqlite3_forbid_extensions(connection) == SQLITE_OK else { throw unreadable() }
        sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, Self.valueLimit)
        // The schema of another application may not call functions with side effects.
        sqlite3_exec(connection, "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON", nil, nil, nil)
    }

    private func unreadable() -> HabitError {
        var reason = "unknown error"
        if let connection, let message = sqlite3_errmsg(connection) {
            reason = String(cString: message)
        }
        return HabitError(
            .archiveUnreadable, "the database '\(name)' cannot be read (\(reason)): export it again", file: name)
    }

    private func truncated() -> HabitError {
        HabitError(
            .archiveUnreadable, "the database '\(name)' is truncated: copy or export it again", file: name)
    }

    /// Whether a readable file at a path is truncated.
    private static func isTruncated(_ path: String) -> Bool {
        guard let file = FileHandle(forReadingAtPath: path) else { return false }
        guard let header = try? file.read(upToCount: headerSize) else { return false }
        guard let size = try? file.seekToEnd() else { return false }
        return isTruncated(Array(header), size: Int(size))
    }

    /// Whether a file is shorter than its header declares, or ends within a page (SQLite file format, section 1.3).
    private static func isTruncated(_ header: [UInt8], size: Int) -> Bool {
        guard header.count == headerSize else { return size > 0 }
        func number(at index: Int) -> Int {
            header[index..<index + 4].reduce(0) { number, byte in
                number << 8 | Int(byte)
            }
        }
        let declaredPageSize = number(at: 16) >> 16
        let pageSize = declaredPageSize == 1 ? 1 << 16 : declaredPageSize
        guard pageSize >= 512 else { return false }
        // Old versions of SQLite do not update the number of pages. The counters of changes differ then.
        let isUpdated = number(at: 24) == number(at: 92)
        let pages = isUpdated ? number(at: 28) : 0
        let endsWithinPage = size % pageSize != 0
        return endsWithinPage || pages * pageSize > size
    }

    /// Checks that all pages of the database are intact.
    ///
    /// Reads the complete file. Values that violate a constraint are not damage.
    ///
    /// - Throws: `archive-unreadable` if the database is damaged.
    package func check() throws {
        var damage: String?
        try query("PRAGMA quick_check(1000)") { row in
            let text = row.text(0) ?? ""
            let isViolation = text.contains(" value in ") || text.hasPrefix("CHECK constraint")
            let isIntact = text == "ok" || isViolation
            if !isIntact, damage == nil {
                damage = text
            }
        }
        guard let damage else { return }
        let line = damage.split(separator: "\n").last.map(String.init) ?? damage
        throw HabitError(
            .archiveUnreadable, "the database '\(name)' is damaged (\(line)): export it again", file: name)
    }

    // MARK: Schema

    /// The `user_version` of the database, which applications use for the version of their schema.
    package var userVersion: Int {
        get throws {
            var version = 0
            try query("PRAGMA user_version") { row in
                version = Int(row.integer(0))
            }
            return version
        }
    }

    /// The names of the tables, without virtual tables.
    package var tables: [String] {
        get throws {
            var names: [String] = []
            try query(
                "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY name"
            ) { row in
                names.append(row.text(0) ?? "")
            }
            return names
        }
    }

    // MARK: Rows

    /// Calls `body` with each row of a table, in the order of its rowids or its primary key.
    ///
    /// - Parameters:
    ///   - table: The name of the table.
    ///   - body: A closure that receives a row, which is valid only during the call.
    /// - Throws: `archive-unreadable` if the database is damaged, or the error of `body`.
    package func forEachRow(of table: String, _ body: (Row) throws -> Void) throws {
        let escaped = table.replacing("\"", with: "\"\"")
        let name = "\"\(escaped)\""
        // A table without rowids is stored in the order of its primary key.
        let hasRowIDs = (try? query("SELECT rowid FROM \(name) LIMIT 0") { _ in }) != nil
        let order = hasRowIDs ? " ORDER BY rowid" : ""
        try query("SELECT * FROM \(name)\(order)", body)
    }

    /// Ends each statement with an error after a number of steps of SQLite's virtual machine.
    ///
    /// - Parameter limit: The number of steps.
    func limitSteps(to limit: Int32) {
        sqlite3_progress_handler(connection, limit, { _ in 1 }, nil)
    }

    /// Calls `body` with each row of a statement.
    ///
    /// - Parameters:
    ///   - sql: The statement.
    ///   - values: The values of its parameters.
    ///   - body: A closure that receives a row, which is valid only during the call.
    /// - Throws: `archive-unreadable` if the statement fails, or the error of `body`.
    func query(
        _ sql: String,
        with values: [Int] = [],
        _ body: (Row) throws -> Void
    ) throws {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK else { throw unreadable() }
        defer { sqlite3_finalize(statement) }
        for (index, value) in values.enumerated() {
            sqlite3_bind_int64(statement, Int32(index + 1), Int64(value))
        }
        let row = Row(statement)
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW: try body(row)
            case SQLITE_DONE: return
            default: throw unreadable()
            }
        }
    }

    /// A row of a table.
    package struct Row {
        private let statement: OpaquePointer?
        private let indices: [String: Int32]

        fileprivate init(_ statement: OpaquePointer?) {
            self.statement = statement
            var indices: [String: Int32] = [:]
            for index in 0..<sqlite3_column_count(statement) {
                if let name = sqlite3_column_name(statement, index) {
                    indices[String(cString: name).lowercased()] = index
                }
            }
            self.indices = indices
        }

        /// Whether the table has a column with this name, in any letter case.
        package func contains(_ column: String) -> Bool { indices[column.lowercased()] != nil }

        /// Returns the value of a column as a text, or `nil` if it is null or the column does not exist.
        package func text(_ column: String) -> String? {
            guard let index = indices[column.lowercased()] else { return nil }
            return text(index)
        }

        /// Returns the value of a column as an integer, also if it is a text, or `nil` if it is not an integer.
        package func integer(_ column: String) -> Int64? {
            guard let index = indices[column.lowercased()] else { return nil }
            switch sqlite3_column_type(statement, index) {
            case SQLITE_INTEGER: return sqlite3_column_int64(statement, index)
            case SQLITE_FLOAT: return Int64(exactly: sqlite3_column_double(statement, index))
            case SQLITE_TEXT:
                let text = text(index) ?? ""
                return Int64(text) ?? Double(text).flatMap { Int64(exactly: $0) }
            default: return nil
            }
        }

        /// Returns the value of a column as a number, also if it is a text, or `nil` if it is not a finite number.
        package func number(_ column: String) -> Double? {
            guard let index = indices[column.lowercased()] else { return nil }
            guard let number = number(index), number.isFinite else { return nil }
            return number
        }

        /// Returns the bytes of a column, or `nil` if it is not a blob or has too many bytes.
        func bytes(_ column: String, limit: Int) -> [UInt8]? {
            guard let index = indices[column.lowercased()] else { return nil }
            guard sqlite3_column_type(statement, index) == SQLITE_BLOB else { return nil }
            let count = Int(sqlite3_column_bytes(statement, index))
            guard count <= limit else { return nil }
            guard let bytes = sqlite3_column_blob(statement, index) else { return [] }
            return Array(UnsafeRawBufferPointer(start: bytes, count: count))
        }

        private func number(_ index: Int32) -> Double? {
            switch sqlite3_column_type(statement, index) {
            case SQLITE_INTEGER, SQLITE_FLOAT: sqlite3_column_double(statement, index)
            case SQLITE_TEXT: Double(text(index) ?? "")
            default: nil
            }
        }

        fileprivate func integer(_ index: Int32) -> Int64 { sqlite3_column_int64(statement, index) }

        fileprivate func text(_ index: Int32) -> String? {
            guard sqlite3_column_type(statement, index) != SQLITE_NULL else { return nil }
            guard let bytes = sqlite3_column_text(statement, index) else { return nil }
            let count = Int(sqlite3_column_bytes(statement, index))
            let text = UnsafeBufferPointer(start: bytes, count: count)
            return String(decoding: text, as: UTF8.self)
        }
    }
}
