import HabitModel

/// Something about a report file that its author must change.
public struct ReportProblem: Sendable, Hashable {
    /// The line of the file, from 1.
    public var line: Int
    /// A sentence that says what to write instead.
    public var message: String

    public init(line: Int, _ message: String) {
        self.line = line
        self.message = message
    }

    /// The problem as what stops a command that wants to run the report.
    public func error(file: String) -> HabitError {
        HabitError(.reportInvalid, message, file: file, line: line)
    }
}

extension StringProtocol {
    /// The text as messages show it: in quotes, cut where it is long.
    var quoted: String { count <= 60 ? "'\(self)'" : "'\(prefix(60))…'" }
}
