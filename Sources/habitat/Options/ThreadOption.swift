import ArgumentParser
import Foundation
import HabitModel
import HabitStore
import StoreEngine

/// The option that limits the threads of a command.
struct ThreadOption: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Maximum number of threads (default: the number of processors).", valueName: "number"))
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
        let helpers = try count(for: tasks ?? .max) - 1
        return ReadTeam(try open(), helpers: try (0..<helpers).map { _ in try open() })
    }
}
