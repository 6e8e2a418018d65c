import ArgumentParser
import Base
import Foundation
import HabitModel

/// The option that disables the confirmation of a deletion.
struct ConfirmOptions: ParsableArguments {
    @Flag(help: "Skip the confirmation prompt.")
    var yes = false

    /// The instruction to confirm a deletion without a terminal.
    static let remedy = "pass --yes"

    /// Whether the command asks on the terminal before it deletes.
    var asks: Bool { !yes && Prompt.isPossible }

    /// Requests a confirmation on the terminal unless `--yes` is given.
    ///
    /// - Parameters:
    ///   - prompt: The prompt in the error without a terminal.
    ///   - remedy: The instruction in the error without a terminal.
    ///   - exactPrompt: Returns the prompt on the terminal.
    /// - Throws: `confirm-required` if standard input or standard error is not a terminal, or if the user declines; the
    ///   errors of `exactPrompt`.
    func confirm(
        _ prompt: String, remedy: @autoclosure () -> String = Self.remedy, exactPrompt: () throws -> String
    ) throws {
        guard !yes else { return }
        guard asks else {
            throw HabitError(
                .confirmRequired, "confirmation is required and nothing was changed (\(prompt)): \(remedy())",
                field: "yes")
        }
        let text = ErrorReport.clean("\(try exactPrompt()) [y/N]")
        ErrorReport.write(ErrorReport.paragraph(text) + " ")
        guard ["y", "yes"].contains(readLine()?.trimmingCharacters(in: .whitespaces).lowercased()) else {
            throw HabitError(.confirmRequired, "the command was not confirmed: nothing was changed", field: "yes")
        }
    }
}
