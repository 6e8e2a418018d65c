import ArgumentParser
import Base
import HabitModel
import HabitStore
import StoreEngine

/// The options for the recorded imports.
struct ImportRunOptions: ParsableArguments {
    @Flag(help: "List the imports that have changed records, newest first.")
    var runs = false
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Delete the unchanged records that an import has inserted.", valueName: "id"),
        completion: .anyText)
    var undo: String?
    @OptionGroup var confirmation: ConfirmOptions

    /// Checks that the command has files to import, or one of the options, but not both.
    ///
    /// - Parameter paths: The files of the command line.
    /// - Throws: A `ValidationError`.
    func validate(paths: [String]) throws {
        guard !runs || undo == nil else {
            throw ValidationError("--runs and --undo are mutually exclusive: omit one of them")
        }
        guard runs || undo != nil else {
            guard !paths.isEmpty else { throw ValidationError("Missing expected argument '<file> ...'") }
            return
        }
        guard paths.isEmpty else {
            throw ValidationError("\(runs ? "--runs" : "--undo") reads no files: omit the names of the files")
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

    /// Undoes an import after a confirmation.
    ///
    /// - Parameters:
    ///   - id: The ID of the import.
    ///   - output: The options for the output.
    ///   - common: The common options.
    /// - Throws: `not-found`, `confirm-required`, and the errors of the store and the output.
    func undo(_ id: String, output: OutputOptions, common: CommonOptions) throws {
        try output.refuseExplanation()
        try confirmation.confirm("Undo the import '\(id)'?") {
            let result = try common.preview { session, viewer, _ in
                try ImportUndo(viewer, in: session).undo(id)
            }
            return result.question
        }
        try common.change(output) { session, viewer, _ in
            let result = try ImportUndo(viewer, in: session).undo(id)
            if output.showsRecord {
                try show(result, of: id, output: output, common: common)
            } else {
                try common.confirm(result.line)
            }
        }
    }

    /// Shows the numbers of deleted and kept records as one row.
    private func show(
        _ result: ImportUndo.Result, of id: String, output: OutputOptions, common: CommonOptions
    ) throws {
        let shape = ResultShape(columns: [
            Column("undone", .text, at: 0),
            Column("habits", .integer, at: 1),
            Column("events", .integer, at: 2),
            Column("posts", .integer, at: 3),
            Column("kept", .integer, at: 4),
            Column("updated", .integer, at: 5),
        ])
        let row = ValueRow([
            .text(id),
            .integer(Int64(result.habits)),
            .integer(Int64(result.events)),
            .integer(Int64(result.posts)),
            .integer(Int64(result.kept)),
            .integer(Int64(result.updated)),
        ])
        try output.show(common, whenEmpty: "", single: true) { begin in
            let receiver = try begin(shape)
            try receiver.append(row)
        }
    }
}

extension ImportUndo.Result {
    /// The prompt before the undo.
    fileprivate var question: String {
        "Undo \(subject): delete \(deleted)\(rest)?"
    }

    /// The line after the undo.
    fileprivate var line: String {
        "Undid \(subject): deleted \(deleted)\(rest)."
    }

    private var subject: String {
        "the import of \(file) on \(at.day(at: .utc))"
    }

    /// The deleted records in words.
    private var deleted: String {
        var parts: [String] = []
        if habits > 0 { parts.append(Self.text(habits, "habit")) }
        if events > 0 { parts.append(Self.text(events, "event")) }
        if posts > 0 { parts.append(Self.text(posts, "post")) }
        guard let last = parts.popLast() else { return "no records" }
        guard !parts.isEmpty else { return last }
        return "\(parts.joined(separator: ", ")) and \(last)"
    }

    /// The records that stay, in words.
    private var rest: String {
        var text = ""
        if kept > 0 {
            text += "; left \(Self.text(kept, "record")) (changed or deleted since, or habits with other events)"
        }
        if updated > 0 {
            text += "; left \(Self.text(updated, "update")) of other records"
        }
        return text
    }

    /// Returns a number with a noun.
    private static func text(_ count: Int, _ noun: String) -> String {
        count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
    }
}
