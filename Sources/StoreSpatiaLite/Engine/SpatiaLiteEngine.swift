import Base
import CSQLite
import Foundation
import GRDB
import StoreEngine

/// A store in one SpatiaLite file with a write-ahead log.
///
/// The store has one writer at a time. A writer waits for another writer up to `wait`. Readers never wait.
public struct SpatiaLiteEngine: Engine {
    /// The application ID "HABT", by which SQLite and `file` identify a store.
    static let applicationID: Int32 = 0x4841_4254

    let queue: DatabaseQueue
    let path: String
    let access: StoreAccess
    /// The time that a writer waits for another writer.
    let wait: Duration
    /// The statements that the sessions of the connection have compiled.
    let cache = StatementCache()
    private let functions = FunctionTable()
    private let schema: StoreSchema

    /// Opens the store at `path`.
    ///
    /// - Parameters:
    ///   - path: The path of the store's file.
    ///   - access: The access that the caller requests. The access `create` creates a missing store.
    ///   - wait: The time that a writer waits for another writer.
    ///   - schema: The schema of the store.
    ///   - isExamined: Whether the caller only examines the store, so that one with strange objects is not refused.
    /// - Throws: `store-unavailable` if the store does not exist or must be migrated. `store-not-habitat` if the file
    ///   is not a store. `store-read-only` if the file cannot be written and `access` is not `read`. `store-damaged` if
    ///   the schema contains objects that could run foreign SQL.
    public init(
        path: String,
        access: StoreAccess,
        wait: Duration,
        schema: StoreSchema,
        isExamined: Bool = false
    ) throws {
        self.schema = schema
        self.path = path
        self.access = access
        self.wait = wait
        try StorePath.check(path)
        try Self.checkFile(path, access: access)
        if access == .read { Self.undoInterruptedLoad(path, wait: wait) }
        do {
            queue = try DatabaseQueue(
                path: Self.location(of: path, access: access),
                configuration: Self.configuration(access, wait: wait))
            try checkContent(access: access, isExamined: isExamined)
        } catch {
            throw Self.explain(error, path: path, access: access)
        }
    }

    /// Creates an empty store in memory, which exists as long as the returned value.
    public static func temporary(_ schema: StoreSchema) throws -> SpatiaLiteEngine {
        let queue = try DatabaseQueue(configuration: configuration(.create, wait: .zero))
        let engine = SpatiaLiteEngine(queue: queue, path: "memory", schema: schema)
        try engine.checkContent(access: .create)
        return engine
    }

    private init(queue: DatabaseQueue, path: String, schema: StoreSchema) {
        self.queue = queue
        self.schema = schema
        self.path = path
        access = .create
        wait = .zero
    }

    private static func configuration(
        _ access: StoreAccess,
        withSpatiaLite: Bool? = nil,
        wait: Duration
    ) -> Configuration {
        _ = SpatiaLiteConnection.isConfigured
        let isReader = access == .read
        var configuration = Configuration()
        configuration.readonly = isReader
        configuration.foreignKeysEnabled = true
        configuration.label = "habitat"
        configuration.prepareDatabase { db in
            try SpatiaLiteConnection.prepare(db, withSpatiaLite: withSpatiaLite ?? !isReader, wait: wait)
        }
        return configuration
    }

    /// Runs `body` in a deferred transaction, which does not wait for writers.
    ///
    /// SQLite has no names for snapshots, so that `snapshot` must return `nil`.
    public func read<Result>(
        at snapshot: () throws -> String?,
        _ body: (any Session) throws -> Result
    ) throws -> Result {
        guard try snapshot() == nil else {
            throw HabitError(.internal, "SQLite cannot read a snapshot by its name")
        }
        return try run(.deferred, body)
    }

    /// Runs `body` like ``read(at:_:)``, because the authorizer restricts user-supplied SQL to the report views.
    public func analyze<Result>(
        _ scope: AnalysisScope, at snapshot: () throws -> String?, _ body: (any Session) throws -> Result
    ) throws -> Result {
        try read(at: snapshot, body)
    }

    /// Runs `body` in an immediate transaction, and empties a large log after the commit.
    public func write<Result>(_ body: (any Session) throws -> Result) throws -> Result {
        turnOnMissingLog()
        defer { checkpointLargeLog() }
        return try run(.immediate, body)
    }

    /// Runs `body` in an immediate transaction, without a write-ahead log if the store has no records.
    ///
    /// Foreign keys and CHECK constraints are enforced. With a write-ahead log, each page of a new store would be
    /// written twice.
    public func bulkWrite<Result>(_ body: (any Session) throws -> Result) throws -> Result {
        let isEmpty = try queue.inDatabase { db in
            let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
            let pageSize = try Int.fetchOne(db, sql: "PRAGMA page_size") ?? 0
            return pages * pageSize < Self.emptySize
        }
        guard isEmpty else { return try write(body) }
        // SQLite rejects this if another connection has the store open.
        try? queue.inDatabase { db in try db.execute(sql: "PRAGMA journal_mode = DELETE") }
        defer { turnOnMissingLog() }
        return try run(.immediate, body)
    }

    /// Returns SQLite's `data_version`, which changes with each commit of another connection.
    public func dataVersion() throws -> Int64 {
        do {
            return try queue.inDatabase { db in
                let statement = try db.cachedStatement(sql: "PRAGMA data_version")
                return try Int64.fetchOne(statement) ?? 0
            }
        } catch {
            throw Self.explain(error, path: path, access: access)
        }
    }

    /// Interrupts the running statement, which throws `timeout`.
    public func interrupt() { queue.interrupt() }

    /// The write-ahead log, or `nil` for a reader.
    public var writeAheadLog: (any WriteAheadLog)? { access == .read ? nil : self }
    /// The engine itself, which can copy its file.
    public var fileCopier: (any FileCopier)? { self }

    /// The size in bytes below which a store counts as empty.
    ///
    /// It is at least twice the size of a store without records.
    static let emptySize = 4 << 20

    private func run<Result>(
        _ kind: Database.TransactionKind,
        _ body: (any Session) throws -> Result
    ) throws -> Result {
        do {
            return try queue.inDatabase { db in
                var result: Result?
                try db.inTransaction(kind) {
                    let session = SpatiaLiteSession(db, schema: schema, functions: functions, cache: cache)
                    defer { session.end() }
                    let changes = db.totalChangesCount
                    result = try body(session)
                    // A reader changes only temporary tables.
                    if kind == .immediate, db.totalChangesCount != changes {
                        try db.cachedStatement(sql: "UPDATE store SET change = change + 1").execute()
                    }
                    return .commit
                }
                guard let result else { throw HabitError(.internal, "the transaction ended without a result") }
                return result
            }
        } catch {
            throw Self.explain(error, path: path, access: access)
        }
    }

    // MARK: Opening

    /// Checks that the store's file exists and has the necessary permissions, or creates it if `access` permits that.
    private static func checkFile(_ path: String, access: StoreAccess) throws {
        var status = stat()
        if stat(path, &status) == 0 {
            return try checkExistingFile(path, mode: status.st_mode, access: access)
        }
        guard access == .create else {
            throw HabitError(
                .storeUnavailable,
                "the store '\(path)' does not exist",
                .take(.initializeStore), .take(.loadStore), .give(.store))
        }
        // The program creates the file instead of SQLite, so that only the owner can ever read it. The other files of
        // the store get the same permissions from SQLite.
        let file = open(path, O_CREAT | O_EXCL | O_RDWR, 0o600)
        guard file >= 0 else {
            let number = errno
            let isCreatedByOther = number == EEXIST && stat(path, &status) == 0
            if isCreatedByOther {
                return try checkFile(path, access: access)
            }
            throw FreeSpace.isExhaustion(number) ? noSpace(path) : notCreated(path, number: number)
        }
        // The umask can have removed the permissions of the owner.
        fchmod(file, 0o600)
        close(file)
    }

    private static func checkExistingFile(
        _ path: String,
        mode: mode_t,
        access: StoreAccess
    ) throws {
        guard mode & S_IFMT == S_IFREG else {
            throw HabitError(.storeNotHabitat, "'\(path)' is not a file", .give(.store))
        }
        guard Glibc.access(path, R_OK) == 0 else {
            throw HabitError(
                .storeUnavailable,
                "you have no permission to read the store '\(path)': change the permissions of the file")
        }
        let needsToWrite = access != .read
        if needsToWrite, Glibc.access(path, W_OK) != 0 {
            throw HabitError(
                .storeReadOnly,
                "you have no permission to write the store '\(path)': change the permissions of the file")
        }
    }

    /// The error of a store whose file cannot be created.
    ///
    /// - Parameters:
    ///   - path: The path of the store.
    ///   - number: The number of the system's error.
    /// - Returns: The error.
    private static func notCreated(_ path: String, number: Int32) -> HabitError {
        let folder = path.pathParts.folder
        var status = stat()
        let hasFolder = stat(folder, &status) == 0
        let reason: String
        var remedies: [Remedy] = [.give(.store)]
        switch number {
        // Some special file systems report that a file that cannot be created does not exist.
        case ENOENT where hasFolder: reason = "the folder '\(folder)' does not accept new files"
        case ENOENT:
            reason = "the folder '\(folder)' does not exist"
            remedies.insert(.advice("create the folder '\(folder)' first"), at: 0)
        case ENOTDIR: reason = "'\(folder)' is not a folder"
        case EACCES, EPERM: reason = "you have no permission to create files in the folder '\(folder)'"
        case EROFS: reason = "the folder '\(folder)' is on a read-only file system"
        default: reason = "the system reports '\(String(cString: strerror(number)))'"
        }
        var error = HabitError(.outputNotWritable, "the store '\(path)' cannot be created, because \(reason)")
        error.remedies = remedies
        return error
    }

    /// Rolls back a killed initial load, which leaves a rollback journal.
    ///
    /// Only a writer can do so. A reader could not open the store.
    private static func undoInterruptedLoad(_ path: String, wait: Duration) {
        guard Glibc.access(path + "-journal", F_OK) == 0 else { return }
        let writer = try? DatabaseQueue(
            path: location(of: path, access: .write),
            configuration: configuration(.write, withSpatiaLite: false, wait: wait))
        _ = try? writer?.inDatabase { db in
            try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema")
        }
    }

    /// Returns the name by which SQLite opens the store.
    ///
    /// A reader stores its state in a file next to the store. If the file system is read-only, that file cannot be
    /// created, and no process can change the store. SQLite then opens it as an immutable file.
    private static func location(of path: String, access: StoreAccess) -> String {
        let isFixed = access == .read && isOnReadOnlyFileSystem(path)
        guard isFixed else {
            // A path can begin with `file:`. SQLite must not parse it as a URI.
            return path.hasPrefix("file:") ? "./\(path)" : path
        }
        let absolute = URL(fileURLWithPath: path).path
        let encoded = absolute.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? absolute
        return "file:\(encoded)?immutable=1"
    }

    private static func isOnReadOnlyFileSystem(_ path: String) -> Bool {
        var system = statvfs()
        guard statvfs(path, &system) == 0 else { return false }
        return system.f_flag & UInt(ST_RDONLY) != 0
    }

    private func checkContent(access: StoreAccess, isExamined: Bool = false) throws {
        try queue.inDatabase { db in
            // Another process can create the store between these queries, so the ID is read last.
            let isEmpty = try Bool.fetchOne(db, sql: "SELECT NOT EXISTS (SELECT 1 FROM sqlite_schema)") ?? false
            let id = try Int32.fetchOne(db, sql: "PRAGMA application_id") ?? 0
            if id == Self.applicationID {
                try migrations.requireKnown(db, path: path, access: access)
                if !isExamined { try requireOwnSchema(db) }
                // A backup has no write-ahead log.
                if access != .read { turnOnLog(db) }
                return
            }
            guard id == 0, isEmpty else {
                throw HabitError(.storeNotHabitat, "'\(path)' is a database, but not a Habitat store")
            }
            guard access == .create else {
                throw HabitError(.storeNotHabitat, "'\(path)' is empty", .take(.initializeStore))
            }
        }
        if access != .read { try migrate() }
    }

    /// The names of the objects in the schema with which the store is refused.
    package var refusedObjects: [String] {
        get throws {
            do {
                let refused = try queue.inDatabase { db in try refusedObjects(db) }
                return refused.map(\.title)
            } catch {
                throw Self.explain(error, path: path, access: access)
            }
        }
    }

    private func refusedObjects(_ db: Database) throws -> [SchemaObject] {
        var refused: [SchemaObject] = []
        try db.inTransaction(.deferred) {
            refused = try AcceptedSchema.refusedObjects(StoredSchema(db), schema)
            return .commit
        }
        return refused
    }

    /// Checks that the schema contains no object that could run foreign SQL.
    ///
    /// - Throws: `store-damaged` with the names of the objects.
    private func requireOwnSchema(_ db: Database) throws {
        let refused = try refusedObjects(db)
        guard !refused.isEmpty else { return }
        let shown = refused.prefix(3)
        var names = shown.map(\.title).joined(separator: ", ")
        if refused.count > shown.count { names += ", …" }
        var error = HabitError(
            .storeDamaged,
            "the store '\(path)' contains definitions that Habitat has not made, so it is not opened (\(names))",
            .advice("restore a backup that you trust"))
        let removals = shown.compactMap(\.removal)
        if removals.count == shown.count {
            let statements = removals.joined(separator: "; ")
            error.remedies.append(
                .advice("remove them with the program sqlite3 (\(statements))"))
        }
        throw error
    }

    private var migrations: Migrations { Migrations(schema) }

    /// Runs the pending migrations, and then turns the write-ahead log on.
    ///
    /// A transaction waits for another process that creates the same store. SQLite refuses a new journal mode
    /// immediately while another process writes, so a change before the migrations could fail.
    private func migrate() throws {
        try queue.inDatabase { db in
            guard try migrations.isNeeded(db) else { return }
            // This has no effect if the file already has pages. With pages of 4096 bytes, a load takes 1/16 longer.
            try db.execute(sql: "PRAGMA page_size = 8192")
            // SQLite has computed the number of pages in the cache from the earlier page size.
            try db.execute(sql: "PRAGMA cache_size = \(SpatiaLiteConnection.writerCache)")
            try db.inTransaction(.immediate) {
                try migrations.run(db)
                return .commit
            }
            turnOnLog(db)
        }
    }

    /// Turns the write-ahead log on, unless other connections use the store now.
    ///
    /// It does not wait for them, because SQLite would refuse new readers in the meantime. If they use the store, the
    /// next write turns the log on.
    private func turnOnLog(_ db: Database) {
        SpatiaLiteConnection.setWait(.zero, of: db.sqliteConnection)
        defer { SpatiaLiteConnection.setWait(wait, of: db.sqliteConnection) }
        try? db.execute(sql: "PRAGMA journal_mode = WAL")
    }

    /// Turns the write-ahead log on if it is off.
    ///
    /// A backup, and a store whose log could not be turned on when it was opened, have no log.
    func turnOnMissingLog() {
        try? queue.inDatabase { db in
            let mode = try String.fetchOne(db.cachedStatement(sql: "PRAGMA journal_mode"))
            if mode == "delete" { turnOnLog(db) }
        }
    }

    // MARK: Errors

    private static func noSpace(_ path: String) -> HabitError {
        HabitError(
            .noSpace, "no disk space is left for '\(path)' (nothing was changed): free some space and try again")
    }

    /// Converts an error of SQLite into an error of the store that explains the event and the remedy.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - path: The path that the new error names.
    ///   - file: The file at fault, or `nil` if it is at `path`.
    ///   - access: The purpose of the connection.
    /// - Returns: The new error, or `error` itself if it is not an error of SQLite.
    static func explain(
        _ error: any Error, path: String, file: String? = nil, access: StoreAccess
    ) -> any Error {
        guard let error = error as? DatabaseError else { return error }
        var explanation = explanation(of: error, path: path, file: file ?? path, access: access)
        explanation.cause = error
        return explanation
    }

    private static func explanation(
        of error: DatabaseError,
        path: String,
        file: String,
        access: StoreAccess
    ) -> HabitError {
        let canBeFullDisk = [.SQLITE_CANTOPEN, .SQLITE_IOERR].contains(error.resultCode)
        if canBeFullDisk, FreeSpace.isExhausted(at: file) {
            return noSpace(path)
        }
        switch error.resultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            return HabitError(
                .busy, "another process is writing to '\(path)'", .advice("try again"), .give(.wait))
        case .SQLITE_NOTADB:
            return HabitError(.storeNotHabitat, "'\(path)' is not a Habitat store")
        case .SQLITE_FULL: return noSpace(path)
        case .SQLITE_READONLY where error.extendedResultCode == .SQLITE_READONLY_DBMOVED:
            return HabitError(.busy, "another process has replaced the store '\(path)'", .advice("try again"))
        case .SQLITE_READONLY where access != .read:
            return HabitError(
                .storeReadOnly,
                "you have no permission to write the store '\(path)': change the permissions of the file")
        case .SQLITE_CANTOPEN, .SQLITE_READONLY:
            return HabitError(
                .storeUnavailable,
                "the program cannot create a file next to the store '\(path)', which is necessary for reading: make the folder writable or free disk space"
            )
        case .SQLITE_CORRUPT:
            return HabitError(.storeDamaged, "the store '\(path)' is damaged: restore a backup")
        case .SQLITE_INTERRUPT:
            return HabitError(.timeout, "the query was interrupted")
        case .SQLITE_IOERR:
            return HabitError(
                .writeFailed, "reading or writing '\(path)' failed (nothing was changed): check the disk and try again")
        default:
            // SQLite's message could reveal tables and values.
            return HabitError(
                .internal,
                "the store '\(path)' reports error \(error.extendedResultCode.rawValue) (nothing was changed)",
                .take(.checkStore))
        }
    }
}

extension DatabaseError: LoggableError {
    /// The result code and the message without quoted words, which may be values, and without the SQL.
    public var logText: String {
        let code = "SQLite error \(extendedResultCode.rawValue)"
        guard let message else { return code }
        return "\(code): \(ErrorLog.withoutQuoted(message))"
    }
}
