import Base
import Foundation
import HabitModel

/// A program that sends the mail on its standard input, such as `msmtp -t`.
///
/// It runs without a shell, and its arguments contain nothing from a request. Its output is discarded, so that it cannot
/// fill the log.
public struct MailCommand: Sendable {
    /// The path or the name of the program, and its arguments.
    private let words: [String]
    /// The maximum run time.
    package var timeout = Duration.seconds(30)

    /// Creates a command.
    ///
    /// - Parameter text: The program and its arguments, separated by spaces. Quotation marks have no meaning.
    /// - Throws: `parameter-invalid` if the program does not exist or cannot be run.
    public init(_ text: String) throws(HabitError) {
        words = text.split(separator: " ").map(String.init)
        guard let program = words.first, Self.isExecutable(program) else {
            throw HabitError(
                .parameterInvalid,
                "the program of '\(text)' does not exist or cannot be run: write the path of a program and its arguments, such as /usr/bin/msmtp -t",
                field: "mail-command")
        }
    }

    /// Whether a program is an executable file, or is one in a folder of `PATH`.
    private static func isExecutable(_ program: String) -> Bool {
        if program.contains("/") {
            return access(program, X_OK) == 0
        }
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return path.split(separator: ":").contains { folder in
            access("\(folder)/\(program)", X_OK) == 0
        }
    }

    /// Runs the command and waits for its end without blocking a thread.
    ///
    /// If the time is over, the command and its children are ended. The process must ignore SIGPIPE.
    ///
    /// - Parameter message: The standard input. The command need not read it.
    /// - Throws: `write-failed` if the command cannot be started, fails, or does not end in time.
    func run(_ message: [UInt8]) async throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw Self.failure("it cannot be started")
        }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        let process = start(input: ends[0])
        close(ends[0])
        var input = Input(descriptor: ends[1], rest: message[...])
        defer { input.close() }
        guard let process else {
            throw Self.failure("it cannot be started")
        }
        let end = ContinuousClock.now + timeout
        while true {
            input.write()
            var status: Int32 = 0
            if waitpid(process, &status, WNOHANG) == process {
                guard status == 0 else {
                    throw Self.failure("its wait status is \(status)")
                }
                return
            }
            guard ContinuousClock.now < end else {
                kill(-process, SIGKILL)
                waitpid(process, nil, 0)
                throw Self.failure("it did not end within \(timeout)")
            }
            // A cancelled sleep ends early, and the loop continues until the command has ended.
            try? await Task.sleep(for: .milliseconds(10))
        }
    }

    /// The pipe to the command, and the bytes that it has not taken.
    private struct Input {
        var descriptor: Int32
        var rest: ArraySlice<UInt8>

        init(descriptor: Int32, rest: ArraySlice<UInt8>) {
            self.descriptor = descriptor
            self.rest = rest
            _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        }

        /// Writes as many bytes as the pipe takes now, and closes it after the last one.
        mutating func write() {
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { bytes in
                    Glibc.write(descriptor, bytes.baseAddress, bytes.count)
                }
                guard count >= 0 else {
                    let isFull = errno == EAGAIN || errno == EINTR
                    if !isFull { close() }
                    return
                }
                rest = rest.dropFirst(count)
            }
            close()
        }

        mutating func close() {
            rest = []
            guard descriptor >= 0 else { return }
            Glibc.close(descriptor)
            descriptor = -1
        }
    }

    /// Starts the program in a process group of its own, and returns its ID, or `nil` if it cannot be started.
    private func start(input: Int32) -> pid_t? {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        for output in [STDOUT_FILENO, STDERR_FILENO] {
            posix_spawn_file_actions_addopen(&actions, output, "/dev/null", O_WRONLY, 0)
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The server ignores SIGPIPE and may block signals, but its command must not.
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigaddset(&signals, SIGPIPE)
        sigaddset(&signals, SIGXFSZ)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        let flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP
        posix_spawnattr_setflags(&attributes, Int16(flags))
        return Self.withCStrings(words) { arguments in
            Self.withCStrings(Self.environment) { environment in
                var process = pid_t()
                let status = posix_spawnp(&process, words[0], &actions, &attributes, arguments, environment)
                return status == 0 ? process : nil
            }
        }
    }

    /// The variables of the command: those of the server, except its settings, which may contain a password.
    private static var environment: [String] {
        ProcessInfo.processInfo.environment.compactMap { name, value in
            name.hasPrefix("HABITAT_") || name.hasPrefix("PG") ? nil : "\(name)=\(value)"
        }
    }

    /// Calls `body` with a list of C strings that ends with a null pointer.
    private static func withCStrings<Result>(
        _ texts: [String],
        _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        var pointers = texts.map { text in strdup(text) }
        pointers.append(nil)
        defer { pointers.forEach { pointer in free(pointer) } }
        return body(pointers)
    }

    private static func failure(_ reason: String) -> HabitError {
        HabitError(
            .writeFailed,
            "the mail command has failed (\(reason)): check its own log",
            field: "mail-command")
    }
}
