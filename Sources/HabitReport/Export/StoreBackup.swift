import Foundation
import HabitModel
import Rendering
import StoreEngine

/// Copies a store into a file while others use it: all of one state, or no file. Only its owner may read it.
public struct StoreBackup {
    private let output: TemporaryOutput
    private let replaces: Bool

    /// Checks the path of the copy.
    ///
    /// - Parameters:
    ///   - path: The path of the copy.
    ///   - replaces: Whether the file may take the place of another.
    ///   - store: The path of the store, which no copy may replace.
    /// - Throws: `output-exists`, or `output-not-writable` if no file can be there.
    public init(to path: String, replaces: Bool, store: String) throws {
        output = try TemporaryOutput(path)
        self.replaces = replaces
        for file in ["", "-wal", "-shm", "-journal"].map({ store + $0 }) where output.isSame(as: file) {
            throw HabitError(.outputExists, "'\(path)' belongs to the store itself: name another file")
        }
        guard let status = output.status, status.st_mode & S_IFMT != S_IFREG else { return }
        throw HabitError(
            .outputNotWritable, "'\(path)' is no file that could be replaced: name a file in it, or another")
    }

    /// Writes the copy and returns its size in bytes. Needs as much space as the store takes.
    ///
    /// - Throws: `no-space`, `output-exists`, `output-not-writable`, `write-failed`; `store-damaged` if the copy is not whole; `usage` if
    ///   the store is not a file.
    public func run(_ engine: any Engine) throws -> Int64 {
        guard let copier = engine.fileCopier else {
            throw HabitError(.usage, "a PostgreSQL database is no file: it is backed up with pg_dump")
        }
        let file = try AtomicFile(output, replaces: replaces, isNamed: true)
        do {
            try copier.copy(to: file.temporaryPath) { try file.checkSignals() }
            let size = try file.size
            try file.commit()
            return size
        } catch {
            file.discard()
            throw explained(error)
        }
    }

    /// SQLite's errors name the temporary file.
    private func explained(_ error: any Error) -> any Error {
        guard let error = error as? HabitError, error.message.contains(output.temporaryPath) else { return error }
        switch error.code {
        case .noSpace: return HabitError(writing: output.path, ENOSPC)
        case .writeFailed:
            return HabitError(.writeFailed, "writing \(output.path) failed: nothing of it is left")
        default: return error
        }
    }
}
