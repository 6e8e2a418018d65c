/// The origin of a SELECT over the report views.
public enum AnalysisOrigin: Sendable, Hashable {
    /// A report that is embedded in the program.
    case program
    /// The command line or a report file, run for the operator.
    case `operator`
    /// The command line or a report file, run for a reader who can read only some rows.
    case untrusted
}
