import Base
import HabitModel
import HabitStore
import StoreEngine

/// The records that a command deletes.
struct Deletion {
    /// The ID of the record.
    let id: String
    /// The name of the record as in a sentence.
    let subject: String
    /// The numbers of further records that are deleted with it, by their nouns in the plural.
    var others: [(count: Int, noun: String)] = []
    /// The values that other formats than text show.
    let values: [(name: String, value: Value)]

    /// Returns the prompt before the deletion of some records.
    static func question(_ deletions: [Deletion]) -> String {
        let records = deletions.map { deletion in
            "\(deletion.subject)\(deletion.list.map { " with \($0)" } ?? "")"
        }
        return "Delete \(records.joined(separator: "; "))?"
    }

    /// The line after the deletion.
    var line: String { "Deleted \(subject)\(list.map { " and its \($0)" } ?? "")." }

    /// The further records in words, or `nil` if there are none.
    private var list: String? {
        let parts = others.filter { $0.count > 0 }.map { count, noun in
            "\(count) \(count == 1 ? String(noun.dropLast()) : noun)"
        }
        guard let last = parts.last else { return nil }
        return parts.count == 1 ? last : "\(parts.dropLast().joined(separator: ", ")) and \(last)"
    }
}

extension CommonOptions {
    /// Deletes records of the acting user after a confirmation.
    ///
    /// Beginnings of names stand for records only if the command asks, because the prompt has the complete names.
    ///
    /// - Parameters:
    ///   - records: The names of the records.
    ///   - confirmation: The option that skips the prompt.
    ///   - output: The options for the output.
    ///   - question: Returns the prompt in the error if the command runs without a terminal.
    ///   - willCommit: Runs after the deletions, before the transaction commits.
    ///   - body: Deletes the record with a name. On a terminal, it runs once before the prompt, in a transaction that is
    ///     rolled back, so that the prompt names the records.
    /// - Throws: `confirm-required`, the errors of the store and those of `body`. If the result cannot be shown, the
    ///   transaction is rolled back.
    func delete(
        _ records: [String], _ confirmation: ConfirmOptions, _ output: OutputOptions,
        question: (String) -> String, willCommit: (ActingUser) throws -> Void = { _ in },
        _ body: (ActingUser, NameLookup, String) throws -> Deletion
    ) throws {
        try output.refuseExplanation()
        var found: [Deletion]?
        let quoted = records.map { record in "'\(record)'" }.joined(separator: ", ")
        try confirmation.confirm(question(quoted)) {
            let deletions = try preview { session, viewer, clock in
                let user = try actingUser(viewer, clock, in: session)
                return try records.map { record in try body(user, user.names, record) }
            }
            found = deletions
            return Deletion.question(deletions)
        }
        try change(output) { session, viewer, clock in
            let user = try actingUser(viewer, clock, in: session)
            let confirmed = found?.map(\.id) ?? records
            let deletions = try confirmed.map { record in try body(user, user.wholeNames, record) }
            try willCommit(user)
            try show(deletions, output)
        }
    }

    /// Confirms deletions with one line each, or with values if an option requests them.
    func show(_ deletions: [Deletion], _ output: OutputOptions) throws {
        guard output.showsRecord else {
            return try output.confirm(deletions.map(\.line).joined(separator: "\n"), self)
        }
        let columns = (deletions.first?.values ?? []).enumerated().map { index, value in
            Column(value.name, .any, at: index)
        }
        try output.show(self, whenEmpty: "", single: deletions.count == 1) { begin in
            let receiver = try begin(ResultShape(columns: columns))
            for deletion in deletions { try receiver.append(ValueRow(deletion.values.map(\.value))) }
        }
    }

    /// Runs a change in a transaction that is rolled back, and returns its result.
    func preview<Result>(_ body: (any Session, Viewer, Clock) throws -> Result) throws -> Result {
        var result: Result?
        let clock = try clock()
        do {
            try open(.write).write { session in
                result = try body(session, try viewer(in: session), clock)
                throw PreviewRollback()
            }
        } catch is PreviewRollback {}
        guard let result else { throw HabitError(.internal, "the preview has no result") }
        return result
    }
}

/// Rolls back the transaction of a preview.
private struct PreviewRollback: Error {}
