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
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw HabitError(.outputNotWritable, "the folder '\(folder)' cannot be created", cause: error)
        }
    }

    /// Locks the folder of the file while `body` runs. The system releases the lock when the process ends.
    static func withLock(of path: String, _ body: (_ target: String) throws -> Void) throws {
        try makeFolder(of: path)
        let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        let folder = (target as NSString).deletingLastPathComponent
        let lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard lock >= 0 else { throw notWritable(path, errno) }
        defer { close(lock) }
        while flock(lock, LOCK_EX) != 0 {
            guard errno == EINTR else { throw notWritable(path, errno) }
        }
        try body(target)
    }

    /// Writes a new file with mode 0600 and gives it the name of the old file.
    static func replace(_ path: String, with text: String) throws {
        var template = Array((path + ".XXXXXX").utf8CString)
        let file = mkstemp(&template)
        guard file >= 0 else { throw notWritable(path, errno) }
        let temporary = template.withUnsafeBufferPointer { name in name.baseAddress.map { String(cString: $0) } } ?? ""
        var isComplete = fchmod(file, 0o600) == 0 && write(text, to: file) && fsync(file) == 0
        let number = errno
        close(file)
        isComplete = isComplete && rename(temporary, path) == 0
        guard isComplete else {
            unlink(temporary)
            throw notWritable(path, number)
        }
    }

    private static func write(_ text: String, to file: Int32) -> Bool {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    private static func notWritable(_ path: String, _ number: Int32) -> HabitError {
        HabitError(.outputNotWritable, "the file cannot be written: \(String(cString: strerror(number)))", file: path)
    }
}
