import Foundation
import HabitModel
import Rendering

/// The one that may write to a folder of nights: it holds the lock while it lives. Made and used by one thread.
public final class NightWriter {
    static let latest = "latest"

    public let nights: NightFolder
    private let lock: NightLock

    init(_ nights: NightFolder) throws {
        self.nights = nights
        lock = try NightLock(nights)
        try checkLatest()
        try NightLeftovers(nights: nights).clean()
        try moveLatest()
    }

    /// Makes a night, in the place of an older one of its date, and moves `latest`.
    ///
    /// `fill` writes the files. Nothing of the night is to be seen until all of it is on the disk; where `fill` throws,
    /// or Ctrl-C or SIGTERM comes, nothing of it remains. The same files make the same folder, byte for byte.
    ///
    /// - Parameters:
    ///   - timeZone: the time zone of the report day, for the manifest.
    ///   - version: the program's, for the manifest.
    /// - Throws: what `fill` throws; `output-exists` where something that is no night has the name of the date or of
    ///   `latest`; `output-not-writable`, `no-space`, `write-failed`.
    public func publish(_ day: Day, timeZone: String, version: String, fill: (NightDraft) throws -> Void) throws {
        try checkLatest()
        try nights.requireNothingElse(day)
        let path = nights.path(of: day)
        let replaces = nights.holds(day)
        let folder = try AtomicFolder(path, sharing: nights.sharing, replaces: replaces, followsLinks: false)
        // Also where the value outlives this call, as that of an error that holds it.
        defer { folder.discard() }
        let draft = NightDraft(folder, NightManifest(date: day, timeZone: timeZone, habitat: version))
        try fill(draft)
        try draft.finish()
        try folder.commit()
        try moveLatest()
    }

    /// Removes all nights but the newest `count` and that of `made`, and nothing else; gives the dates of those it removed.
    ///
    /// A night is gone at once: it gets a hidden name before its files go. Who is reading one of them keeps it.
    ///
    /// - Throws: `parameter-invalid` where `count` is less than 1; `output-exists` where one holds something else as well, and
    ///   then none is removed; `output-not-writable`, `input-unreadable`.
    @discardableResult
    public func keep(_ count: Int, and made: Day? = nil) throws -> [Day] {
        guard count >= 1 else {
            throw HabitError(.parameterInvalid, "at least 1 night is kept, not \(count)", field: "keep")
        }
        try moveLatest()
        let old = try nights.nights.dropLast(count).filter { $0 != made }
        for day in old { try nights.requireNothingElse(day) }
        for day in old { try remove(day) }
        return old
    }

    private func remove(_ day: Day) throws {
        let signals = HeldSignals()
        defer { withExtendedLifetime(signals) {} }
        let output = try TemporaryOutput(nights.path(of: day), followsLinks: false)
        guard rename(output.target, output.temporaryPath) == 0 else { throw HabitError(creating: nights.path, errno) }
        // So that no crash brings back a night of which some files are gone.
        try TemporaryOutput.synchronize(folder: nights.path)
        do {
            try FileManager.default.removeItem(atPath: output.temporaryPath)
        } catch {
            throw HabitError(
                .outputNotWritable,
                "\(output.temporaryPath), the night of \(day), cannot be removed: remove it yourself")
        }
    }

    /// Lets `latest` lead to the newest night: a new link takes the place of the old one.
    private func moveLatest() throws {
        try checkLatest()
        guard let newest = try nights.nights.last else { return }
        let output = try TemporaryOutput(nights.file(Self.latest), followsLinks: false)
        if (try? FileManager.default.destinationOfSymbolicLink(atPath: output.target)) == "\(newest)" { return }
        let signals = HeldSignals()
        defer { withExtendedLifetime(signals) {} }
        guard symlink("\(newest)", output.temporaryPath) == 0 else { throw HabitError(creating: output.target, errno) }
        guard rename(output.temporaryPath, output.target) == 0 else {
            let number = errno
            unlink(output.temporaryPath)
            throw HabitError(creating: output.target, number)
        }
        try TemporaryOutput.synchronize(folder: nights.path)
    }

    private func checkLatest() throws {
        let path = nights.file(Self.latest)
        guard let kind = nights.kind(of: path), kind != S_IFLNK else { return }
        throw HabitError(
            .outputExists,
            "\(path) is there already, and no symbolic link: move it away, for it is to lead to the last night")
    }
}
