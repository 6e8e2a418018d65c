import Dispatch
import Foundation

extension Program {
    /// Runs `habitat` on a pseudo-terminal until it ends, without blocking a thread of the caller.
    ///
    /// - Parameters:
    ///   - arguments: The arguments.
    ///   - columns: The width of the terminal.
    ///   - folder: The working folder.
    ///   - environment: The variables, in addition to those of every test.
    ///   - typed: The text that a person types, for prompts.
    /// - Returns: The result, whose output contains what the terminal has received from both outputs.
    /// - Throws: An error if the terminal cannot be opened or the program cannot be started.
    public static func onTerminal(
        _ arguments: [String], columns: Int, in folder: TemporaryFolder, environment: [String: String] = [:],
        typed: String = ""
    ) async throws -> ProgramResult {
        let permit = await Permits.programs.permit()
        defer { withExtendedLifetime(permit) {} }
        let terminal = try PseudoTerminal(columns: columns)
        let program = try terminal.start(arguments, in: folder.path, environment: environment)
        async let output = terminal.output()
        terminal.enter(typed)
        let end = await program.end()
        let text = await output
        return switch end {
        case .exit(let status): ProgramResult(status: status, output: text, errors: "", signalled: false)
        case .signal(let number): ProgramResult(status: number, output: text, errors: "", signalled: true)
        }
    }
}

/// A pseudo-terminal without echo, whose lines end with a line feed.
private final class PseudoTerminal: Sendable {
    struct Failure: Error { var call: String }

    private let controller: Int32
    private let terminal: Int32

    init(columns: Int) throws {
        var controller: Int32 = -1
        var terminal: Int32 = -1
        var size = winsize(ws_row: 50, ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        guard openpty(&controller, &terminal, nil, nil, &size) == 0 else { throw Failure(call: "openpty") }
        self.controller = controller
        self.terminal = terminal
        // Other programs that tests start at the same time must not keep the terminal open.
        for descriptor in [controller, terminal] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        var settings = termios()
        guard tcgetattr(terminal, &settings) == 0 else { throw Failure(call: "tcgetattr") }
        settings.c_oflag &= ~tcflag_t(OPOST)
        settings.c_lflag &= ~tcflag_t(ECHO)
        guard tcsetattr(terminal, TCSANOW, &settings) == 0 else { throw Failure(call: "tcsetattr") }
    }

    /// Starts `habitat` with the terminal as its standard input and outputs.
    func start(_ arguments: [String], in folder: String, environment: [String: String]) throws -> RunningProgram {
        let stream = FileHandle(fileDescriptor: terminal, closeOnDealloc: false)
        defer { close(terminal) }
        return try Program.start(
            Program.habitat, arguments, in: folder, streams: (stream, stream, stream), environment: environment)
    }

    func enter(_ text: String) {
        let bytes = Array(text.utf8)
        _ = write(controller, bytes, bytes.count)
    }

    /// Returns the text that the terminal receives until the program closes it.
    func output() async -> String {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { [controller] in
                var bytes: [UInt8] = []
                var block = [UInt8](repeating: 0, count: 4096)
                while case let count = read(controller, &block, block.count), count > 0 { bytes += block[..<count] }
                close(controller)
                continuation.resume(returning: String(decoding: bytes, as: UTF8.self))
            }
        }
    }
}
