import Glibc
import HabitModel

/// A file that takes its name, and the place of an older one, only when it is complete.
///
/// The bytes go to a file without a name in the same folder, which is gone if the program is killed. `commit()` writes it
/// through to the disk, gives it the name of a ``TemporaryOutput`` and renames it. An error, or dropping the value without `commit()`,
/// leaves the older file as it was. If the file system has no nameless files, or another library opens the file, the file has
/// its temporary name from the beginning.
public final class AtomicFile: OutputSink {
    private let output: TemporaryOutput
    private let replaces: Bool
    /// The folder is held open, so that both names lie in the same one whatever happens meanwhile.
    private let folder: Int32
    private var file: Int32 = -1
    private var isNamed = false
    private var signals: HeldSignals?

    /// Creates the temporary file beside `path`.
    ///
    /// - Parameters:
    ///   - sharing: Which users can read the new file. The permissions of a replaced file do not matter.
    ///   - replaces: Whether the file may take the place of another.
    ///   - followsLinks: Whether a symbolic link at `path` stands for the file that it leads to, or is itself replaced.
    /// - Throws: `output-exists` if there is a file at `path` that it may not replace; `output-not-writable`, which says what is wrong
    ///   with which folder; `no-space`.
    public convenience init(
        _ path: String, replaces: Bool = true, sharing: OutputSharing = .owner, followsLinks: Bool = true
    ) throws {
        try self.init(TemporaryOutput(path, followsLinks: followsLinks), replaces: replaces, sharing: sharing)
    }

    /// Creates the temporary file of an output.
    ///
    /// - Parameter isNamed: Whether the file has its temporary name from the beginning, so that another library can open it.
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
        if file < 0 { try openNamed(permissions) }
    }

    deinit {
        discard()
        close(folder)
    }

    /// The path by which another library opens a file that has its temporary name.
    package var temporaryPath: String { output.temporaryPath }

    /// - Throws: `no-space` or `write-failed`; the temporary file is gone then.
    public func write(_ bytes: RawSpan) throws {
        do {
            try checkSignals()
            try writeAll(bytes, to: file, name: output.path)
        } catch {
            discard()
            throw error
        }
    }

    /// Throws `write-failed` if the file has its temporary name and a signal asks the program to end.
    ///
    /// Call it now and then while another library writes the file.
    package func checkSignals() throws {
        guard signals?.isPending != true else { throw HabitError.stopped(output.path) }
    }

    /// Writes the file through to the disk and gives it its name.
    ///
    /// - Throws: `output-exists` if another file has taken the name meanwhile; otherwise as `write(_:)`.
    public func commit() throws {
        guard fsync(file) == 0, giveTemporaryName(), giveName() else {
            let number = errno
            discard()
            throw number == EEXIST && !replaces ? Self.exists(output) : HabitError(writing: output.path, number)
        }
        close(file)
        file = -1
        defer { signals = nil }
        // The new name is durable once the folder is; some file systems cannot tell, and say EINVAL.
        guard fsync(folder) == 0 || errno == EINVAL else { throw HabitError(writing: output.path, errno) }
    }

    /// Removes the temporary file; without effect after `commit()`.
    public func discard() {
        guard file >= 0 else { return }
        close(file)
        file = -1
        if isNamed {
            unlinkat(folder, output.temporaryName, 0)
            TemporaryOutput.removeCompanions(of: output.temporaryPath)
        }
        // The program ends here if a signal has come.
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

    /// How many bytes the file system of the folder has left for this user; `nil` if it cannot say.
    public var availableBytes: UInt64? {
        var system = statvfs()
        guard fstatvfs(folder, &system) == 0 else { return nil }
        return UInt64(system.f_bavail).multipliedReportingOverflow(by: UInt64(system.f_frsize)).partialValue
    }

    // MARK: The temporary file

    /// Linux's O_TMPFILE, which Swift does not import: a file in a folder, without a name (open(2)).
    private static let nameless = O_DIRECTORY | 0o20_000_000

    /// Opens a file without a name, if the file system has such files.
    private func openNameless(_ permissions: mode_t) {
        // A nameless file gets its name through /proc, which a bare root may lack.
        guard access("/proc/self/fd", X_OK) == 0 else { return }
        file = openat(folder, ".", Self.nameless | O_WRONLY | O_CLOEXEC, permissions)
    }

    private func openNamed(_ permissions: mode_t) throws {
        output.removeAbandoned()
        signals = HeldSignals()
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

    /// A rename replaces what has the name; a link does not.
    private func giveName() -> Bool {
        let (temporary, name) = (output.temporaryName, output.name)
        guard !replaces else { return renameat(folder, temporary, folder, name) == 0 }
        guard linkat(folder, temporary, folder, name, 0) == 0 else { return false }
        unlinkat(folder, temporary, 0)
        return true
    }

    /// A link cannot take the place of another file, but a name can be given that a rename then replaces it with.
    private func giveTemporaryName() -> Bool {
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
            throw HabitError(.outputNotWritable, "\(output.path) is a folder: give the name of a file in it.")
        }
        if !replaces, status != nil { throw exists(output) }
    }

    private static func exists(_ output: TemporaryOutput) -> HabitError {
        HabitError(.outputExists, "\(output.path) exists already", .advice("choose another name"), .give(.force))
    }
}
