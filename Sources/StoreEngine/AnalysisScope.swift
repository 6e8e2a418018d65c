import HabitModel

/// For whom, and at what time, a session runs user-supplied SQL.
public struct AnalysisScope: Sendable {
    /// The key of the viewer's account; nil for the operator.
    public var viewer: Int64?
    public var clock: Clock

    public init(viewer: Int64?, clock: Clock) {
        self.viewer = viewer
        self.clock = clock
    }
}

/// The origin of a SELECT over the report views.
public enum AnalysisOrigin: Sendable, Hashable {
    /// A report that is embedded in the program.
    case program
    /// The command line or a report file, run for the operator.
    case `operator`
    /// The command line or a report file, run for a signed-in user. The text is hostile.
    case user
}
