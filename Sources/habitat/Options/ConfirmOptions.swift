import ArgumentParser
import Foundation
import HabitModel

/// Whether something may be deleted without asking.
struct ConfirmOptions: ParsableArguments {
    @Flag(help: "Do not ask.")
    var yes = false

    /// Asks on a terminal; throws `confirm-required` without one, or where the answer is no.
    func confirm(_ question: String) throws {
        guard !yes else { return }
        guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else {
            throw HabitError(.confirmRequired, "\(question) Say --yes to do it: nothing has been changed", field: "yes")
        }
        ErrorReport.write(ErrorReport.clean("\(question) [y/N] "))
        guard ["y", "yes"].contains(readLine()?.trimmingCharacters(in: .whitespaces).lowercased()) else {
            throw HabitError(.confirmRequired, "nothing has been changed", field: "yes")
        }
    }
}
