import Glibc
import HabitModel

/// A file that takes its name, and the place of an older one, only when it is complete.
///
/// The bytes go to a file without a name in the same folder, which is gone if the program is killed. `commit()` writes it
/// through to the disk, names it `.name.XXXXXX.tmp` and renames it; an error, or dropping the value without `commit()`,
/// leaves the older file as it was. Where the system knows no nameless files it has that name from the beginning.
public final class AtomicFile: OutputSink {
    private let path: String
    private let name: String
    private let temporaryName: String
    private let replaces: Bool
    /// The folder is held open, so that both names lie in the same one whatever happens meanwhile.
    private let folder: Int32
    private var file: Int32 = -1
    private var isNamed = false

    /// Creates the temporary file beside `path`.
    ///
    /// - Parameters:
    ///   - sharing: which users can read the new file. The permissions of a replaced file do not matter.
    ///   - replaces: whether the file may take the place of another; else one that is there is `.outputExists`.
    ///   - followsLinks: whether a symbolic link at `path` stands for the file that it leads to, or is itself replaced.
    /// - Throws: `HabitError` with `.outputNotWritable`, which says what is wrong with which folder, or `.noSpace`.
    public init(
        _ path: String, replaces: Bool = true, sharing: OutputSharing = .owner, followsLinks: Bool = true
    ) throws {
        self.path = path
        self.replaces = replaces
        let target = try followsLinks ? Self.linkTarget(of: path) : path
        let (folderPath, name) = target.pathParts
        try Self.check(target, name, of: path)
        self.name = name
        var status = stat()
        if !replaces, lstat(target, &status) == 0 { throw Self.exists(path) }
        temporaryName = "." + String(name.unicodeScalars.prefix(40)) + "." + Self.randomLetters() + ".tmp"
        folder = open(folderPath, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw Self.error(inFolder: folderPath, errno) }
        let permissions = sharing.permissions & 0o666
        // A nameless file gets its name through /proc, which a bare root may lack.
        let canBeNamed = access("/proc/self/fd", X_OK) == 0
        if canBeNamed { file = openat(folder, ".", Self.nameless | O_WRONLY | O_CLOEXEC, permissions) }
        if file < 0, !canBeNamed || errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL {
            file = openat(folder, temporaryName, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, permissions)
            isNamed = file >= 0
        }
        guard file >= 0 else { throw Self.error(inFolder: folderPath, errno) }
    }

    deinit {
        discard()
        close(folder)
    }

    /// - Throws: `HabitError` with `.noSpace` or `.writeFailed`; the temporary file is gone then.
    public func write(_ bytes: UnsafeRawBufferPointer) throws {
        do {
            try writeAll(bytes, to: file, name: path)
        } catch {
            discard()
            throw error
        }
    }

    /// Writes the file through to the disk and gives it its name.
    ///
    /// - Throws: as `write(_:)`.
    public func commit() throws {
        guard fsync(file) == 0, giveTemporaryName(), giveName() else {
            let number = errno
            discard()
            throw number == EEXIST && !replaces ? Self.exists(path) : HabitError(writing: path, number)
        }
        close(file)
        file = -1
        // The new name is durable once the folder is; some file systems cannot tell, and say EINVAL.
        guard fsync(folder) == 0 || errno == EINVAL else { throw HabitError(writing: path, errno) }
    }

    /// Removes the temporary file; without effect after `commit()`.
    public func discard() {
        guard file >= 0 else { return }
        close(file)
        file = -1
        if isNamed { unlinkat(folder, temporaryName, 0) }
    }

    /// A rename replaces what has the name; a link does not.
    private func giveName() -> Bool {
        guard !replaces else { return renameat(folder, temporaryName, folder, name) == 0 }
        guard linkat(folder, temporaryName, folder, name, 0) == 0 else { return false }
        unlinkat(folder, temporaryName, 0)
        return true
    }

    /// A link cannot take the place of another file, but a name can be given that a rename then replaces it with.
    private func giveTemporaryName() -> Bool {
        if !isNamed {
            isNamed = linkat(AT_FDCWD, "/proc/self/fd/\(file)", folder, temporaryName, AT_SYMLINK_FOLLOW) == 0
        }
        return isNamed
    }

    /// How many bytes the file system of the folder has left for this user; nil where it cannot say.
    public var availableBytes: UInt64? {
        var system = statvfs()
        guard fstatvfs(folder, &system) == 0 else { return nil }
        return UInt64(system.f_bavail).multipliedReportingOverflow(by: UInt64(system.f_frsize)).partialValue
    }

    private static func exists(_ path: String) -> HabitError {
        HabitError(.outputExists, "\(path) exists already", .advice("choose another name"), .give(.force))
    }

    /// Linux's O_TMPFILE, which Swift does not import: a file in a folder, without a name (open(2)).
    private static let nameless = O_DIRECTORY | 0o20_000_000

    private static func check(_ target: String, _ name: String, of path: String) throws {
        guard !path.isEmpty else { throw HabitError(.outputNotWritable, "The name of the output is empty.") }
        var status = stat()
        let found = lstat(target, &status) == 0
        if !found, errno == ENAMETOOLONG { throw HabitError(creating: path, ENAMETOOLONG) }
        guard !name.isEmpty, !found || status.st_mode & S_IFMT != S_IFDIR else {
            throw HabitError(.outputNotWritable, "\(path) is a folder: give the name of a file in it.")
        }
    }

    private static func linkTarget(of path: String) throws -> String {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { return path }
        guard let resolved = realpath(path, nil) else {
            throw HabitError(.outputNotWritable, "\(path) is a link to a file that is not there: remove the link.")
        }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    private static func randomLetters() -> String {
        String((0..<6).compactMap { _ in "abcdefghijklmnopqrstuvwxyz0123456789".randomElement() })
    }

    private static func error(inFolder folder: String, _ number: Int32) -> HabitError {
        let folderName = folder == "." ? "The current folder" : "The folder \(folder)"
        let problem =
            switch number {
            case ENOENT: "does not exist: create it first"
            case ENOTDIR: "is not a folder"
            case EACCES, EPERM: "is not writable for you: choose another one"
            case EROFS: "is on a read-only file system: choose another one"
            default: "cannot be written: \(reason(number))"
            }
        return HabitError.isExhaustion(number)
            ? HabitError(creating: folder, number) : HabitError(.outputNotWritable, "\(folderName) \(problem).")
    }
}
