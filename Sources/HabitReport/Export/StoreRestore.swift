import Base
import Foundation
import HabitModel
import HabitStore
import Rendering
import StoreEngine

/// The replacement of a store in a file by a backup.
///
/// Other processes find either the old store or the complete new store at the path. The old store remains in the same
/// folder under another name. If any step fails, the old store remains at the path.
public struct StoreRestore {
    /// The result of a restore.
    public struct Result: Sendable, Equatable {
        /// The size of the restored store in bytes.
        public var bytes: Int64
        /// The path of the old store, or `nil` if there was no store.
        public var old: String?
    }

    private let backup: String
    private let store: TemporaryOutput
    private let now: Instant
    private let wait: Duration

    /// Checks the paths of the backup and the store.
    ///
    /// - Parameters:
    ///   - backup: The path of the backup.
    ///   - store: The path of the store. If it is a symbolic link, the file to which it leads is replaced.
    ///   - now: The time of the restore, which the name of the old store contains.
    ///   - wait: The maximum time to wait for another process that uses the store.
    /// - Throws: `store-unavailable` if the backup does not exist, `store-not-habitat` if the backup or the store is not
    ///   a file or the backup is empty, `usage` if both paths lead to the same file, `output-not-writable` if the store
    ///   cannot be created.
    public init(from backup: String, to store: String, now: Instant, wait: Duration) throws {
        try Self.requireBackup(backup)
        self.backup = backup
        self.store = try TemporaryOutput(store)
        self.now = now
        self.wait = wait
        if let status = self.store.status, status.st_mode & S_IFMT == S_IFDIR {
            throw HabitError(
                .storeNotHabitat, "the store '\(store)' is a folder: name a file", field: "store")
        }
        guard !self.store.isSame(as: backup) else {
            throw HabitError(
                .usage, "the backup '\(backup)' is the store itself: name the file of a backup", field: "file")
        }
    }

    /// Checks that the backup is a file with content.
    private static func requireBackup(_ path: String) throws {
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw HabitError(
                .storeUnavailable,
                "the backup '\(path)' cannot be read: \(String(cString: strerror(errno))); check the path",
                field: "file")
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw HabitError(.storeNotHabitat, "'\(path)' is not a file: name the file of a backup", field: "file")
        }
        guard status.st_size > 0 else {
            throw HabitError(
                .storeNotHabitat, "the backup '\(path)' is empty: choose another backup", field: "file")
        }
    }

    /// Copies the backup, checks the copy, and puts it in the place of the store.
    ///
    /// No other process can use the store until the method returns. The copy needs as much disk space as the backup. A
    /// backup with the schema of an earlier version is migrated. The backup itself does not change.
    ///
    /// - Returns: The size of the store and the path of the old store.
    /// - Throws: `store-unavailable` if the backup does not exist; `store-not-habitat` if the backup or the existing store
    ///   is another kind of file; `store-damaged` if the backup is damaged; `busy` if another process uses the store;
    ///   `no-space`, `output-not-writable` or `write-failed`.
    public func run() throws -> Result {
        guard store.status != nil else { return Result(bytes: try create(), old: nil) }
        return try StoreFile(store.target).withExclusiveUse(wait: wait) { remains in
            // The copy gets the name for the old store first. Then both names are exchanged, so that each of them leads
            // to a complete store at all times.
            let old = try nameForOldStore()
            let file = try AtomicFile(store, replaces: true, isNamed: true)
            defer { file.releaseSignals() }
            do {
                try copy(into: file)
                try file.copyOwner(of: store.target)
                let bytes = try file.size
                try file.commitHoldingSignals(as: old.pathParts.name)
                try replace(by: old, moving: remains)
                return Result(bytes: bytes, old: old)
            } catch {
                file.discard()
                throw error
            }
        }
    }

    /// Restores a store that does not exist, and returns its size.
    private func create() throws -> Int64 {
        try requireNoRemains()
        let file = try AtomicFile(store, replaces: false, isNamed: true)
        do {
            try copy(into: file)
            let bytes = try file.size
            try file.commit()
            return bytes
        } catch {
            file.discard()
            throw error
        }
    }

    // MARK: The copy

    private func copy(into file: AtomicFile) throws {
        let failed: [CheckResult]
        do {
            try StoreFile(backup).copy(to: file.temporaryPath, named: backup) { try file.checkSignals() }
            failed = try StoreFile(file.temporaryPath).examineCopy(named: backup)
                .filter { $0.status == .damaged }
        } catch let error as HabitError where error.code == .noSpace {
            throw HabitError(creating: store.path, ENOSPC)
        } catch let error as HabitError where error.code == .storeDamaged {
            // SQLite cannot read the pages of the file.
            throw damaged(["integrity"], cause: error)
        } catch let error as HabitError where error.code == .storeNotHabitat {
            throw HabitError(
                .storeNotHabitat, "'\(backup)' is not a backup of a Habitat store: choose another file", field: "file",
                cause: error)
        }
        try file.checkSignals()
        guard failed.isEmpty else { throw damaged(failed.map(Self.name)) }
    }

    /// Returns the name of a check, with the objects that make the schema of a backup dangerous.
    private static func name(_ result: CheckResult) -> String {
        guard result.check == "schema", let detail = result.detail else { return result.check }
        return "schema: \(detail)"
    }

    private func damaged(_ checks: [String], cause: HabitError? = nil) -> HabitError {
        HabitError(
            .storeDamaged,
            "the backup '\(backup)' is damaged (\(checks.joined(separator: ", "))), so the store was not changed: choose another backup, or repair a copy of this one",
            cause: cause)
    }

    // MARK: The old store

    /// Returns an unused name such as `habitat.db.before-restore-20261120T120000Z`.
    private func nameForOldStore() throws -> String {
        let digits = OffsetInstant(now, offset: nil).description.filter { $0.isNumber || $0 == "T" }
        let base = "\(store.target).before-restore-\(digits.prefix(15))Z"
        let names = [base] + (2...100).map { "\(base)-\($0)" }
        guard let name = names.first(where: { access($0, F_OK) != 0 }) else {
            throw HabitError(.outputExists, "'\(base)' already exists: move the old stores to another folder")
        }
        return name
    }

    /// Checks that no part of an earlier store is next to a missing store, because SQLite would add it to the new store.
    private func requireNoRemains() throws {
        for suffix in StoreFile.companions where access(store.target + suffix, F_OK) == 0 {
            throw HabitError(
                .outputExists,
                "'\(store.path)\(suffix)' belongs to a store that is missing: move it to another folder")
        }
    }

    /// Exchanges the store and the complete copy.
    ///
    /// - Parameters:
    ///   - copy: The path of the copy, which becomes the path of the old store.
    ///   - remains: The suffixes of the other files of a damaged store, which are renamed with it.
    /// - Throws: As ``run()``. The old store then has its name again.
    private func replace(by copy: String, moving remains: [String]) throws {
        var moved: [String] = []
        do {
            for suffix in remains {
                guard rename(store.target + suffix, copy + suffix) == 0 else {
                    throw HabitError(creating: copy + suffix, errno)
                }
                moved.append(suffix)
            }
            try FileExchange.exchange(copy, store.target)
        } catch {
            for suffix in moved { rename(copy + suffix, store.target + suffix) }
            unlink(copy)
            throw error
        }
        try TemporaryOutput.synchronize(folder: store.folder)
    }
}
