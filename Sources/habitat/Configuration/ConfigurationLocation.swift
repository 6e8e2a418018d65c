/// A location in a configuration file.
struct ConfigurationLocation {
    /// The line, counted from 1.
    var line: Int
    /// The column, counted from 1, or `nil` for the complete line.
    var column: Int?
}
