import Foundation
import Synchronization

/// A program that runs at the same time as a test.
public final class RunningProgram: Sendable {
    /// The way in which a program ended.
    public enum End: Sendable, Equatable {
        /// The program exited with a status.
        case exit(Int32)
        /// A signal ended the program.
        case signal(Int32)

        fileprivate init(of process: Process) {
            let number = process.terminationStatus
            self = process.terminationReason == .uncaughtSignal ? .signal(number) : .exit(number)
        }
    }

    private enum State {
        case running(waiting: [CheckedContinuation<End, Never>])
        case ended(End)
    }

    private let process: Process
    private let state = Mutex(State.running(waiting: []))

    /// Starts a process whose program, arguments and files are set.
    init(_ process: Process) throws {
        self.process = process
        process.terminationHandler = { [weak self] process in self?.ended(End(of: process)) }
        try Self.withoutBlockedSignals { try process.run() }
    }

    /// Runs a closure in a thread that blocks no signals.
    ///
    /// A program inherits the blocked signals of the thread that starts it. The threads of tests block nearly all, so that
    /// SIGTERM would not end the program.
    private static func withoutBlockedSignals(_ run: () throws -> Void) rethrows {
        var none = sigset_t()
        var blocked = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &blocked)
        defer { pthread_sigmask(SIG_SETMASK, &blocked, nil) }
        try run()
    }

    /// The ID of the process.
    public var processIdentifier: Int32 { process.processIdentifier }

    /// Whether the program has not ended.
    public var isRunning: Bool { process.isRunning }

    /// The processor time that the program has used, or zero if it has ended.
    ///
    /// The kernel counts in steps of 10 ms.
    public var processorTime: Duration {
        let path = "/proc/\(processIdentifier)/stat"
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return .zero }
        // The name of the program, in parentheses, can contain spaces. User and system time are the fields 14 and 15.
        let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 12, let user = Int(fields[11]), let system = Int(fields[12]) else { return .zero }
        return .milliseconds(10) * (user + system)
    }

    /// Sends SIGTERM, unless the program has ended.
    public func terminate() { send(SIGTERM) }

    /// Sends a signal, unless the program has ended.
    public func send(_ signal: Int32) {
        if isRunning { kill(processIdentifier, signal) }
    }

    /// Waits until the program ends, without blocking a thread.
    @discardableResult
    public func end() async -> End {
        await withCheckedContinuation { continuation in
            let end = state.withLock { state -> End? in
                switch state {
                case .ended(let end): return end
                case .running(let waiting):
                    state = .running(waiting: waiting + [continuation])
                    return nil
                }
            }
            if let end { continuation.resume(returning: end) }
        }
    }

    private func ended(_ end: End) {
        let waiting = state.withLock { state -> [CheckedContinuation<End, Never>] in
            guard case .running(let waiting) = state else { return [] }
            state = .ended(end)
            return waiting
        }
        for continuation in waiting { continuation.resume(returning: end) }
    }
}
