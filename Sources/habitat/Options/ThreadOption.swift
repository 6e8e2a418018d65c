import ArgumentParser
import Foundation
import HabitModel

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
    func count(for tasks: Int) throws -> Int {
        let threads = threads ?? min(Self.limit, ProcessInfo.processInfo.activeProcessorCount)
        guard (1...Self.limit).contains(threads) else {
            throw HabitError(
                .parameterInvalid, "--threads must be from 1 to \(Self.limit), not \(threads)", field: "threads")
        }
        return max(1, min(threads, tasks / Self.tasksPerThread))
    }
}
