import Base
import Glibc

/// The destination of a command's data.
public enum OutputDestination: Sendable, Equatable {
    /// Standard output.
    case standardOutput
    /// The file at a path. A regular file is replaced when it is complete, a device or a pipe is written immediately.
    case file(String)

    /// Creates a destination from the value of `--output`: a path, or `-` or `nil` for standard output.
    public init(_ argument: String?) {
        if let argument, argument != "-" { self = .file(argument) } else { self = .standardOutput }
    }

    /// Opens the destination for writing.
    ///
    /// A regular file appears only after `commit()`.
    ///
    /// - Parameters:
    ///   - sharing: The users that can read a new file. A device or a pipe keeps its permissions.
    ///   - followsLinks: Whether a symbolic link is resolved. Otherwise the file replaces the link.
    /// - Returns: The open output, which the caller must commit.
    /// - Throws: A `HabitError` with `no-space`, or with `output-not-writable`, the folder and the reason.
    public func open(sharing: OutputSharing = .owner, followsLinks: Bool = true) throws -> any OutputSink {
        guard case .file(let path) = self else {
            return DescriptorSink(STDOUT_FILENO, name: "the output", closes: false)
        }
        var status = stat()
        let found = (followsLinks ? stat(path, &status) : lstat(path, &status)) == 0
        let kind = found ? status.st_mode & S_IFMT : S_IFREG
        if kind == S_IFREG || kind == S_IFLNK || kind == S_IFDIR {
            return try AtomicFile(path, sharing: sharing, followsLinks: followsLinks)
        }
        let descriptor = Glibc.open(path, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw HabitError(creating: path, errno) }
        return DescriptorSink(descriptor, name: path, closes: true)
    }
}
