import CSQLite
import Foundation
import GRDB
import HabitModel
import StoreEngine

/// A store in one SpatiaLite file.
///
/// Write-ahead logging: one writer at a time, and readers that never wait. A writer waits for another up to `wait`.
public struct SpatiaLiteEngine: Engine {
    /// "HABT": how SQLite and `file` know our files.
    static let applicationID: Int32 = 0x4841_4254

    let queue: DatabaseQueue
    let path: String
    let access: StoreAccess
    /// The time that a writer waits for another one.
    let wait: Duration
    /// Of those that read again and again.
    private let cache: StatementCache?
    private let functions = FunctionTable()
    private let schema: StoreSchema

    /// Opens the store at `path`.
    ///
    /// Throws `store-unavailable` where there is none, `store-not-habitat` where the file is something else,
    /// `store-read-only` where it cannot be written and `access` asks for that.
    public init(path: String, access: StoreAccess, wait: Duration, schema: StoreSchema) throws {
        self.schema = schema
        self.path = path
        (self.access, self.wait) = (access, wait)
        cache = access == .read ? StatementCache() : nil
        try Self.checkFile(path, access: access)
        if access == .read { Self.undoInterruptedLoad(path) }
        do {
            queue = try DatabaseQueue(
                path: Self.location(of: path, access: access), configuration: Self.configuration(access, wait: wait))
            try checkContent(access: access)
        } catch {
            throw Self.explain(error, path: path, access: access)
        }
    }

    /// An empty store in memory, which goes away with the value.
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
        (access, wait) = (.create, .zero)
        cache = nil
    }

    private static func configuration(
        _ access: StoreAccess, withSpatiaLite: Bool? = nil, wait: Duration
    ) -> Configuration {
        _ = SpatiaLiteConnection.isConfigured
        var configuration = Configuration()
        configuration.readonly = access == .read
        configuration.foreignKeysEnabled = true
        configuration.label = "habitat"
        configuration.prepareDatabase { db in
            try SpatiaLiteConnection.prepare(db, withSpatiaLite: withSpatiaLite ?? (access != .read), wait: wait)
        }
        return configuration
    }

    public func read<Result>(_ body: (any Session) throws -> Result) throws -> Result {
        try run(.deferred, body)
    }

    /// Readers cannot leave the report views.
    public func analyze<Result>(_ scope: AnalysisScope, _ body: (any Session) throws -> Result) throws -> Result {
        try read(body)
    }

    public func write<Result>(_ body: (any Session) throws -> Result) throws -> Result {
        defer { checkpointLargeLog() }
        return try run(.immediate, body)
    }

    /// References and CHECK constraints are enforced. A store without records grows in place: with a write-ahead log, each of its
    /// pages would be written twice.
    public func bulkWrite<Result>(_ body: (any Session) throws -> Result) throws -> Result {
        let isEmpty = try queue.inDatabase { db in
            let (pages, size) = try (
                Int.fetchOne(db, sql: "PRAGMA page_count"), Int.fetchOne(db, sql: "PRAGMA page_size")
            )
            return (pages ?? 0) * (size ?? 0) < Self.emptySize
        }
        // Refused where anybody else has the store open.
        if isEmpty { try? set("journal_mode", "DELETE") }
        defer { if isEmpty { try? set("journal_mode", "WAL") } else { checkpointLargeLog() } }
        return try run(.immediate, body)
    }

    public func dataVersion() throws -> Int64 {
        do {
            return try queue.inDatabase {
                try Int64.fetchOne($0.cachedStatement(sql: "PRAGMA data_version")) ?? 0
            }
        } catch {
            throw Self.explain(error, path: path, access: access)
        }
    }

    public func interrupt() { queue.interrupt() }

    public var writeAheadLog: (any WriteAheadLog)? { access == .read ? nil : self }
    public var fileCopier: (any FileCopier)? { self }

    /// A store without records has nearly so many bytes.
    private static let emptySize = 1 << 20

    /// Outside a transaction, where these are without effect or refused.
    private func set(_ pragma: String, _ value: String) throws {
        try queue.inDatabase { try $0.execute(sql: "PRAGMA \(pragma) = \(value)") }
    }

    private func run<Result>(
        _ kind: Database.TransactionKind, _ body: (any Session) throws -> Result
    ) throws -> Result {
        do {
            return try queue.inDatabase { db in
                var result: Result?
                try db.inTransaction(kind) {
                    let session = SpatiaLiteSession(db, schema: schema, functions: functions, cache: cache)
                    defer { session.end() }
                    result = try body(session)
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

    private static func checkFile(_ path: String, access: StoreAccess) throws {
        var status = stat()
        if stat(path, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFREG else {
                throw HabitError(.storeNotHabitat, "'\(path)' is not a file", .give(.store))
            }
            guard Glibc.access(path, R_OK) == 0 else {
                throw HabitError(.storeUnavailable, "the store '\(path)' cannot be read: its permissions forbid it")
            }
            if access != .read, Glibc.access(path, W_OK) != 0 {
                throw HabitError(.storeReadOnly, "the store '\(path)' cannot be written: its permissions forbid it")
            }
            return
        }
        guard access == .create else {
            throw HabitError(
                .storeUnavailable, "there is no store at '\(path)'", .take(.initializeStore), .take(.loadStore),
                .give(.store))
        }
        // Made here and not by SQLite, so that nobody but the owner can ever read it; its companions take after it.
        let file = open(path, O_CREAT | O_EXCL | O_RDWR, 0o600)
        guard file >= 0 else {
            let number = errno
            // Somebody else has just made it.
            if number == EEXIST, stat(path, &status) == 0 { return try checkFile(path, access: access) }
            throw FreeSpace.isExhaustion(number)
                ? noSpace(path)
                : HabitError(
                    .outputNotWritable, "no store can be made at '\(path)': \(String(cString: strerror(number)))")
        }
        close(file)
    }

    /// A first load that was killed leaves a journal, which only a writer may roll back: a reader alone could not open the store.
    private static func undoInterruptedLoad(_ path: String) {
        guard Glibc.access(path + "-journal", F_OK) == 0 else { return }
        let writer = try? DatabaseQueue(
            path: location(of: path, access: .write),
            configuration: configuration(.write, withSpatiaLite: false, wait: .zero))
        _ = try? writer?.inDatabase { try Int.fetchOne($0, sql: "SELECT count(*) FROM sqlite_schema") }
    }

    /// The name by which SQLite opens the store.
    ///
    /// A reader keeps its place in a file beside the store. On a file system that takes none nobody can change the store
    /// either, and it is read as a file that does not change.
    private static func location(of path: String, access: StoreAccess) -> String {
        var system = statvfs()
        let isFixed = access == .read && statvfs(path, &system) == 0 && system.f_flag & UInt(ST_RDONLY) != 0
        // What begins like a URI is a name all the same.
        guard isFixed else { return path.hasPrefix("file:") ? "./" + path : path }
        let absolute = URL(fileURLWithPath: path).path
        return "file:\(absolute.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? absolute)?immutable=1"
    }

    private func checkContent(access: StoreAccess) throws {
        try queue.inDatabase { db in
            let id = try Int32.fetchOne(db, sql: "PRAGMA application_id") ?? 0
            if id == Self.applicationID {
                try migrations.requireKnown(db, path: path, access: access)
                // A backup is without; where others are reading it, the next writer does it.
                if access != .read { try? db.execute(sql: "PRAGMA journal_mode = WAL") }
                return
            }
            let isEmpty = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") == 0
            guard id == 0, isEmpty else {
                throw HabitError(.storeNotHabitat, "'\(path)' is a database, but not a Habitat store")
            }
            guard access == .create else {
                throw HabitError(.storeNotHabitat, "'\(path)' is empty", .take(.initializeStore))
            }
        }
        if access != .read { try migrate() }
    }

    private var migrations: Migrations { Migrations(schema) }

    private func migrate() throws {
        try queue.inDatabase { db in
            guard try migrations.isNeeded(db) else { return }
            // Without effect where there are pages already. With pages of 4096 bytes a load takes a sixteenth more.
            try db.execute(sql: "PRAGMA page_size = 8192")
            // SQLite has counted the pages that the cache may hold by their former size.
            try db.execute(sql: "PRAGMA cache_size = \(SpatiaLiteConnection.writerCache)")
            try db.execute(sql: "PRAGMA journal_mode = WAL")
            try db.inTransaction(.immediate) {
                try migrations.run(db)
                return .commit
            }
        }
    }

    // MARK: Errors

    private static func noSpace(_ path: String) -> HabitError {
        HabitError(
            .noSpace, "there is no space left for '\(path)': nothing was changed; free some and try again")
    }

    /// The engine's error in the terms of the store: what happened, and what to do.
    static func explain(_ error: any Error, path: String, access: StoreAccess) -> any Error {
        guard let error = error as? DatabaseError else { return error }
        var explanation = explanation(of: error, path: path, access: access)
        explanation.cause = error
        return explanation
    }

    private static func explanation(of error: DatabaseError, path: String, access: StoreAccess) -> HabitError {
        if [.SQLITE_CANTOPEN, .SQLITE_IOERR].contains(error.resultCode), FreeSpace.isExhausted(at: path) {
            return noSpace(path)
        }
        switch error.resultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            return HabitError(
                .busy, "another program is writing to '\(path)'", .advice("try again"), .give(.wait))
        case .SQLITE_NOTADB:
            return HabitError(.storeNotHabitat, "'\(path)' is not a Habitat store")
        case .SQLITE_FULL: return noSpace(path)
        case .SQLITE_READONLY where access != .read:
            return HabitError(.storeReadOnly, "the store '\(path)' cannot be written: its permissions forbid it")
        case .SQLITE_CANTOPEN, .SQLITE_READONLY:
            return HabitError(
                .storeUnavailable,
                "the store '\(path)' cannot be opened: its folder must be writable (or the disk is full), since a reader keeps its place in a file beside the store"
            )
        case .SQLITE_CORRUPT:
            return HabitError(.storeDamaged, "the store '\(path)' is damaged: restore a backup of it")
        case .SQLITE_INTERRUPT:
            return HabitError(.timeout, "the query was stopped")
        case .SQLITE_IOERR:
            return HabitError(.writeFailed, "reading or writing '\(path)' failed: nothing was changed")
        default:
            // The engine's own words would tell of tables and values.
            return HabitError(
                .internal,
                "the store '\(path)' fails (error \(error.extendedResultCode.rawValue)), and nothing was changed",
                .take(.checkStore))
        }
    }
}

extension DatabaseError: LoggableError {
    /// Without the SQL and its values; words in quotes may be values.
    public var logText: String {
        "SQLite error \(extendedResultCode.rawValue)" + (message.map { ": \(ErrorLog.withoutQuoted($0))" } ?? "")
    }
}
