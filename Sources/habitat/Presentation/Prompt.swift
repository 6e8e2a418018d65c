import Base
import Foundation
import HabitModel

/// A question on the terminal.
enum Prompt {
    /// Whether a person can answer: standard input and standard error are terminals.
    static var isPossible: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

    /// Asks for one line.
    ///
    /// - Parameters:
    ///   - question: The question.
    ///   - standard: The answer for an empty line.
    /// - Returns: The answer without blanks around it.
    /// - Throws: `confirm-required` at the end of the input.
    static func line(_ question: String, standard: String) throws -> String {
        ErrorReport.write(ErrorReport.clean("\(question) [\(standard)]: "))
        guard let line = readLine() else {
            ErrorReport.line("")
            throw HabitError(.confirmRequired, "the question was not answered: nothing was changed")
        }
        let answer = line.trimmingCharacters(in: .whitespaces)
        return answer.isEmpty ? standard : answer
    }

    /// Asks a question whose answer is yes or no, and yes for an empty line.
    ///
    /// - Parameter question: The question.
    /// - Returns: Whether the answer is yes. The end of the input is no.
    static func agrees(to question: String) -> Bool {
        ErrorReport.write(ErrorReport.paragraph(ErrorReport.clean("\(question) [Y/n]")) + " ")
        guard let line = readLine() else {
            ErrorReport.line("")
            return false
        }
        let answer = line.trimmingCharacters(in: .whitespaces).lowercased()
        return ["", "y", "yes"].contains(answer)
    }
}
