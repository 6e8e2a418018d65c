import Glibc
import HabitModel
import Rendering

/// The file `.lock` in a folder of nights, held (flock(2)): the system lets go of it however the program ends.
///
/// The file stays: were it removed, two programs could each hold one of that name.
final class NightLock {
    private let descriptor: Int32

    /// - Throws: `busy`, `output-not-writable`, `no-space`.
    init(_ nights: NightFolder) throws {
        let path = nights.file(".lock")
        let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        descriptor = open(path, flags, nights.sharing.permissions & 0o666)
        guard descriptor >= 0 else {
            guard errno != ELOOP else {
                throw HabitError(.outputNotWritable, "\(path) is a symbolic link, which cannot be a lock: remove it")
            }
            throw HabitError(creating: path, errno)
        }
        guard let number = Self.take(descriptor) else { return }
        throw number == EWOULDBLOCK
            ? HabitError(
                .busy, "another run is writing nights to \(nights.path): wait until it has ended, then run this again")
            : HabitError(
                .outputNotWritable,
                "\(path) cannot be locked: \(reason(number)); choose a folder on another file system")
    }

    deinit {
        guard descriptor >= 0 else { return }
        // A program that is just being started may hold a copy of the descriptor: closing ours would not be enough.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// Gives the system's error number where it fails.
    private static func take(_ descriptor: Int32) -> Int32? {
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            if errno != EINTR { return errno }
        }
        return nil
    }
}
