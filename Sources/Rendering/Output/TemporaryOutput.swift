import Base
import Foundation

/// The path of an output, and the hidden path `.name.XXXXXX.tmp` in the same folder for the incomplete output.
///
/// Files, folders, copies of stores and the outputs of nightly runs are written under such a name. A run holds a lock
/// on its temporary file or folder (flock(2)). The system releases the lock when the run ends, even if it is killed. A
/// temporary output without a lock is therefore abandoned.
package struct TemporaryOutput {
    /// The path that the user typed, for messages.
    package let path: String
    /// The path with a symbolic link resolved, and without trailing slashes.
    package let target: String
    /// The folder of both paths.
    package let folder: String
    /// The last component of ``target``.
    let name: String
    /// The last component of ``temporaryPath``.
    let temporaryName: String

    /// The prefix of the names of all temporary outputs of the target.
    private let prefix: String

    private static let ending = ".tmp"
    private static let letters = Array("abcdefghijklmnopqrstuvwxyz0123456789".utf8)
    private static let letterCount = 6
    /// Maximum number of characters that the temporary name repeats.
    ///
    /// File systems limit a name to 255 bytes.
    private static let repeatedCount = 40

    /// Chooses a temporary name for the output at `path`.
    ///
    /// This does not create anything.
    ///
    /// - Parameters:
    ///   - path: The path of the output.
    ///   - followsLinks: Whether a symbolic link at `path` is resolved.
    /// - Throws: `output-not-writable` if the path is empty or is a broken symbolic link.
    package init(_ path: String, followsLinks: Bool = true) throws {
        guard !path.isEmpty else { throw HabitError(.outputNotWritable, "the output path is empty: enter a path") }
        self.path = path
        target = try followsLinks ? Self.resolved(path) : path
        let parts = target.pathParts
        folder = parts.folder
        name = parts.name
        let shortName = String(name.unicodeScalars.prefix(Self.repeatedCount))
        prefix = ".\(shortName)."
        let letters = (0..<Self.letterCount).compactMap { _ in Self.letters.randomElement() }
        let random = String(decoding: letters, as: UTF8.self)
        temporaryName = prefix + random + Self.ending
    }

    /// The hidden path of the incomplete output.
    package var temporaryPath: String { folder + "/" + temporaryName }

    private static func resolved(_ path: String) throws -> String {
        var trimmed = path[...]
        while trimmed.count > 1, trimmed.hasSuffix("/") { trimmed.removeLast() }
        let name = trimmed.pathParts.name
        var status = stat()
        let isLink = lstat(String(trimmed), &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
        guard isLink || name == "." || name == ".." else { return String(trimmed) }
        guard let resolved = realpath(String(trimmed), nil) else {
            throw HabitError(
                .outputNotWritable, "'\(path)' is a broken symbolic link: remove it or choose another path")
        }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    // MARK: Existing files

    /// The status of the file or folder at the path, or `nil` if it does not exist.
    package var status: stat? {
        var status = stat()
        return lstat(target, &status) == 0 ? status : nil
    }

    /// Whether something other than a folder exists at the path.
    var isOccupied: Bool {
        guard let status else { return false }
        return status.st_mode & S_IFMT != S_IFDIR
    }

    /// Whether the output is the file at `other`.
    ///
    /// Files that do not exist are compared by path.
    package func isSame(as other: String) -> Bool {
        var first = stat()
        var second = stat()
        guard stat(target, &first) == 0, stat(other, &second) == 0 else {
            let targetURL = URL(fileURLWithPath: target).standardizedFileURL
            let otherURL = URL(fileURLWithPath: other).standardizedFileURL
            return targetURL == otherURL
        }
        let isOnSameDevice = first.st_dev == second.st_dev
        return isOnSameDevice && first.st_ino == second.st_ino
    }

    // MARK: Abandoned outputs

    /// Locks the temporary output that this process has just created.
    ///
    /// - Returns: `false` if another run treats the output as abandoned and removes it. The caller must then create
    ///   another output.
    static func claim(_ descriptor: Int32) -> Bool {
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            // Some file systems do not support locks.
            return errno != EWOULDBLOCK
        }
        var status = stat()
        return fstat(descriptor, &status) != 0 || status.st_nlink > 0
    }

    /// Removes the temporary outputs of the same target that belong to killed runs.
    func removeAbandoned() {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for name in names where isTemporary(name) {
            Self.removeAbandoned("\(folder)/\(name)")
        }
    }

    /// Whether `name` is a name of a temporary output of the same target.
    private func isTemporary(_ name: String) -> Bool {
        guard name.hasPrefix(prefix), name.hasSuffix(Self.ending) else { return false }
        let letters = name.dropFirst(prefix.count).dropLast(Self.ending.count)
        return letters.utf8.count == Self.letterCount && letters.utf8.allSatisfy(Self.letters.contains)
    }

    private static func removeAbandoned(_ path: String) {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return }
        try? FileManager.default.removeItem(atPath: path)
        removeCompanions(of: path)
    }

    /// Removes the files that SQLite keeps next to a database: the rollback journal, the WAL and the shared memory.
    static func removeCompanions(of path: String) {
        for companion in ["-journal", "-wal", "-shm"] { unlink(path + companion) }
    }

    // MARK: Errors and durability

    /// Returns the error for a system error number that occurs when the output is created.
    package func creationError(_ number: Int32) -> HabitError {
        let folderName = folder == "." ? "the current folder" : "the folder '\(folder)'"
        let problem =
            switch number {
            // Some special file systems report that a file that cannot be created does not exist.
            case ENOENT where Self.isFolder(folder): "does not accept new files: choose another folder"
            case ENOENT: "does not exist: create it first"
            case ENOTDIR: "is not a folder: choose another path"
            case EACCES, EPERM: "is not writable: choose another folder"
            case EROFS: "is on a read-only file system: choose another folder"
            default: "cannot be written (\(reason(number))): choose another folder"
            }
        return HabitError.isExhaustion(number)
            ? HabitError(creating: folder, number) : HabitError(.outputNotWritable, "\(folderName) \(problem)")
    }

    /// Whether a folder exists at a path.
    package static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Makes the names in a folder durable (fsync(2)).
    ///
    /// The error EINVAL is ignored, because some file systems do not support this.
    ///
    /// - Throws: `no-space` or `write-failed`.
    package static func synchronize(folder: String) throws {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { close(descriptor) }
        guard descriptor >= 0, fsync(descriptor) == 0 || errno == EINVAL else {
            throw HabitError(writing: folder, errno)
        }
    }
}
