import Glibc
import HabitModel

/// Ends the program with an error where a file that lies in its memory can be read no more.
///
/// Where many questions are asked, the store's file is mapped. If it is cut short meanwhile, or its disk fails, no read is there
/// to say so: the kernel sends SIGBUS.
enum MappedFileFaultHandler {
    nonisolated(unsafe) private static var text = UnsafeMutableBufferPointer<UInt8>(start: nil, count: 0)

    /// To be called once, before any file is mapped.
    static func report(by report: ErrorReport) {
        let error = HabitError(
            .inputUnreadable,
            "a file that was being read, most likely the store's, was cut short or lies on a disk that fails: put it back from a backup, or see what 'habitat doctor' says"
        )
        let bytes = Array(report.text(error).utf8)
        text = .allocate(capacity: bytes.count)
        _ = text.initialize(from: bytes)
        // The handler calls nothing that allocates: the program may have been stopped anywhere.
        signal(SIGBUS) { _ in
            _ = write(STDERR_FILENO, MappedFileFaultHandler.text.baseAddress, MappedFileFaultHandler.text.count)
            _exit(ErrorCode.inputUnreadable.exitStatus)
        }
    }
}
