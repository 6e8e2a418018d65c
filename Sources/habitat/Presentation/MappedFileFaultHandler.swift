import Base
import Glibc
import HabitModel

/// Ends the program with an error if a memory-mapped file becomes unreadable.
///
/// Commands that run many queries map the store's file into memory. If the file is truncated or its disk fails, no
/// system call returns an error. The kernel sends SIGBUS instead.
enum MappedFileFaultHandler {
    nonisolated(unsafe) private static var text = UnsafeMutableBufferPointer<UInt8>(start: nil, count: 0)

    /// Installs the signal handler.
    ///
    /// Call this method once, before the program maps a file.
    ///
    /// - Parameter report: Formats the error in advance.
    static func report(by report: ErrorReport) {
        let error = HabitError(
            .inputUnreadable,
            "a file, probably the store, was truncated during the read or is on a failing disk: run 'habitat doctor', or restore a backup"
        )
        let bytes = Array(report.text(error).utf8)
        text = .allocate(capacity: bytes.count)
        _ = text.initialize(from: bytes)
        // The handler allocates no memory, because the signal may interrupt any code, including the allocator.
        signal(SIGBUS) { _ in
            _ = write(STDERR_FILENO, MappedFileFaultHandler.text.baseAddress, MappedFileFaultHandler.text.count)
            _exit(ErrorCode.inputUnreadable.exitStatus)
        }
    }
}
