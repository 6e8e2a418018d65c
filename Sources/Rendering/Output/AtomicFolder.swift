import Base
import Foundation

/// A folder that gets its name, and replaces an older folder, only when it is complete.
///
/// The folder is built under a hidden name next to its final path. `commit()` writes it to the disk and renames it. The
/// hidden folder is removed on an error, on Ctrl-C or SIGTERM, and if the object is released without `commit()`. One
/// thread must create, commit and discard the object. Other threads that started after its creation can write files.
public final class AtomicFolder: OutputFolder {
    private let output: TemporaryOutput
    private let sharing: OutputSharing
    private let replaces: Bool
    /// The function that exchanges two names.
    ///
    /// Tests replace it to simulate a file system without this operation.
    var exchange = FolderReplacement.exchange
    private var descriptor: Int32
    private var signals: BlockedSignals?
    private var folders: [String] = []

    /// Creates the hidden folder.
    ///
    /// - Parameters:
    ///   - path: The path of the complete folder.
    ///   - sharing: The users that can read the folder and its files.
    ///   - replaces: Whether the folder may replace another folder and its contents.
    ///   - followsLinks: Whether a symbolic link at `path` is resolved. Otherwise the link counts as an existing file.
    /// - Throws: `output-exists` if `path` is not free, `output-not-writable` or `no-space`. A path is free if nothing
    ///   exists there or if it is an empty folder. With `replaces`, the folder may have contents.
    public init(
        _ path: String, sharing: OutputSharing = .owner, replaces: Bool = false, followsLinks: Bool = true
    ) throws {
        self.sharing = sharing
        self.replaces = replaces
        output = try TemporaryOutput(path, followsLinks: followsLinks)
        guard try replaces ? !output.isOccupied : Self.isFree(output) else { throw Self.exists(path) }
        output.removeAbandoned()
        signals = BlockedSignals()
        let isMade = mkdir(output.temporaryPath, sharing.permissions) == 0
        if isMade { try? sharing.setPermissions(ofNewFolder: output.temporaryPath) }
        descriptor = isMade ? Glibc.open(output.temporaryPath, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1
        guard descriptor >= 0, TemporaryOutput.claim(descriptor) else {
            let number = descriptor >= 0 ? EBUSY : errno
            if descriptor >= 0 { close(descriptor) }
            descriptor = -1
            if isMade { rmdir(output.temporaryPath) }
            throw output.creationError(number)
        }
    }

    deinit { discard() }

    /// Creates a folder in this folder.
    ///
    /// - Parameter name: The path of the new folder, relative to this folder.
    /// - Throws: `output-not-writable` or `no-space`.
    public func makeFolder(_ name: String) throws {
        guard mkdirat(descriptor, name, sharing.permissions) == 0 else {
            throw HabitError(creating: label(name), errno)
        }
        try sharing.setPermissions(ofNewFolder: output.temporaryPath + "/" + name)
        folders.append(name)
    }

    /// Creates a file in this folder and opens it.
    ///
    /// The `commit()` of the sink writes the file to the disk.
    ///
    /// - Parameter name: The path of the new file, relative to this folder.
    /// - Returns: A sink. Its `write(_:)` throws `write-failed` after a signal that ends the program.
    /// - Throws: `no-space`, `output-not-writable`, or `write-failed` after a signal.
    public func open(_ name: String) throws -> any OutputSink {
        try checkSignals()
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
        let file = openat(descriptor, name, flags, sharing.permissions & 0o666)
        guard file >= 0 else { throw HabitError(creating: label(name), errno) }
        sharing.setPermissions(ofNewFile: file)
        return Sink(descriptor: file, file: DescriptorSink(file, name: label(name), closes: true), folder: self)
    }

    /// Creates a file without a name on the file system of this folder, for data that does not fit into memory.
    ///
    /// - Returns: The descriptor of the file, which is open for reading and writing. The caller closes it.
    /// - Throws: `no-space`, `output-not-writable`, or `write-failed` after a signal.
    package func openUnnamed() throws -> Int32 {
        try checkSignals()
        let unnamed = openat(descriptor, ".", AtomicFile.nameless | O_RDWR | O_CLOEXEC, 0o600)
        if unnamed >= 0 { return unnamed }
        // Some file systems do not support files without a name.
        let name = ".temporary"
        let file = openat(descriptor, name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw HabitError(creating: label(name), errno) }
        unlinkat(descriptor, name, 0)
        return file
    }

    /// Renames the folder to its final name and makes the name durable.
    ///
    /// The sinks of all files must have committed.
    ///
    /// - Throws: `no-space`, `write-failed`, or `output-exists` if another process has created something at the path.
    public func commit() throws {
        try checkSignals()
        var replaced: String?
        do {
            for folder in folders { try TemporaryOutput.synchronize(folder: output.temporaryPath + "/" + folder) }
            try TemporaryOutput.synchronize(folder: output.temporaryPath)
            replaced = try renameIntoPlace()
        } catch {
            discard()
            throw error
        }
        close(descriptor)
        descriptor = -1
        defer { signals = nil }
        try TemporaryOutput.synchronize(folder: output.folder)
        // The older folder is removed only when the new name is durable.
        if let replaced { try? FileManager.default.removeItem(atPath: replaced) }
    }

    /// Renames the hidden folder and returns the path of the replaced folder, or `nil` if it replaces no folder.
    private func renameIntoPlace() throws -> String? {
        guard replaces, output.status != nil else {
            guard rename(output.temporaryPath, output.target) == 0 else { throw renameError(errno) }
            return nil
        }
        guard !output.isOccupied else { throw Self.exists(output.path) }
        return try FolderReplacement.replace(output, exchange: exchange)
    }

    /// Removes the hidden folder.
    ///
    /// After `commit()` this has no effect.
    public func discard() {
        guard descriptor >= 0 else { return }
        close(descriptor)
        descriptor = -1
        try? FileManager.default.removeItem(atPath: output.temporaryPath)
        // If a signal is pending, the program ends here.
        signals = nil
    }

    /// Whether the process has received a signal that ends it after the folder is discarded.
    package var isStopped: Bool { signals?.isPending == true }

    private func checkSignals() throws { if isStopped { throw HabitError.stopped(output.path) } }

    private func label(_ name: String) -> String { output.path + (output.path.hasSuffix("/") ? "" : "/") + name }

    private func renameError(_ number: Int32) -> HabitError {
        switch number {
        case EEXIST, ENOTEMPTY, ENOTDIR: Self.exists(output.path)
        default: HabitError(creating: output.path, number)
        }
    }

    private static func exists(_ path: String) -> HabitError {
        HabitError(.outputExists, "'\(path)' exists and is not an empty folder: choose a new or empty folder")
    }

    /// Whether nothing exists at the path, or an empty folder that can be replaced.
    private static func isFree(_ output: TemporaryOutput) throws -> Bool {
        guard let status = output.status else { return true }
        var current = stat()
        if stat(".", &current) == 0, current.st_dev == status.st_dev, current.st_ino == status.st_ino {
            throw HabitError(
                .outputExists, "'\(output.path)' is the current folder: choose a new or empty folder")
        }
        guard !output.isOccupied else { return false }
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: output.target) else {
            throw HabitError(creating: output.path, EACCES)
        }
        return names.isEmpty
    }

    private struct Sink: OutputSink {
        let descriptor: Int32
        let file: DescriptorSink
        let folder: AtomicFolder

        func write(_ bytes: RawSpan) throws {
            try folder.checkSignals()
            try file.write(bytes)
        }

        func commit() throws {
            guard fsync(descriptor) == 0 else { throw HabitError(writing: folder.output.path, errno) }
        }
    }
}
