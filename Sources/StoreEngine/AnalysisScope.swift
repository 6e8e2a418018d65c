import Base

/// The reader and the clock of a session that runs user-supplied SQL.
public struct AnalysisScope: Sendable {
    /// The key of the reader, whose visible rows the SQL can read, or `nil` for the operator.
    public var reader: Int64?
    /// The clock that supplies the current instant and date.
    public var clock: Clock

    /// Creates a scope from the key of the reader and a clock.
    public init(reader: Int64?, clock: Clock) {
        self.reader = reader
        self.clock = clock
    }
}
