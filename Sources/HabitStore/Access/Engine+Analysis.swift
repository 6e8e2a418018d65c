import Base
import HabitModel
import StoreEngine

extension Engine {
    /// Runs `body` on a consistent snapshot of the store, in a session that can run user-supplied SQL for `viewer`.
    ///
    /// - Parameters:
    ///   - viewer: The viewer of the queries.
    ///   - clock: The clock of the queries.
    ///   - snapshot: A closure that returns the name of a snapshot, or `nil` for the current state.
    ///   - body: A closure that runs queries. Its session is valid only until the closure returns.
    /// - Returns: The result of `body`.
    /// - Throws: `store-unavailable` if the store has a role for the analyst that does not have exactly the required
    ///   permissions, or the error that `body` throws.
    public func analyze<Result>(
        as viewer: Viewer,
        clock: Clock,
        at snapshot: () throws -> String? = { nil },
        _ body: (any Session) throws -> Result
    ) throws -> Result {
        try analyze(AnalysisScope(viewer, clock), at: snapshot, body)
    }
}

extension AnalysisScope {
    /// Creates the scope of queries that run for a viewer at the time of a clock.
    public init(_ viewer: Viewer, _ clock: Clock) {
        var key: Int64?
        if case .user(let user, _) = viewer {
            key = user
        }
        self.init(reader: key, clock: clock)
    }
}
