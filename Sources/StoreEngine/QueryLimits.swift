import HabitModel

/// How far SQL from outside may go.
public struct QueryLimits: Sendable {
    /// How long the engine may work on it; what the reader of the rows does meanwhile does not count.
    public var timeout: Duration
    /// Called on another thread where the engine cannot be stopped, a second after the time was up: must end the program.
    public var whenStuck: (@Sendable (HabitError) -> Void)?

    /// What is said when the time is up.
    package var timeoutError: HabitError {
        let seconds = timeout / .seconds(1)
        let time = seconds == seconds.rounded() ? "\(Int(seconds)) s" : "\(seconds) s"
        return HabitError(
            .timeout, "the query was stopped after \(time)", field: "timeout", .advice("narrow it"), .give(.timeout))
    }

    public init(timeout: Duration = .seconds(60), whenStuck: (@Sendable (HabitError) -> Void)? = nil) {
        self.timeout = timeout
        self.whenStuck = whenStuck
    }
}
