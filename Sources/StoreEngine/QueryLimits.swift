import Base

/// The limits of user-supplied SQL.
public struct QueryLimits: Sendable {
    /// The maximum time that the engine works on the query.
    ///
    /// Time that the caller spends on the rows does not count.
    public var timeout: Duration
    /// A closure that must end the program because the engine cannot be stopped.
    ///
    /// It is called on another thread, one second after the timeout. `nil` disables it.
    public var onUnresponsive: (@Sendable (HabitError) -> Void)?

    /// The error of a query that exceeds the timeout.
    package var timeoutError: HabitError {
        let seconds = timeout / .seconds(1)
        let isWhole = seconds == seconds.rounded()
        let time = isWhole ? "\(Int(seconds)) s" : "\(seconds) s"
        return HabitError(
            .timeout,
            "the query exceeded its time limit of \(time)",
            field: "timeout",
            parameters: [.seconds(seconds)],
            .advice("add conditions"),
            .give(.timeout))
    }

    /// Creates limits with a timeout and an optional closure that ends the program.
    public init(
        timeout: Duration = .seconds(60),
        onUnresponsive: (@Sendable (HabitError) -> Void)? = nil
    ) {
        self.timeout = timeout
        self.onUnresponsive = onUnresponsive
    }
}
