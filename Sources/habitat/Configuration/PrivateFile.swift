import Base
import Foundation
import HabitModel

/// A file that only its owner can read, and that several processes change.
enum PrivateFile {
    /// Creates the folder of a file with the permissions of its owner only.
    ///
    /// - Throws: `output-not-writable`.
    static func makeFolder(of path: String) throws {
        let folder = (path as NSString).deletingLastPathComponent
        guard !folder.isEmpty else { return }
        do {
            try FileManager.default.createDirectory(
                atPath: folder,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        } catch {
            let message = "the folder '\(folder)' cannot be created"
            throw HabitError(.outputNotWritable, message, cause: error)
        }
    }

    /// Locks the folder of the file while `body` runs.
    ///
    /// The system releases the lock when the process ends.
    static func withLock(
        of path: String,
        _ body: (_ target: String) throws -> Void
    ) throws {
        try makeFolder(of: path)
        let url = URL(fileURLWithPath: path)
        let target = url.resolvingSymlinksInPath().path
        let folder = (target as NSString).deletingLastPathComponent
        let lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard lock >= 0 else { throw notWritable(path, errno) }
        defer { close(lock) }
        while flock(lock, LOCK_EX) != 0 {
            guard errno == EINTR else { throw notWritable(path, errno) }
        }
        try body(target)
    }

    /// Returns the bytes of a regular file, or `nil` if the file cannot be read or is larger than the limit.
    static func bytes(of path: String, limit: Int) -> Data? {
        // A pipe must not block the program.
        let number = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard number >= 0 else { return nil }
        let file = FileHandle(fileDescriptor: number, closeOnDealloc: true)
        var status = stat()
        guard fstat(number, &status) == 0 else { return nil }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_size <= limit else { return nil }
        return try? file.read(upToCount: limit)
    }

    /// Writes a new file with mode 0600, which replaces the old file.
    static func replace(_ path: String, with text: String) throws {
        var template = Array((path + ".XXXXXX").utf8CString)
        let file = mkstemp(&template)
        guard file >= 0 else { throw notWritable(path, errno) }
        let name = template.dropLast().map(UInt8.init(bitPattern:))
        let temporary = String(decoding: name, as: UTF8.self)
        let isPrivate = fchmod(file, 0o600) == 0
        let isWritten = isPrivate && write(text, to: file)
        let isComplete = isWritten && fsync(file) == 0
        let number = errno
        close(file)
        guard isComplete, rename(temporary, path) == 0 else {
            unlink(temporary)
            throw notWritable(path, number)
        }
    }

    private static func write(_ text: String, to file: Int32) -> Bool {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { bytes in
                Glibc.write(file, bytes.baseAddress, bytes.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    private static func notWritable(_ path: String, _ number: Int32) -> HabitError {
        let reason = String(cString: strerror(number))
        let message = "the file cannot be written: \(reason)"
        return HabitError(.outputNotWritable, message, file: path)
    }
}
