import Base
import Glibc
import HabitModel
import Rendering

/// A reader for a file of a nightly run.
///
/// It reads only regular files and does not follow symbolic links.
final class NightlyFileReader {
    private let path: String
    private let descriptor: Int32
    private static let partSize = 1 << 20

    /// Opens the file.
    ///
    /// - Throws: `input-not-found`, `input-unreadable`.
    init(_ path: String) throws {
        self.path = path
        // Without `O_NONBLOCK`, opening a pipe without a writer would block.
        descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw errno == ENOENT
                ? HabitError(
                    .inputNotFound, "the file does not exist, although the manifest lists it: repeat the nightly run",
                    file: path)
                : Self.unreadable(path, errno == ELOOP ? "it is a symbolic link" : reason(errno))
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw Self.unreadable(path, "it is not a file")
        }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Returns the content of the file, or `nil` if it has more than `most` bytes.
    ///
    /// - Throws: `input-unreadable`.
    func contents(most: Int) throws -> [UInt8]? {
        var bytes: [UInt8] = []
        return try read(most: most) { $0.withUnsafeBytes { bytes.append(contentsOf: $0) } } ? bytes : nil
    }

    /// Returns the SHA-256 digest of the file as in a manifest, or `nil` if the file has more than `most` bytes.
    ///
    /// - Throws: `input-unreadable`.
    func digest(most: Int) throws -> String? {
        var hash = RunningSHA256()
        return try read(most: most) { hash.update($0) } ? hash.digest.hexadecimal : nil
    }

    /// Calls `body` with each part of the file.
    ///
    /// Returns `false` if the file has more than `most` bytes.
    private func read(most: Int, _ body: (RawSpan) -> Void) throws -> Bool {
        var part = [UInt8](repeating: 0, count: Self.partSize)
        var rest = most
        while true {
            let count = part.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Self.unreadable(path, reason(errno)) }
            guard count > 0 else { return true }
            guard count <= rest else { return false }
            rest -= count
            body(part.span.extracting(first: count).bytes)
        }
    }

    private static func unreadable(_ path: String, _ why: String) -> HabitError {
        HabitError(.inputUnreadable, "the file cannot be read: \(why)", file: path)
    }
}
