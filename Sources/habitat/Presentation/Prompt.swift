import Base
import Foundation
import HabitModel

/// A prompt on the terminal.
enum Prompt {
    /// Whether a person can reply: standard input and standard error are terminals.
    static var isPossible: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

    /// Reads one line after a prompt.
    ///
    /// - Parameters:
    ///   - prompt: The text of the prompt.
    ///   - standard: The reply for an empty line.
    /// - Returns: The reply without blanks around it.
    /// - Throws: `confirm-required` at the end of the input.
    static func line(_ prompt: String, standard: String) throws -> String {
        ErrorReport.write(ErrorReport.clean("\(prompt) [\(standard)]: "))
        guard let line = readLine() else {
            ErrorReport.line("")
            throw HabitError(.confirmRequired, "the question was not answered: nothing was changed")
        }
        let answer = line.trimmingCharacters(in: .whitespaces)
        return answer.isEmpty ? standard : answer
    }

    /// Reads yes or no after a prompt.
    ///
    /// - Parameter prompt: The text of the prompt.
    /// - Returns: Whether the reply is yes. An empty line is yes, and the end of the input is no.
    static func agrees(to prompt: String) -> Bool {
        ErrorReport.write(ErrorReport.paragraph(ErrorReport.clean("\(prompt) [Y/n]")) + " ")
        guard let line = readLine() else {
            ErrorReport.line("")
            return false
        }
        let answer = line.trimmingCharacters(in: .whitespaces).lowercased()
        return ["", "y", "yes"].contains(answer)
    }
}
