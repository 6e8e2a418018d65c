import Base

/// The viewer and the clock of a session that runs user-supplied SQL.
public struct AnalysisScope: Sendable {
    /// The key of the viewer's account, or `nil` for the operator.
    public var viewer: Int64?
    /// The clock that supplies the current instant and date.
    public var clock: Clock

    /// Creates a scope from the key of the viewer's account and a clock.
    public init(viewer: Int64?, clock: Clock) {
        self.viewer = viewer
        self.clock = clock
    }
}
