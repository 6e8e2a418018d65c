import Foundation

/// A test that distinguishes a full disk from other failures.
///
/// SQLite reports `SQLITE_FULL` only for some of its files, and only if the file system has no space. An exhausted
/// quota, an exceeded limit on the size of files (`ulimit -f`) and a log that cannot be created cause other errors.
enum FreeSpace {
    /// The space that is needed to open a store, in bytes: the first part of its shared memory and of its log.
    private static let needed = 64 << 10

    /// Returns whether the file at `path` cannot grow because the disk, a quota or a limit is exhausted.
    ///
    /// The test writes to an unnamed file in the same folder, at the end offset of the file or of its log, whichever is
    /// larger.
    static func isExhausted(at path: String) -> Bool {
        let folder = (path as NSString).deletingLastPathComponent
        let flags = nameless | O_WRONLY | O_CLOEXEC
        let file = open(folder.isEmpty ? "." : folder, flags, 0o600)
        guard file >= 0 else { return isExhaustion(errno) }
        defer { close(file) }
        let end = max(size(of: path), size(of: path + "-wal"))
        let block = [UInt8](repeating: 1, count: needed)
        let written = block.withUnsafeBytes { bytes in
            pwrite(file, bytes.baseAddress, bytes.count, off_t(end))
        }
        guard written >= 0 else { return isExhaustion(errno) }
        return written < needed
    }

    /// Returns whether a system error number means that no space is left.
    static func isExhaustion(_ number: Int32) -> Bool { [ENOSPC, EDQUOT, EFBIG].contains(number) }

    private static func size(of path: String) -> Int64 {
        var status = stat()
        guard stat(path, &status) == 0 else { return 0 }
        return Int64(status.st_size)
    }

    /// Linux's O_TMPFILE, which Swift does not import: a flag that creates an unnamed file in a folder (open(2)).
    private static let nameless = O_DIRECTORY | 0o20_000_000
}
