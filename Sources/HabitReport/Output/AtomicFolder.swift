import Foundation
import HabitModel

/// A folder that takes its name, and the place of an older one, only when all that is to be in it is there.
///
/// It takes shape under a hidden name beside its place. `commit()` writes it through to the disk and renames it; an error,
/// Ctrl-C, SIGTERM, or dropping the value without `commit()` leaves nothing of it. Made and used by one thread.
public final class AtomicFolder {
    private let place: HiddenPlace
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
        place = try HiddenPlace(path, followsLinks: followsLinks)
        guard try replaces ? !place.isTaken : Self.isFree(place) else { throw Self.exists(path) }
        AbandonedOutput.remove(of: place)
        signals = HeldSignals()
        let isMade = mkdir(place.temporary, permissions) == 0
        descriptor = isMade ? Glibc.open(place.temporary, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1
        guard descriptor >= 0, AbandonedOutput.claim(descriptor) else {
            let number = descriptor >= 0 ? EBUSY : errno
            if descriptor >= 0 { close(descriptor) }
            descriptor = -1
            if isMade { rmdir(place.temporary) }
            throw place.creationError(number)
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
            for folder in folders { try HiddenPlace.synchronize(folder: place.temporary + "/" + folder) }
            try HiddenPlace.synchronize(folder: place.temporary)
            replaced = try giveName()
        } catch {
            discard()
            throw error
        }
        close(descriptor)
        descriptor = -1
        defer { signals = nil }
        try HiddenPlace.synchronize(folder: place.folder)
        // It goes only now that the new name lasts.
        if let replaced { try? FileManager.default.removeItem(atPath: replaced) }
    }

    /// Gives the path of the folder whose place it took, if any.
    private func giveName() throws -> String? {
        guard replaces, place.status != nil else {
            guard rename(place.temporary, place.target) == 0 else { throw renameError(errno) }
            return nil
        }
        guard !place.isTaken else { throw Self.exists(place.path) }
        return try FolderReplacement.replace(place, exchange: exchange)
    }

    /// Removes the hidden folder; without effect after `commit()`.
    public func discard() {
        guard descriptor >= 0 else { return }
        close(descriptor)
        descriptor = -1
        try? FileManager.default.removeItem(atPath: place.temporary)
        // Where a signal has come, the program ends here.
        signals = nil
    }

    private func checkSignals() throws {
        guard signals?.isPending != true else {
            discard()
            throw HabitError(.writeFailed, "writing \(place.path) was stopped: nothing of it is left")
        }
    }

    private func label(_ name: String) -> String { place.path + (place.path.hasSuffix("/") ? "" : "/") + name }

    private func renameError(_ number: Int32) -> HabitError {
        switch number {
        case EEXIST, ENOTEMPTY, ENOTDIR: Self.exists(place.path)
        default: HabitError(creating: place.path, number)
        }
    }

    private static func exists(_ path: String) -> HabitError {
        HabitError(.outputExists, "\(path) is there already, and not an empty folder: name one that is not there yet")
    }

    /// Whether there is nothing in the place, or an empty folder that can be replaced.
    private static func isFree(_ place: HiddenPlace) throws -> Bool {
        guard let status = place.status else { return true }
        var current = stat()
        if stat(".", &current) == 0, current.st_dev == status.st_dev, current.st_ino == status.st_ino {
            throw HabitError(
                .outputExists, "\(place.path) is the folder that you are in: name one that is not there yet")
        }
        guard !place.isTaken else { return false }
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: place.target) else {
            throw HabitError(creating: place.path, EACCES)
        }
        return names.isEmpty
    }

    private struct Sink: OutputSink {
        let descriptor: Int32
        let file: DescriptorSink
        let folder: AtomicFolder

        func write(_ bytes: UnsafeRawBufferPointer) throws {
            try folder.checkSignals()
            try file.write(bytes)
        }

        func commit() throws {
            guard fsync(descriptor) == 0 else { throw HabitError(writing: folder.place.path, errno) }
        }
    }
}
