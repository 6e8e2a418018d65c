import Base
import Glibc
import HabitModel

/// A file that is read at any offset.
///
/// Standard input that is not a file is copied into a temporary file without a name, which only this process can open.
final class RandomAccessFile {
    /// The name of the file in messages.
    let name: String
    /// The size in bytes when the file was opened.
    let size: Int
    /// A path that opens the same file.
    let path: String
    private let descriptor: Int32
    /// The folder with the paths of open files, which may have no name in another folder.
    static let descriptorFolder = "/proc/self/fd/"

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - name: The name in messages.
    ///   - onlyRegularFile: Whether symbolic links are rejected, because a folder of the command line contains the file.
    /// - Throws: `input-not-found`, or `input-unreadable` if the path is not a regular file.
    init(path: String, name: String, onlyRegularFile: Bool) throws {
        self.name = name
        self.path = path
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | (onlyRegularFile ? O_NOFOLLOW : 0)
        descriptor = open(path, flags)
        guard descriptor >= 0 else { throw Self.openError(errno, name) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw HabitError(
                .inputUnreadable, "'\(name)' is not a file: pass a file, a folder, or - for the standard input",
                file: name)
        }
        size = Int(status.st_size)
    }

    /// Opens the standard input.
    ///
    /// - Throws: `input-unreadable`, or `no-space` if the temporary file cannot be written.
    init(standardInputNamed name: String) throws {
        self.name = name
        var status = stat()
        let isFile = fstat(STDIN_FILENO, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        descriptor = isFile ? dup(STDIN_FILENO) : try Self.temporaryCopy(name)
        guard descriptor >= 0, fstat(descriptor, &status) == 0 else {
            throw Self.openError(errno, name)
        }
        size = Int(status.st_size)
        path = "\(Self.descriptorFolder)\(descriptor)"
    }

    deinit { close(descriptor) }

    /// Reads bytes at an offset.
    ///
    /// - Parameters:
    ///   - offset: The offset of the first byte.
    ///   - most: The maximum number of bytes.
    ///   - buffer: The buffer to fill.
    /// - Returns: The number of bytes, which is smaller than `most` and the size of the buffer only at the end of the
    ///   file.
    /// - Throws: `input-unreadable`.
    func read(at offset: Int, most: Int = .max, into buffer: inout MutableRawSpan) throws -> Int {
        try buffer.withUnsafeMutableBytes { buffer in
            let wanted = min(most, buffer.count)
            var count = 0
            while count < wanted {
                let target = buffer.baseAddress?.advanced(by: count)
                let length = pread(descriptor, target, wanted - count, off_t(offset + count))
                if length < 0, errno == EINTR { continue }
                guard length >= 0 else { throw Self.openError(errno, name) }
                if length == 0 { break }
                count += length
            }
            return count
        }
    }

    /// Returns the bytes of a range, or fewer at the end of the file.
    func bytes(at offset: Int, count: Int) throws -> [UInt8] {
        guard offset >= 0, count > 0 else { return [] }
        let available = max(0, size - offset)
        var bytes = [UInt8](repeating: 0, count: min(count, available))
        let length = try bytes.withMutableBytes { buffer in
            try read(at: offset, into: &buffer)
        }
        bytes.removeLast(bytes.count - length)
        return bytes
    }

    private static func openError(_ number: Int32, _ name: String) -> HabitError {
        if number == ENOENT || number == ENOTDIR {
            return HabitError(.inputNotFound, "the file '\(name)' does not exist: check the path", file: name)
        }
        let reason = number == ELOOP ? "it is a symbolic link" : String(cString: strerror(number))
        return HabitError(.inputUnreadable, "'\(name)' cannot be read: \(reason)", file: name)
    }

    /// Copies the standard input into a temporary file and returns its descriptor.
    private static func temporaryCopy(_ name: String) throws -> Int32 {
        let folder = if let path = getenv("TMPDIR") { String(cString: path) } else { "/tmp" }
        var template = Array("\(folder)/habitat-XXXXXX".utf8CString)
        let file = mkstemp(&template)
        guard file >= 0 else {
            throw HabitError(
                .outputNotWritable,
                "the folder '\(folder)' for temporary files cannot be written: set TMPDIR to another folder")
        }
        unlink(template)
        _ = fcntl(file, F_SETFD, FD_CLOEXEC)
        do {
            let source = try ByteSource(rawFileDescriptor: STDIN_FILENO, name: name)
            var block = [UInt8](repeating: 0, count: 1 << 18)
            while true {
                let count = try source.read(into: &block)
                if count == 0 { return file }
                try append(block.span.extracting(first: count).bytes, to: file)
            }
        } catch {
            close(file)
            throw error
        }
    }

    private static func append(_ bytes: RawSpan, to file: Int32) throws {
        var done = 0
        while done < bytes.byteCount {
            let rest = bytes.extracting(droppingFirst: done)
            let count = rest.withUnsafeBytes { buffer in
                write(file, buffer.baseAddress, buffer.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                throw HabitError(
                    .noSpace, "the standard input does not fit in the folder for temporary files: pass a file instead")
            }
            done += count
        }
    }
}
