import Foundation
import HabitModel

/// A folder that takes its name, and the place of an older one, only when all that is to be in it is there.
///
/// It takes shape under a hidden name beside its place. `commit()` writes it through to the disk and renames it; an error,
/// Ctrl-C, SIGTERM, or dropping the value without `commit()` leaves nothing of it. Made and used by one thread.
public final class AtomicFolder {
    private let output: TemporaryOutput
    private let permissions: mode_t
    private let replaces: Bool
    /// Tests give a system that cannot do it.
    var exchange = FolderReplacement.exchange
    private var descriptor: Int32
    private var signals: HeldSignals?
    private var folders: [String] = []

    /// Makes the hidden folder.
    ///
    /// - Parameters:
    ///   - sharing: which users can read the folder and its files.
    ///   - replaces: whether it may take the place of another folder, with all that is in that one.
    ///   - followsLinks: whether a symbolic link at `path` stands for the folder that it leads to, or is in the way.
    /// - Throws: `output-exists` where there is something else at `path` than an empty folder; `output-not-writable`,
    ///   `no-space`.
    public init(
        _ path: String, sharing: OutputSharing = .owner, replaces: Bool = false, followsLinks: Bool = true
    ) throws {
        permissions = sharing.permissions
        self.replaces = replaces
        output = try TemporaryOutput(path, followsLinks: followsLinks)
        guard try replaces ? !output.isOccupied : Self.isFree(output) else { throw Self.exists(path) }
        output.removeAbandoned()
        signals = HeldSignals()
        let isMade = mkdir(output.temporaryPath, permissions) == 0
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

    /// Makes a folder in it.
    public func makeFolder(_ name: String) throws {
        guard mkdirat(descriptor, name, permissions) == 0 else { throw HabitError(creating: label(name), errno) }
        folders.append(name)
    }

    /// Opens a new file in it, by a path from it; its sink's `commit()` writes it through to the disk.
    ///
    /// Throws `no-space`, `output-not-writable`; so does writing, which also ends where the program is to end.
    public func open(_ name: String) throws -> any OutputSink {
        try checkSignals()
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
        let file = openat(descriptor, name, flags, permissions & 0o666)
        guard file >= 0 else { throw HabitError(creating: label(name), errno) }
        return Sink(descriptor: file, file: DescriptorSink(file, name: label(name), closes: true), folder: self)
    }

    /// Gives it its name, durably; the sinks of its files have committed.
    ///
    /// Throws `no-space`, `write-failed`, or `output-exists` where something has taken the place meanwhile.
    public func commit() throws {
        try checkSignals()
        var replaced: String?
        do {
            for folder in folders { try TemporaryOutput.synchronize(folder: output.temporaryPath + "/" + folder) }
            try TemporaryOutput.synchronize(folder: output.temporaryPath)
            replaced = try giveName()
        } catch {
            discard()
            throw error
        }
        close(descriptor)
        descriptor = -1
        defer { signals = nil }
        try TemporaryOutput.synchronize(folder: output.folder)
        // It goes only now that the new name lasts.
        if let replaced { try? FileManager.default.removeItem(atPath: replaced) }
    }

    /// Gives the path of the folder whose place it took, if any.
    private func giveName() throws -> String? {
        guard replaces, output.status != nil else {
            guard rename(output.temporaryPath, output.target) == 0 else { throw renameError(errno) }
            return nil
        }
        guard !output.isOccupied else { throw Self.exists(output.path) }
        return try FolderReplacement.replace(output, exchange: exchange)
    }

    /// Removes the hidden folder; without effect after `commit()`.
    public func discard() {
        guard descriptor >= 0 else { return }
        close(descriptor)
        descriptor = -1
        try? FileManager.default.removeItem(atPath: output.temporaryPath)
        // Where a signal has come, the program ends here.
        signals = nil
    }

    private func checkSignals() throws {
        guard signals?.isPending != true else {
            discard()
            throw HabitError.stopped(output.path)
        }
    }

    private func label(_ name: String) -> String { output.path + (output.path.hasSuffix("/") ? "" : "/") + name }

    private func renameError(_ number: Int32) -> HabitError {
        switch number {
        case EEXIST, ENOTEMPTY, ENOTDIR: Self.exists(output.path)
        default: HabitError(creating: output.path, number)
        }
    }

    private static func exists(_ path: String) -> HabitError {
        HabitError(.outputExists, "\(path) is there already, and not an empty folder: name one that is not there yet")
    }

    /// Whether there is nothing in the place, or an empty folder that can be replaced.
    private static func isFree(_ output: TemporaryOutput) throws -> Bool {
        guard let status = output.status else { return true }
        var current = stat()
        if stat(".", &current) == 0, current.st_dev == status.st_dev, current.st_ino == status.st_ino {
            throw HabitError(
                .outputExists, "\(output.path) is the folder that you are in: name one that is not there yet")
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
