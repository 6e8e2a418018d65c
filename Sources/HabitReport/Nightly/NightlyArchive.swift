import Base
import Foundation
import HabitModel
import Rendering

/// A nightly archive: a folder for each date, named `YYYY-MM-DD`, and the symbolic link `latest` to the newest.
///
/// Reading needs no lock, because the folder of a date appears when it is complete. Writing needs ``lock()``.
public struct NightlyArchive: Sendable {
    /// The path of the archive, without trailing slashes.
    public let path: String
    /// The permissions of new folders and files.
    ///
    /// Existing folders and files keep their permissions.
    let sharing: OutputSharing

    /// Opens the archive and creates its folder if it does not exist.
    ///
    /// - Parameters:
    ///   - path: The path of the archive.
    ///   - sharing: The permissions of new folders and files.
    ///   - forReading: Whether a missing folder is an error.
    /// - Throws: `output-not-writable`, `no-space`, or `input-not-found` for a missing folder.
    public init(_ path: String, sharing: OutputSharing = .owner, forReading: Bool = false) throws {
        self.sharing = sharing
        guard !path.isEmpty else {
            throw HabitError(.outputNotWritable, "the path of the output folder is empty: enter a path")
        }
        var trimmed = path[...]
        while trimmed.utf8.count > 1, trimmed.hasSuffix("/") { trimmed.removeLast() }
        self.path = String(trimmed)
        var status = stat()
        guard stat(self.path, &status) == 0 else {
            guard !forReading else {
                throw HabitError(
                    .inputNotFound, "the folder does not exist: choose a folder with nightly runs", file: path
                )
            }
            try make()
            return
        }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw HabitError(.outputNotWritable, "'\(path)' is not a folder: choose a folder or a new path")
        }
    }

    private func make() throws {
        let parent = path.pathParts.folder
        if mkdir(path, sharing.permissions) != 0 {
            if errno == EEXIST { return }
            let number = errno
            throw try TemporaryOutput(path).creationError(number)
        }
        try sharing.setPermissions(ofNewFolder: path)
        try TemporaryOutput.synchronize(folder: parent)
    }

    /// Returns the path of the folder for a date, even if the folder does not exist.
    ///
    /// - Parameter day: The date.
    /// - Returns: The path of the folder.
    public func path(of day: Day) -> String { file("\(day)") }

    /// The dates of the nightly runs in the archive, oldest first.
    ///
    /// The folder of a run contains the manifest of its date. Links to folders and all other files are ignored.
    ///
    /// - Throws: `input-unreadable` if the archive cannot be read.
    public var runDays: [Day] {
        get throws { try dates.filter(holds) }
    }

    /// The dates that are names in the archive, oldest first.
    private var dates: [Day] {
        get throws { try names.compactMap { name in Day(name) }.sorted() }
    }

    /// Whether the archive contains the nightly run of a date.
    ///
    /// - Parameter day: The date.
    /// - Returns: Whether the folder of the date exists and contains the manifest of that date.
    public func holds(_ day: Day) -> Bool { manifest(of: day) != nil }

    /// Returns the manifest of the nightly run of a date, or `nil` if the archive does not contain the run.
    public func manifest(of day: Day) -> NightlyManifest? {
        guard kind(of: path(of: day)) == S_IFDIR else { return nil }
        let manifest = try? NightlyManifest(inFolder: path(of: day))
        return manifest?.date == day ? manifest : nil
    }

    /// Returns the manifest of the newest run, or of the newest run before a date.
    ///
    /// Only the manifests from the date of the result on are read.
    ///
    /// - Parameter day: The date after the run, or `nil` for the newest run of all.
    /// - Returns: The manifest, or `nil` if the archive has no such run.
    /// - Throws: `input-unreadable` if the archive cannot be read.
    public func newest(before day: Day? = nil) throws -> NightlyManifest? {
        let earlier = try dates.prefix { date in
            guard let day else { return true }
            return date < day
        }
        return earlier.reversed().lazy.compactMap(manifest).first
    }

    /// Returns the manifest of the oldest run after a date.
    ///
    /// - Parameter day: The date before the run.
    /// - Returns: The manifest, or `nil` if the archive has no later run.
    /// - Throws: `input-unreadable` if the archive cannot be read.
    public func oldest(after day: Day) throws -> NightlyManifest? {
        let later = try dates.filter { date in day < date }
        return later.lazy.compactMap(manifest).first
    }

    /// Returns the dates that remain after ``NightlyArchiveWriter/keep(_:and:)`` if runs are added first.
    ///
    /// - Parameters:
    ///   - count: The number of newest runs to keep.
    ///   - added: The dates of the added runs.
    ///   - made: The date of a further run to keep.
    /// - Returns: The dates.
    /// - Throws: `input-unreadable` if the archive cannot be read.
    public func remaining(_ count: Int, after added: [Day], and made: Day) throws -> Set<Day> {
        let days = Set(try runDays + added)
        let newest = days.sorted().suffix(count)
        return Set(newest).union([made])
    }

    /// Checks that the folder of a date can be replaced or removed without loss of other files.
    ///
    /// - Throws: `output-exists` if the path is neither an empty folder nor the folder of a nightly run, or if the
    ///   folder contains other files.
    func requireNothingElse(_ day: Day) throws {
        let path = path(of: day)
        guard let kind = kind(of: path) else { return }
        let names = kind == S_IFDIR ? (try? FileManager.default.contentsOfDirectory(atPath: path)) : nil
        if names == [] { return }
        guard let names, let manifest = manifest(of: day) else {
            throw HabitError(
                .outputExists, "'\(path)' exists and is not a nightly run: move it to another folder")
        }
        let own = Set(manifest.files.map(\.name) + [NightlyManifest.name])
        let other = names.sorted().first { name in !own.contains(name) }
        guard let other else { return }
        throw HabitError(
            .outputExists,
            "'\(path)' contains '\(other)', which is not part of the nightly run: move it to another folder")
    }

    /// Locks the archive for writing until the writer is released or the process ends.
    ///
    /// Removes the temporary files of killed runs and updates `latest` if necessary.
    ///
    /// - Returns: The only writer of the archive.
    /// - Throws: `busy` if another process writes to the archive, `output-exists` if `latest` is not a symbolic link,
    ///   `output-not-writable`, `no-space` or `input-unreadable`.
    public func lock() throws -> NightlyArchiveWriter { try NightlyArchiveWriter(self) }

    var names: [String] {
        get throws {
            do {
                return try FileManager.default.contentsOfDirectory(atPath: path)
            } catch {
                throw HabitError(.inputUnreadable, "the folder '\(path)' cannot be read: check its permissions")
            }
        }
    }

    func file(_ name: String) -> String { path.hasSuffix("/") ? path + name : path + "/" + name }

    /// Returns the file type at the path without following symbolic links, or `nil` if the path does not exist.
    func kind(of path: String) -> mode_t? {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
    }
}
