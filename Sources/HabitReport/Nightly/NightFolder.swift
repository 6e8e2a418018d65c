import Foundation
import HabitModel
import Rendering

/// A folder of nights: one folder a date, named `YYYY-MM-DD`, and the symbolic link `latest` to the newest.
///
/// Reading needs no lock: a night is whole whenever it is there. Writing does: ``lock()``.
public struct NightFolder: Sendable {
    public let path: String
    /// Which users can read what is created here. Folders and files that exist keep their permissions.
    let sharing: OutputSharing

    /// Makes the folder where it is missing, if it is to be written to.
    ///
    /// - Throws: `output-not-writable`, `no-space`; `input-not-found`.
    public init(_ path: String, sharing: OutputSharing = .owner, forReading: Bool = false) throws {
        self.sharing = sharing
        guard !path.isEmpty else {
            throw HabitError(.outputNotWritable, "the name of the folder of nights is empty: give one")
        }
        var trimmed = path[...]
        while trimmed.utf8.count > 1, trimmed.hasSuffix("/") { trimmed.removeLast() }
        self.path = String(trimmed)
        var status = stat()
        guard stat(self.path, &status) == 0 else {
            guard !forReading else {
                throw HabitError(.inputNotFound, "there is no folder \(path): name one that holds nights", file: path)
            }
            try make()
            return
        }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw HabitError(.outputNotWritable, "\(path) is not a folder: name one, or a place where there is nothing")
        }
    }

    private func make() throws {
        let parent = path.pathParts.folder
        guard mkdir(path, sharing.permissions) == 0 || errno == EEXIST else {
            if errno == ENOENT {
                throw HabitError(.outputNotWritable, "the folder \(parent) does not exist: create it first")
            }
            throw HabitError(creating: path, errno)
        }
        try TemporaryOutput.synchronize(folder: parent)
    }

    /// The folder of a night, be it there or not.
    public func path(of day: Day) -> String { file("\(day)") }

    /// The dates of the nights that are there, oldest first.
    ///
    /// A night is a folder, no link to one, that holds the manifest of its date; nothing else is looked at.
    ///
    /// - Throws: `input-unreadable` where the folder cannot be read.
    public var nights: [Day] {
        get throws { try names.compactMap { Day($0) }.filter(holds).sorted() }
    }

    /// Whether the night of a date is there.
    public func holds(_ day: Day) -> Bool { manifest(of: day) != nil }

    private func manifest(of day: Day) -> NightManifest? {
        guard kind(of: path(of: day)) == S_IFDIR else { return nil }
        let manifest = try? NightManifest(inFolder: path(of: day))
        return manifest?.date == day ? manifest : nil
    }

    /// Throws `output-exists` where what has the name of a date is anything else than a night, or holds anything else than
    /// one's files: nobody would want it removed.
    func requireNothingElse(_ day: Day) throws {
        let path = path(of: day)
        guard let kind = kind(of: path) else { return }
        let names = kind == S_IFDIR ? (try? FileManager.default.contentsOfDirectory(atPath: path)) : nil
        if names == [] { return }
        guard let names, let manifest = manifest(of: day) else {
            throw HabitError(
                .outputExists, "\(path) is there already, and is no night that can be replaced: move it away")
        }
        let own = Set(manifest.files.map(\.name) + [NightManifest.name])
        guard let other = names.sorted().first(where: { !own.contains($0) }) else { return }
        throw HabitError(.outputExists, "\(path) holds '\(other)', which is not of the night: move it away")
    }

    /// The dates from `since` to `through` that have no night, oldest first.
    ///
    /// - Throws: as ``nights``.
    public func missing(since: Day, through: Day) throws -> [Day] {
        guard since <= through else { return [] }
        let there = Set(try nights)
        return (since...through).filter { !there.contains($0) }
    }

    /// Makes this the only program that writes nights here, until the value goes or the program ends.
    ///
    /// Removes what runs that were killed have left, and moves `latest` if need be.
    ///
    /// - Throws: `busy` where another run writes here; `output-exists` where `latest` is no link; `output-not-writable`.
    public func lock() throws -> NightWriter { try NightWriter(self) }

    var names: [String] {
        get throws {
            do {
                return try FileManager.default.contentsOfDirectory(atPath: path)
            } catch {
                throw HabitError(.inputUnreadable, "the folder \(path) cannot be read: check its permissions")
            }
        }
    }

    func file(_ name: String) -> String { path.hasSuffix("/") ? path + name : path + "/" + name }

    /// The type of what stands at the path, a link being one; nil where there is nothing.
    func kind(of path: String) -> mode_t? {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
    }
}
