import Base
import Foundation
import HabitModel
import HabitStore
import Rendering
import StoreEngine

/// The unpublished output folder of a nightly run.
///
/// Each file written to it is added to its manifest. Several threads can write different files at the same time.
public final class NightlyRunDraft: @unchecked Sendable {
    // The lock protects the list of files and the number of incomplete files.
    private let lock = NSLock()
    private let folder: AtomicFolder
    /// The manifest of the files written so far.
    public internal(set) var manifest: NightlyManifest
    /// The number of files whose writing has begun and not ended.
    private var incompleteFiles = 0

    init(_ folder: AtomicFolder, _ manifest: NightlyManifest) {
        self.folder = folder
        self.manifest = manifest
    }

    /// Writes a file, and computes its size and digest while writing.
    ///
    /// - Parameters:
    ///   - file: The manifest entry of the file. This function sets its size, digest and number of rows.
    ///   - body: Writes to the buffer, which is closed after the call. Returns the number of rows, or `nil` if the file
    ///     does not consist of rows.
    /// - Throws: The error of `body`, `output-not-writable` if the file exists, `no-space` or `write-failed`.
    public func write(_ file: NightlyManifest.File, _ body: (OutputBuffer) throws -> Int?) throws {
        guard NightlyManifest.isFileName(file.name) else {
            throw HabitError(.internal, "'\(file.name)' is not a valid file name for a nightly run")
        }
        lock.withLock { incompleteFiles += 1 }
        let sink = DigestSink(try folder.open(file.name))
        let buffer = OutputBuffer(sink)
        var file = file
        file.rows = try body(buffer)
        try buffer.close()
        file.sha256 = sink.digest
        file.bytes = sink.count
        lock.withLock {
            manifest.files.append(file)
            incompleteFiles -= 1
        }
    }

    /// Creates storage for the content of files that are written later.
    ///
    /// - Returns: Empty storage on the file system of the folder.
    /// - Throws: `no-space` or `output-not-writable`.
    func makeSpool() throws -> Spool { try Spool(folder.openUnnamed()) }

    /// Runs `body`, and stops its queries when the process receives Ctrl-C or SIGTERM.
    ///
    /// The signal then ends the process as soon as the folder is discarded.
    ///
    /// - Parameters:
    ///   - team: The connections that `body` uses.
    ///   - body: A closure that writes files.
    /// - Returns: The result of `body`.
    /// - Throws: The error of `body`, or `internal` if no thread can be started.
    func stoppingQueries<Result>(of team: ReadTeam, _ body: () throws -> Result) throws -> Result {
        let ended = NSCondition()
        var hasEnded = false
        let watch = try WorkerThread { [folder] in
            ended.withLock {
                while !hasEnded {
                    if folder.isStopped { team.interrupt() }
                    _ = ended.wait(until: Date(timeIntervalSinceNow: 0.1))
                }
            }
        }
        defer {
            ended.withLock {
                hasEnded = true
                ended.signal()
            }
            watch.join()
        }
        return try body()
    }

    /// Writes the manifest, which is the last file.
    ///
    /// - Throws: `output-not-writable` if the manifest is larger than a manifest that can be read; `internal` if a file is
    ///   incomplete, even if the caller has caught the error of that file.
    func finish() throws {
        guard incompleteFiles == 0 else { throw HabitError(.internal, "a file of the nightly run is incomplete") }
        let json = try manifest.json
        guard json.count <= NightlyManifest.mostBytes else {
            throw HabitError(
                .outputNotWritable,
                "the nightly run has \(manifest.files.count) files, too many for its manifest: make it without the digests of users"
            )
        }
        let buffer = OutputBuffer(try folder.open(NightlyManifest.name))
        buffer.append(json)
        try buffer.close()
    }
}
