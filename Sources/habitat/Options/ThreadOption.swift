import ArgumentParser
import Base
import Foundation
import HabitModel
import HabitStore
import StoreEngine

/// The option that limits the threads of a command.
struct ThreadOption: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Maximum number of threads (default: the number of processors).", valueName: "number"),
        completion: .anyText)
    var threads: Int?

    /// The number of tasks for which an additional thread with its connection takes less time than it saves.
    private static let tasksPerThread = 8
    private static let limit = 256

    /// Returns the number of threads for some tasks.
    ///
    /// - Throws: `parameter-invalid` if the option is not a number from 1 to 256.
    private func count(for tasks: Int) throws -> Int {
        let threads = threads ?? min(Self.limit, ProcessInfo.processInfo.activeProcessorCount)
        guard (1...Self.limit).contains(threads) else {
            throw HabitError(
                .parameterInvalid, "--threads must be from 1 to \(Self.limit), not \(threads)", field: "threads")
        }
        return max(1, min(threads, tasks / Self.tasksPerThread))
    }

    /// Opens the connections of a team that runs tasks.
    ///
    /// - Parameters:
    ///   - tasks: The number of tasks, or `nil` if it is not known and probably large.
    ///   - open: Opens a connection to the store.
    /// - Returns: The connections.
    /// - Throws: `parameter-invalid` if the option is not a number from 1 to 256; the errors of `open`.
    func team(for tasks: Int? = nil, _ open: () throws -> any Engine) throws -> ReadTeam {
        let count = try count(for: tasks ?? .max)
        let engine = try open()
        var helpers: [any Engine] = []
        // If a server or the system has no further connection, fewer threads run the tasks.
        while helpers.count < min(count - 1, Self.mostConnections), let helper = try? open() { helpers.append(helper) }
        return ReadTeam(engine, helpers: helpers)
    }

    /// The number of connections that leave enough file descriptors for other files.
    private static var mostConnections: Int {
        var files = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files) == 0 else { return 0 }
        return (Int(clamping: files.rlim_cur) - 64) / 8
    }
}
