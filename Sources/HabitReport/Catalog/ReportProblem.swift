import Base
import HabitModel

/// A problem in a report file that its author must correct.
public struct ReportProblem: Sendable, Hashable {
    /// The line (from 1) of the file.
    public var line: Int
    /// A sentence with the problem and its remedy.
    public var message: String

    /// Creates a problem.
    ///
    /// - Parameters:
    ///   - line: The line (from 1) of the file.
    ///   - message: A sentence with the problem and its remedy.
    public init(line: Int, _ message: String) {
        self.line = line
        self.message = message
    }

    /// Returns the problem as an error for commands that run the report.
    ///
    /// - Parameter file: The name of the file in errors.
    /// - Returns: A `report-invalid` error.
    public func error(file: String) -> HabitError {
        HabitError(.reportInvalid, message, file: file, line: line)
    }
}

extension StringProtocol {
    /// The text in single quotes for messages, truncated to 60 characters.
    var quoted: String { count <= 60 ? "'\(self)'" : "'\(prefix(60))…'" }
}
