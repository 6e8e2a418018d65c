import ArgumentParser
import Foundation
import HabitModel

/// The option that disables the confirmation of a deletion.
struct ConfirmOptions: ParsableArguments {
    @Flag(help: "Do not ask.")
    var yes = false

    /// Requests a confirmation on the terminal unless `--yes` is given.
    ///
    /// - Throws: `confirm-required` if standard input or standard error is not a terminal, or if the user declines.
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
