import Base
import Foundation
import HabitModel
import Rendering
import StoreEngine

/// A backup that copies a store to a file while other processes use the store.
///
/// The copy contains one consistent state of the store. If the backup fails, no file remains. Only the owner of the
/// file can read it.
public struct StoreBackup {
    private let output: TemporaryOutput
    private let replaces: Bool

    /// Checks the path of the copy.
    ///
    /// - Parameters:
    ///   - path: The path of the copy.
    ///   - replaces: Whether the copy may replace an existing file.
    ///   - store: The path of the store, which the copy must not replace.
    /// - Throws: `output-exists`, or `output-not-writable` if the copy cannot be created at the path.
    public init(to path: String, replaces: Bool, store: String) throws {
        output = try TemporaryOutput(path)
        self.replaces = replaces
        for file in ["", "-wal", "-shm", "-journal"].map({ store + $0 }) where output.isSame(as: file) {
            throw HabitError(.outputExists, "'\(path)' is a file of the store: choose another file")
        }
        guard let status = output.status, status.st_mode & S_IFMT != S_IFREG else { return }
        throw HabitError(
            .outputNotWritable, "'\(path)' is not a regular file: choose another path")
    }

    /// Writes the copy and returns its size in bytes.
    ///
    /// The copy needs as much disk space as the store.
    ///
    /// - Parameter engine: The engine of the store, which must be a file.
    /// - Returns: The size of the copy in bytes.
    /// - Throws: `no-space`, `output-exists`, `output-not-writable` or `write-failed`; `store-damaged` if the copy is
    ///   not intact; `usage` if the store is not a file.
    public func run(_ engine: any Engine) throws -> Int64 {
        guard let copier = engine.fileCopier else {
            throw HabitError(.usage, "a PostgreSQL store is not a file: back it up with pg_dump")
        }
        let file = try AtomicFile(output, replaces: replaces, isNamed: true)
        do {
            try copier.copy(to: file.temporaryPath, named: output.path) { try file.checkSignals() }
            let size = try file.size
            try file.commit()
            return size
        } catch {
            file.discard()
            throw error
        }
    }
}
