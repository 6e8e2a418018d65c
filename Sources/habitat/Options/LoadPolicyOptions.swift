import ArgumentParser
import Base
import HabitModel
import HabitStore

/// The options for rejected rows and existing records, for commands that load files.
struct LoadPolicyOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "File for the rejected rows, in CSV or NDJSON by its file name extension.", valueName: "file"),
        completion: .file())
    var rejects: String?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Number of rejected rows that is accepted; with more, no row is stored.", valueName: "number"),
        completion: .anyText)
    var maxRejects: Int?
    @Flag(help: "Store no row if any row is rejected.")
    var strict = false
    @Flag(help: "Check all rows without storing them.")
    var dryRun = false
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Policy for existing records with other values: update, keep or reject.", valueName: "what"))
    var onConflict = ConflictPolicy.update

    /// Returns the maximum number of rejected rows, or `nil` for any number.
    ///
    /// - Throws: `parameter-invalid` if the number is negative.
    func maximumRejects() throws -> Int? {
        if let maxRejects, maxRejects < 0 {
            throw HabitError(.parameterInvalid, "--max-rejects must be 0 or more", field: "max-rejects")
        }
        return maxRejects
    }
}
