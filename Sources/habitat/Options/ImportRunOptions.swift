import ArgumentParser
import Base
import HabitModel
import HabitStore
import StoreEngine

/// The options for the recorded imports.
struct ImportRunOptions: ParsableArguments {
    @Flag(help: "List the imports that have changed records, newest first.")
    var runs = false
    /// Checks that the command has files to import, or the option, but not both.
    ///
    /// - Parameter paths: The files of the command line.
    /// - Throws: A `ValidationError`.
    func validate(paths: [String]) throws {
        guard runs else {
            guard !paths.isEmpty else { throw ValidationError("Missing expected argument '<file> ...'") }
            return
        }
        guard paths.isEmpty else {
            throw ValidationError("--runs reads no files: omit the names of the files")
        }
    }

    /// Lists the recorded imports of the viewer.
    ///
    /// - Parameters:
    ///   - user: The ID of the user whose imports the operator lists, or `nil` for all imports.
    ///   - output: The options for the output.
    ///   - common: The common options.
    /// - Throws: `not-found` for an unknown user, `not-yours` if a user names another user, and the errors of the output.
    func list(of user: String?, output: OutputOptions, common: CommonOptions) throws {
        try output.show(common, whenEmpty: "No imports have changed records.") { session, viewer, _ in
            if case .user(_, let id) = viewer, let user, user.composed != id {
                throw HabitError(
                    .notYours, "users can list only their own imports", field: "user", .omit(.user), .actAsOperator)
            }
            var query = ImportRunQuery(viewer: viewer)
            query.user = user
            return try query.selection(in: session)
        }
    }
}
