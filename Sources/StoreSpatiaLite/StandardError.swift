import Foundation

/// The standard error of the process.
enum StandardError {
    /// Runs `body` and discards the standard error of the process while it runs.
    ///
    /// For functions of SpatiaLite that write raw messages of SQLite there. Messages of other threads are also discarded.
    ///
    /// - Parameter body: The closure to run.
    /// - Returns: The result of `body`.
    /// - Throws: The error of `body`.
    static func discarding<Result>(_ body: () throws -> Result) rethrows -> Result {
        let saved = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3)
        let null = open("/dev/null", O_WRONLY | O_CLOEXEC)
        guard saved >= 0, null >= 0 else { return try body() }
        dup2(null, STDERR_FILENO)
        close(null)
        defer {
            dup2(saved, STDERR_FILENO)
            close(saved)
        }
        return try body()
    }
}
