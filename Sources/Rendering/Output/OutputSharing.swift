import Base
import Glibc

/// The users that can read the files and folders created by a command.
public enum OutputSharing: Sendable, Equatable {
    /// Only the owner: 0600 for files, 0700 for folders.
    case owner
    /// All users that the umask permits, as with other programs.
    case umask

    /// The permissions of a new folder before the umask applies.
    ///
    /// Files have the same without execute permissions.
    package var permissions: mode_t {
        switch self {
        case .owner: 0o700
        case .umask: 0o777
        }
    }

    /// Sets the permissions of a new folder, from which the umask can have removed those of the owner.
    ///
    /// - Parameter path: The path of a folder that this process has just created.
    /// - Throws: `output-not-writable`.
    package func setPermissions(ofNewFolder path: String) throws {
        guard self == .owner else { return }
        guard fchmodat(AT_FDCWD, path, permissions, AT_SYMLINK_NOFOLLOW) == 0 else {
            throw HabitError(creating: path, errno)
        }
    }

    /// Sets the permissions of a file that lacks those of its owner.
    ///
    /// - Parameter descriptor: The descriptor of a file that this process may have created.
    package func restorePermissions(of descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & 0o600 != 0o600 else { return }
        setPermissions(ofNewFile: descriptor)
    }

    /// Sets the permissions of a new file, from which the umask can have removed those of the owner.
    ///
    /// A file system without permissions returns an error, which has no effect.
    ///
    /// - Parameter descriptor: The descriptor of a file that this process has just created.
    package func setPermissions(ofNewFile descriptor: Int32) {
        if self == .owner { fchmod(descriptor, permissions & 0o666) }
    }
}
