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
}
