import Base
import Glibc
import HabitModel
import Rendering

/// A command of the shell `sh` that reads a text from its standard input.
///
/// It uses posix_spawn(3), because Foundation's `Process` needs a socket, which a service without a network may not open.
struct ShellCommand {
    let text: String
    /// The maximum run time.
    let timeout: Duration

    /// Runs the command and waits for its end.
    ///
    /// The standard output of the command is the standard error of this process. If the time is over or this process
    /// receives SIGINT or SIGTERM, the command and its children are ended.
    ///
    /// - Parameter input: The standard input. The command need not read it.
    /// - Returns: The exit status as in the shell: 128 and the number of the signal if a signal has ended the command.
    /// - Throws: `write-failed` if the shell cannot be started, if the time is over, or if a signal is pending.
    func run(input: [UInt8]) throws -> Int32 {
        let signals = BlockedSignals()
        defer { withExtendedLifetime(signals) {} }
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw Self.unavailable }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let spawned = Result { try start(input: ends[0]) }
        close(ends[0])
        var rest = input[...]
        if case .failure = spawned { rest = [] }
        _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
        defer { if ends[1] >= 0 { close(ends[1]) } }
        let process = try spawned.get()
        let end = ContinuousClock.now + timeout
        while true {
            if ends[1] >= 0, !Self.write(&rest, to: ends[1]) {
                close(ends[1])
                ends[1] = -1
            }
            var status: Int32 = 0
            if waitpid(process, &status, WNOHANG) == process {
                let signal = status & 0x7F
                return signal == 0 ? status >> 8 & 0xFF : 128 + signal
            }
            if signals.isPending {
                Self.end(process)
                throw HabitError(.writeFailed, "a signal ended the command for alerts", field: "notify")
            }
            guard ContinuousClock.now < end else {
                Self.end(process)
                throw HabitError(
                    .writeFailed,
                    "the command for alerts did not end within \(timeout): the next run passes the alerts to it again",
                    field: "notify", .give(.timeout))
            }
            // Waits until the pipe has space or the command has ended.
            usleep(5000)
        }
    }

    /// Starts the shell in a process group of its own and returns its ID.
    private func start(input: Int32) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // This process ignores SIGPIPE and blocks other signals, but its command must not.
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigaddset(&signals, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))
        var arguments: [UnsafeMutablePointer<CChar>?] = ["/bin/sh", "-c", text].map { (word: String) in strdup(word) }
        arguments.append(nil)
        defer { for argument in arguments { free(argument) } }
        var process = pid_t()
        guard posix_spawn(&process, "/bin/sh", &actions, &attributes, arguments, environ) == 0 else {
            throw Self.unavailable
        }
        return process
    }

    /// Ends the command and its children.
    private static func end(_ process: pid_t) {
        kill(-process, SIGTERM)
        for _ in 0..<100 {
            if waitpid(process, nil, WNOHANG) == process { return }
            usleep(10_000)
        }
        kill(-process, SIGKILL)
        waitpid(process, nil, 0)
    }

    private static var unavailable: HabitError {
        HabitError(.writeFailed, "the shell for the command cannot be started", field: "notify")
    }

    /// Writes as many bytes as the pipe takes now, and removes them from `bytes`.
    ///
    /// The caller must ignore SIGPIPE.
    ///
    /// - Returns: Whether bytes remain for a reader.
    private static func write(_ bytes: inout ArraySlice<UInt8>, to pipe: Int32) -> Bool {
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(pipe, $0.baseAddress, $0.count) }
            if count < 0 { return errno == EAGAIN || errno == EINTR }
            bytes = bytes.dropFirst(count)
        }
        return false
    }
}
