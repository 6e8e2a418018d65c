import Base
import Glibc
import HabitModel
import Rendering

/// A lock on the file `.lock` in a nightly archive (flock(2)).
///
/// The system releases the lock when the process ends.
///
/// The file is never removed. Otherwise, two processes could each lock a file of that name.
final class NightlyArchiveLock {
    private let descriptor: Int32

    /// Locks the file.
    ///
    /// - Throws: `busy` if another process has the lock, `output-not-writable`, `no-space`.
    init(_ archive: NightlyArchive) throws {
        let path = archive.file(".lock")
        let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        descriptor = open(path, flags, archive.sharing.permissions & 0o666)
        guard descriptor >= 0 else {
            guard errno != ELOOP else {
                throw HabitError(
                    .outputNotWritable, "'\(path)' is a symbolic link and cannot be used as a lock: remove it")
            }
            throw HabitError(creating: path, errno)
        }
        archive.sharing.restorePermissions(of: descriptor)
        guard let number = Self.lock(descriptor) else { return }
        throw number == EWOULDBLOCK
            ? HabitError(
                .busy, "another nightly run is writing to '\(archive.path)': wait until it has ended, then try again")
            : HabitError(
                .outputNotWritable,
                "'\(path)' cannot be locked (\(reason(number))): choose a folder on another file system")
    }

    deinit {
        guard descriptor >= 0 else { return }
        // A child process has a copy of the descriptor until it calls `exec`. Closing only this copy would keep the
        // lock.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// Locks the file.
    ///
    /// Returns the error number of the system, or `nil` if the lock is acquired.
    private static func lock(_ descriptor: Int32) -> Int32? {
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            if errno != EINTR { return errno }
        }
        return nil
    }
}
