import Base
import Foundation
import HabitModel
import Rendering

/// The only writer of a nightly archive, which holds its lock.
///
/// It must be created and used on one thread.
public final class NightlyArchiveWriter {
    /// The name of the link to the newest run.
    static let latest = "latest"

    /// The archive.
    public let archive: NightlyArchive
    private let lock: NightlyArchiveLock

    init(_ archive: NightlyArchive) throws {
        self.archive = archive
        lock = try NightlyArchiveLock(archive)
        try checkLatest()
        try NightlyIndex(archive).check()
        try AbandonedRuns(archive: archive).clean()
        try moveLatest()
    }

    /// Publishes a nightly run, replaces an older run of the same date, and updates `latest`.
    ///
    /// The folder of the run appears when all its files are on disk. If `fill` throws an error or the process receives
    /// SIGINT (Ctrl-C) or SIGTERM, no files remain. Equal files produce equal folders, byte for byte.
    ///
    /// - Parameters:
    ///   - manifest: The manifest without files.
    ///   - fill: Writes the files of the run.
    /// - Throws: The error of `fill`; `output-exists` if the path of the date or of `latest` contains other files;
    ///   `output-not-writable`, `no-space` or `write-failed`.
    public func publish(_ manifest: NightlyManifest, fill: (NightlyRunDraft) throws -> Void) throws {
        let day = manifest.date
        try checkLatest()
        try archive.requireNothingElse(day)
        let path = archive.path(of: day)
        let replaces = archive.holds(day)
        let folder = try AtomicFolder(path, sharing: archive.sharing, replaces: replaces, followsLinks: false)
        // An error that keeps a reference to the folder must not keep its files.
        defer { folder.discard() }
        let draft = NightlyRunDraft(folder, manifest)
        try fill(draft)
        try draft.finish()
        try folder.commit()
        try moveLatest()
    }

    /// Removes all nightly runs except the newest `count` runs and the run of `made`.
    ///
    /// Each folder gets a hidden name before its files are removed, so a run disappears completely in one step. A
    /// process that reads an open file can read it to the end.
    ///
    /// - Parameters:
    ///   - count: The number of runs to keep, at least 1.
    ///   - made: The date of a further run to keep, or `nil`.
    /// - Returns: The dates of the removed runs.
    /// - Throws: `parameter-invalid` if `count` is less than 1; `output-exists` if a run to remove contains other
    ///   files, and then no run is removed; `output-not-writable` or `input-unreadable`.
    @discardableResult
    public func keep(_ count: Int, and made: Day? = nil) throws -> [Day] {
        guard count >= 1 else {
            throw HabitError(.parameterInvalid, "\(count) nightly runs cannot be kept: keep at least 1", field: "keep")
        }
        try moveLatest()
        let old = try archive.runDays.dropLast(count).filter { $0 != made }
        for day in old { try archive.requireNothingElse(day) }
        for day in old { try remove(day) }
        return old
    }

    /// Writes the list of the runs, `index.html`, if it has changed.
    ///
    /// Call it after the last change of the archive.
    ///
    /// - Throws: `output-exists` if another file has the name; `output-not-writable`, `no-space` or `write-failed`.
    public func writeIndex() throws { try NightlyIndex(archive).write() }

    private func remove(_ day: Day) throws {
        let signals = BlockedSignals()
        defer { withExtendedLifetime(signals) {} }
        let output = try TemporaryOutput(archive.path(of: day), followsLinks: false)
        guard rename(output.target, output.temporaryPath) == 0 else { throw HabitError(creating: archive.path, errno) }
        // After a crash, an incomplete folder must not have its former name again.
        try TemporaryOutput.synchronize(folder: archive.path)
        do {
            try FileManager.default.removeItem(atPath: output.temporaryPath)
        } catch {
            throw HabitError(
                .outputNotWritable,
                "'\(output.temporaryPath)', the renamed folder of the nightly run \(day), cannot be removed: remove it manually"
            )
        }
    }

    /// Replaces the link `latest` by a link to the newest run, in one step.
    private func moveLatest() throws {
        try checkLatest()
        guard let newest = try archive.newest()?.date else { return }
        let output = try TemporaryOutput(archive.file(Self.latest), followsLinks: false)
        if (try? FileManager.default.destinationOfSymbolicLink(atPath: output.target)) == "\(newest)" { return }
        let signals = BlockedSignals()
        defer { withExtendedLifetime(signals) {} }
        guard symlink("\(newest)", output.temporaryPath) == 0 else { throw HabitError(creating: output.target, errno) }
        guard rename(output.temporaryPath, output.target) == 0 else {
            let number = errno
            unlink(output.temporaryPath)
            throw HabitError(creating: output.target, number)
        }
        try TemporaryOutput.synchronize(folder: archive.path)
    }

    private func checkLatest() throws {
        let path = archive.file(Self.latest)
        guard let kind = archive.kind(of: path), kind != S_IFLNK else { return }
        throw HabitError(
            .outputExists,
            "'\(path)' exists and is not a symbolic link to the newest run: move it to another folder")
    }
}
