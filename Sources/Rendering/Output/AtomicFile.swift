import Base
import Glibc

/// A file that gets its name, and replaces an older file, only when it is complete.
///
/// The bytes are written to a file without a name in the same folder. The system removes it if the program is killed.
/// `commit()` writes it to the disk, links it under the name of a ``TemporaryOutput`` and renames it. The older file is
/// unchanged after an error, or if the object is released without `commit()`. If the file system does not support files
/// without a name, or if another library opens the file, the file has its temporary name from the beginning.
public final class AtomicFile: OutputSink {
    private let output: TemporaryOutput
    private let replaces: Bool
    /// The open folder.
    ///
    /// Both names are relative to it, so that a change of its path has no effect.
    private let folder: Int32
    private var file: Int32 = -1
    private var isNamed = false
    private var signals: BlockedSignals?

    /// Creates the temporary file in the folder of `path`.
    ///
    /// - Parameters:
    ///   - path: The path of the complete file.
    ///   - replaces: Whether the file may replace another file.
    ///   - sharing: The users that can read the new file. The permissions of a replaced file have no effect.
    ///   - followsLinks: Whether a symbolic link at `path` is resolved. Otherwise the file replaces the link.
    /// - Throws: `output-exists` if a file exists at `path` and `replaces` is `false`; `no-space`; or
    ///   `output-not-writable` with the folder and the reason.
    public convenience init(
        _ path: String, replaces: Bool = true, sharing: OutputSharing = .owner, followsLinks: Bool = true
    ) throws {
        try self.init(TemporaryOutput(path, followsLinks: followsLinks), replaces: replaces, sharing: sharing)
    }

    /// Creates the temporary file of an output.
    ///
    /// - Parameters:
    ///   - output: The path of the complete file, and the temporary name.
    ///   - replaces: Whether the file may replace another file.
    ///   - sharing: The users that can read the new file.
    ///   - isNamed: Whether the file has its temporary name from the beginning, so that another library can open it.
    /// - Throws: As ``init(_:replaces:sharing:followsLinks:)``.
    package init(
        _ output: TemporaryOutput, replaces: Bool, sharing: OutputSharing = .owner, isNamed: Bool = false
    ) throws {
        self.output = output
        self.replaces = replaces
        try Self.check(output, replaces: replaces)
        folder = open(output.folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw output.creationError(errno) }
        let permissions = sharing.permissions & 0o666
        if !isNamed { openNameless(permissions) }
        if file < 0 { try openNamed(permissions, holdsSignals: isNamed) }
        sharing.setPermissions(ofNewFile: file)
    }

    deinit {
        discard()
        close(folder)
    }

    /// The path by which another library opens a file that has its temporary name.
    package var temporaryPath: String { output.temporaryPath }

    /// Writes all of `bytes`.
    ///
    /// If this fails, the temporary file is removed.
    ///
    /// - Throws: `no-space` or `write-failed`.
    public func write(_ bytes: RawSpan) throws {
        do {
            try checkSignals()
            try writeAll(bytes, to: file, name: output.path)
        } catch {
            discard()
            throw error
        }
    }

    /// Checks for a pending signal that ends the program.
    ///
    /// Call it regularly while another library writes the file.
    ///
    /// - Throws: `write-failed` if a signal is pending and the file has its temporary name from the beginning.
    package func checkSignals() throws {
        guard signals?.isPending != true else { throw HabitError.stopped(output.path) }
    }

    /// Writes the file to the disk and renames it to its final name.
    ///
    /// - Throws: `output-exists` if another process has created a file with the name; otherwise as `write(_:)`.
    public func commit() throws {
        defer { releaseSignals() }
        try commitHoldingSignals(as: output.name, replaces: replaces)
    }

    /// Commits the file under another name in the same folder, which no file has.
    ///
    /// Signals that end the program stay blocked until ``releaseSignals()``, so that the caller can complete further
    /// steps with the file.
    ///
    /// - Parameter name: The name of the file.
    /// - Throws: As ``commit()``.
    package func commitHoldingSignals(as name: String) throws {
        try commitHoldingSignals(as: name, replaces: false)
    }

    private func commitHoldingSignals(as name: String, replaces: Bool) throws {
        guard fsync(file) == 0, linkTemporaryName(), renameIntoPlace(name, replaces: replaces) else {
            let number = errno
            discard()
            throw number == EEXIST && !replaces ? Self.exists(output) : HabitError(writing: output.path, number)
        }
        close(file)
        file = -1
        // The new name is durable once the folder is. Some file systems do not support this and return EINVAL.
        guard fsync(folder) == 0 || errno == EINVAL else { throw HabitError(writing: output.path, errno) }
    }

    /// Ends the block on signals.
    ///
    /// If a signal is pending, the program ends here.
    package func releaseSignals() { signals = nil }

    /// Removes the temporary file.
    ///
    /// After `commit()` this has no effect.
    public func discard() {
        guard file >= 0 else { return }
        close(file)
        file = -1
        if isNamed {
            unlinkat(folder, output.temporaryName, 0)
            TemporaryOutput.removeCompanions(of: output.temporaryPath)
        }
        // If a signal is pending, the program ends here.
        signals = nil
    }

    /// The size of the file in bytes.
    package var size: Int64 {
        get throws {
            var status = stat()
            guard fstat(file, &status) == 0 else { throw HabitError(writing: output.path, errno) }
            return Int64(status.st_size)
        }
    }

    /// Sets the owner and the group of the file to those of another file, if the process is the superuser.
    ///
    /// A file that the superuser creates for a service then belongs to the service.
    ///
    /// - Throws: `write-failed` if the superuser cannot change the owner.
    package func copyOwner(of path: String) throws {
        var status = stat()
        guard geteuid() == 0, stat(path, &status) == 0 else { return }
        guard fchown(file, status.st_uid, status.st_gid) == 0 else { throw HabitError(writing: output.path, errno) }
    }

    /// The number of bytes available to this user in the file system, or `nil` if the number is unknown.
    public var availableBytes: UInt64? {
        var system = statvfs()
        guard fstatvfs(folder, &system) == 0 else { return nil }
        return UInt64(system.f_bavail).multipliedReportingOverflow(by: UInt64(system.f_frsize)).partialValue
    }

    // MARK: Temporary file

    /// The flag O_TMPFILE of Linux, which Swift does not import: a file in a folder, without a name (open(2)).
    static let nameless = O_DIRECTORY | 0o20_000_000

    /// Opens a file without a name if the file system supports such files.
    private func openNameless(_ permissions: mode_t) {
        // A file without a name gets its name through /proc, which may not be mounted in a minimal root file system.
        guard access("/proc/self/fd", X_OK) == 0 else { return }
        file = openat(folder, ".", Self.nameless | O_WRONLY | O_CLOEXEC, permissions)
        // Another run must not take it for an abandoned one between its two names.
        if file >= 0 { _ = TemporaryOutput.claim(file) }
    }

    /// Opens a file that has its temporary name.
    ///
    /// - Parameters:
    ///   - permissions: The permissions of the new file, before the umask.
    ///   - holdsSignals: Whether the caller calls ``checkSignals()``, so that the program removes the file before it
    ///     ends.
    /// - Throws: `no-space`, or `output-not-writable` with the folder and the reason.
    private func openNamed(_ permissions: mode_t, holdsSignals: Bool) throws {
        output.removeAbandoned()
        if holdsSignals { signals = BlockedSignals() }
        let flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
        file = openat(folder, output.temporaryName, flags, permissions)
        guard file >= 0 else { throw output.creationError(errno) }
        guard TemporaryOutput.claim(file) else {
            close(file)
            file = -1
            throw output.creationError(EBUSY)
        }
        isNamed = true
    }

    // MARK: Names

    /// Renames the file to its final name.
    ///
    /// A rename replaces an existing file, a link does not.
    private func renameIntoPlace(_ name: String, replaces: Bool) -> Bool {
        let temporary = output.temporaryName
        guard !replaces else { return renameat(folder, temporary, folder, name) == 0 }
        guard linkat(folder, temporary, folder, name, 0) == 0 else { return false }
        unlinkat(folder, temporary, 0)
        return true
    }

    /// Links the file under its temporary name.
    ///
    /// A link cannot replace an existing file, but the following rename can.
    private func linkTemporaryName() -> Bool {
        if !isNamed {
            let name = output.temporaryName
            isNamed = linkat(AT_FDCWD, "/proc/self/fd/\(file)", folder, name, AT_SYMLINK_FOLLOW) == 0
        }
        return isNamed
    }

    private static func check(_ output: TemporaryOutput, replaces: Bool) throws {
        let status = output.status
        if status == nil, errno == ENAMETOOLONG { throw HabitError(creating: output.path, ENAMETOOLONG) }
        let isFolder = status.map { $0.st_mode & S_IFMT == S_IFDIR } ?? false
        guard !output.path.hasSuffix("/"), !isFolder else {
            throw HabitError(.outputNotWritable, "'\(output.path)' is a folder: add a file name")
        }
        if !replaces, status != nil { throw exists(output) }
    }

    private static func exists(_ output: TemporaryOutput) -> HabitError {
        HabitError(.outputExists, "'\(output.path)' already exists", .advice("choose another name"), .give(.force))
    }
}
