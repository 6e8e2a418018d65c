import Base
import Foundation
import HabitModel

/// A log to which lines are appended.
///
/// Each line is one write, so that lines of several threads do not mix.
struct LogFile: Sendable {
    static let standardError = LogFile(descriptor: STDERR_FILENO)

    private let descriptor: Int32

    private init(descriptor: Int32) { self.descriptor = descriptor }

    /// Opens a file and creates it with permissions for its owner only.
    ///
    /// The file stays open until the process ends.
    ///
    /// - Throws: `output-not-writable`.
    init(appendingTo path: String) throws(HabitError) {
        let descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw HabitError(
                .outputNotWritable,
                "the audit log '\(path)' cannot be written: \(String(cString: strerror(errno))): choose another file",
                field: "audit-log")
        }
        // The umask can have removed the permissions of the owner from a new file.
        var status = stat()
        if fstat(descriptor, &status) == 0, status.st_mode & 0o600 != 0o600 { fchmod(descriptor, 0o600) }
        self.descriptor = descriptor
    }

    /// Appends a line.
    ///
    /// A failed write, such as on a full disk, has no effect on the request.
    @Sendable func append(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    }
}
