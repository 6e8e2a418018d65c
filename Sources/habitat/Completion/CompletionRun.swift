import ArgumentParser
import Foundation

/// A run of the program that a completion script starts to get values.
enum CompletionRun {
    /// The maximum duration of a run, in microseconds.
    private static let limit: UInt32 = 300_000

    /// Limits the duration of the process and discards its errors.
    ///
    /// A process that reaches the limit ends without values, also while it waits for a server.
    static func begin() {
        let sink = open("/dev/null", O_WRONLY)
        if sink >= 0 { dup2(sink, STDERR_FILENO) }
        signal(SIGALRM) { _ in _exit(0) }
        ualarm(limit, 0)
    }

    /// Returns the values for the arguments of a completion script, one per line, or `nil` for invalid arguments.
    static func values(for arguments: [String]) -> String? {
        do {
            _ = try Habitat.parseAsRoot(arguments)
            return nil
        } catch {
            // The parser returns the values as an error.
            return Habitat.exitCode(for: error).isSuccess ? Habitat.fullMessage(for: error) : nil
        }
    }
}
