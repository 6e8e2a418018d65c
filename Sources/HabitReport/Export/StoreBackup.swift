import Foundation
import HabitModel
import HabitStore

/// Copies a store into a file while others use it: all of one state, or no file. Only its owner may read it.
public struct StoreBackup {
    private let place: HiddenPlace
    private let replaces: Bool

    /// - Parameters:
    ///   - replaces: whether the file may take the place of another.
    ///   - store: the path of the store, which no copy may replace.
    ///
    /// Throws `output-exists`, or `output-not-writable` for a place where no file can be.
    public init(to path: String, replaces: Bool, store: String) throws {
        place = try HiddenPlace(path)
        self.replaces = replaces
        for file in ["", "-wal", "-shm", "-journal"].map({ store + $0 }) where place.isSame(as: file) {
            throw HabitError(.outputExists, "'\(path)' belongs to the store itself: name another file")
        }
        guard let status = place.status else { return }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw HabitError(
                .outputNotWritable, "'\(path)' is no file that could be replaced: name a file in it, or another")
        }
        guard replaces else { throw exists }
    }

    /// Writes the copy and gives its size in bytes. Needs as much space as the store takes.
    ///
    /// Throws `no-space`, `output-not-writable`, `write-failed`, `store-damaged` where the copy is not whole.
    public func run(_ engine: any Engine) throws -> Int64 {
        AbandonedOutput.remove(of: place)
        let signals = HeldSignals()
        let file = open(place.temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0, AbandonedOutput.claim(file) else {
            let number = file >= 0 ? EBUSY : errno
            if file >= 0 { close(file) }
            throw place.creationError(number)
        }
        defer {
            close(file)
            for companion in ["", "-journal", "-wal", "-shm"] { unlink(place.temporary + companion) }
            // Where a signal has come, the program ends when it is let go of.
            withExtendedLifetime(signals) {}
        }
        do {
            try engine.copy(to: place.temporary) {
                guard !signals.isPending else { throw stopped }
            }
        } catch let error as HabitError where error.code == .noSpace || error.code == .writeFailed {
            throw error.code == .noSpace ? HabitError(writing: place.path, ENOSPC) : failed(error)
        }
        var status = stat()
        guard fsync(file) == 0, fstat(file, &status) == 0 else { throw HabitError(writing: place.path, errno) }
        guard giveName() else { throw errno == EEXIST ? exists : HabitError(creating: place.path, errno) }
        try HiddenPlace.synchronize(folder: place.folder)
        return Int64(status.st_size)
    }

    /// A rename replaces what has the name; a link does not.
    private func giveName() -> Bool {
        replaces ? rename(place.temporary, place.target) == 0 : link(place.temporary, place.target) == 0
    }

    private var exists: HabitError {
        HabitError(.outputExists, "'\(place.path)' exists already", .advice("choose another name"), .give(.force))
    }

    private var stopped: HabitError {
        HabitError(.writeFailed, "writing \(place.path) was stopped: nothing of it is left")
    }

    private func failed(_ error: HabitError) -> HabitError {
        error == stopped ? error : HabitError(.writeFailed, "writing \(place.path) failed: nothing of it is left")
    }
}
