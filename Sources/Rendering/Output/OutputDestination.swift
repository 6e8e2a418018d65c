import Glibc
import HabitModel

/// Where a command's data goes.
public enum OutputDestination: Sendable, Equatable {
    case standardOutput
    /// A regular file is replaced at once when all is written; a device or a pipe is written as it comes.
    case file(String)

    /// Reads the value of `--output`: a path, or `-` for stdout, as is nil.
    public init(_ argument: String?) {
        if let argument, argument != "-" { self = .file(argument) } else { self = .standardOutput }
    }

    /// Makes ready to write; nothing is to be seen of a file before `commit()`.
    ///
    /// - Parameters:
    ///   - sharing: which users can read a new file. A device or a pipe keeps its permissions.
    ///   - followsLinks: whether a symbolic link stands for the file that it leads to, or is itself replaced.
    /// - Throws: `HabitError` with `.outputNotWritable`, which says what is wrong with which folder, or `.noSpace`.
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
