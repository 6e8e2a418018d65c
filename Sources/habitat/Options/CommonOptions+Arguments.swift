import Base

extension CommonOptions {
    /// Returns the value of an argument that an option can also name.
    ///
    /// - Parameters:
    ///   - argument: The argument, or `nil`.
    ///   - value: The value of the option, or `nil`.
    ///   - name: The name of the option, without dashes.
    /// - Returns: The argument, or else the value.
    /// - Throws: `usage` if both have a value.
    static func value(of argument: String?, orOption value: String?, named name: String) throws -> String? {
        guard argument == nil || value == nil else {
            throw HabitError(
                .usage, "the \(name) is given as an argument and with --\(name): omit one of them", field: name)
        }
        return argument ?? value
    }

    /// Returns the value of an argument that a command requires and that an option can also name.
    ///
    /// - Parameters:
    ///   - argument: The argument, or `nil`.
    ///   - value: The value of the option, or `nil`.
    ///   - name: The name of the option, without dashes.
    ///   - example: A command with the argument.
    /// - Returns: The argument, or else the value.
    /// - Throws: `usage` if both or neither has a value.
    static func required(
        _ argument: String?, orOption value: String?, named name: String, example: String
    ) throws -> String {
        guard let value = try self.value(of: argument, orOption: value, named: name) else {
            throw HabitError(.usage, "the \(name) is missing: name it, such as '\(example)'")
        }
        return value
    }
}
