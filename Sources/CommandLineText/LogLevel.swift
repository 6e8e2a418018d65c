import Base
import Foundation
import HabitModel
import Logging

extension Logger.Level {
    /// Returns the level in the environment variable `HABITAT_LOG`, or `nil` if it is unset or empty.
    ///
    /// - Parameter environment: The environment variables of the process.
    /// - Returns: The level, or `nil`.
    /// - Throws: `parameter-invalid` if the value is not the name of a level.
    public static func named(in environment: [String: String]) throws(HabitError) -> Logger.Level? {
        guard let name = environment["HABITAT_LOG"], !name.isEmpty else { return nil }
        guard let level = Logger.Level(rawValue: name) else {
            let levels = allCases.map(\.rawValue).joined(separator: ", ")
            throw HabitError(
                .parameterInvalid, "HABITAT_LOG is '\(name)', which is not a log level: set it to one of \(levels)")
        }
        return level
    }
}
