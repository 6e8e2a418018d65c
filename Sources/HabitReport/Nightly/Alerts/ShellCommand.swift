import Glibc
import HabitModel

/// A command of the shell `sh` that reads a text from its standard input.
///
/// It uses posix_spawn(3), because Foundation's `Process` needs a socket, which a service without a network may not open.
struct ShellCommand {
    let text: String

    /// Runs the command and waits for its end.
    ///
    /// The standard output of the command is the standard error of this process.
    ///
    /// - Parameter input: The standard input. The command need not read it.
    /// - Returns: The exit status as in the shell: 128 and the number of the signal if a signal has ended the command.
    /// - Throws: `write-failed` if the shell cannot be started.
    func run(input: [UInt8]) throws -> Int32 {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw Self.unavailable }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let spawned = Result { try start(input: ends[0]) }
        close(ends[0])
        if case .success = spawned { Self.write(input, to: ends[1]) }
        close(ends[1])
        let process = try spawned.get()
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 {
            guard errno == EINTR else { throw Self.unavailable }
        }
        let signal = status & 0x7F
        return signal == 0 ? status >> 8 & 0xFF : 128 + signal
    }

    /// Starts the shell and returns the ID of its process.
    private func start(input: Int32) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // This process ignores SIGPIPE, but its command must not.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
        var arguments: [UnsafeMutablePointer<CChar>?] = ["/bin/sh", "-c", text].map { (word: String) in strdup(word) }
        arguments.append(nil)
        defer { for argument in arguments { free(argument) } }
        var process = pid_t()
        guard posix_spawn(&process, "/bin/sh", &actions, &attributes, arguments, environ) == 0 else {
            throw Self.unavailable
        }
        return process
    }

    private static var unavailable: HabitError {
        HabitError(.writeFailed, "the shell for the command cannot be started", field: "notify")
    }

    /// Writes the bytes to a pipe, up to the end of its reader.
    ///
    /// The caller must ignore SIGPIPE.
    private static func write(_ bytes: [UInt8], to pipe: Int32) {
        var done = 0
        while done < bytes.count {
            let part = bytes.withUnsafeBytes { Glibc.write(pipe, $0.baseAddress.map { $0 + done }, $0.count - done) }
            if part < 0, errno == EINTR { continue }
            guard part > 0 else { return }
            done += part
        }
    }
}
