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
    static func prompt(_ deletions: [Deletion]) -> String {
        let records = deletions.map { deletion in
            deletion.subject(followedBy: " with ")
        }
        let list = records.joined(separator: "; ")
        return "Delete \(list)?"
    }

    /// The line after the deletion.
    var line: String {
        let records = subject(followedBy: " and its ")
        return "Deleted \(records)."
    }

    /// Returns the subject, and the further records after a conjunction.
    private func subject(followedBy conjunction: String) -> String {
        guard let list else { return subject }
        return subject + conjunction + list
    }

    /// The further records in words, or `nil` if the deletion has no further records.
    private var list: String? {
        var parts: [String] = []
        for (count, noun) in others where count > 0 {
            let singular = String(noun.dropLast())
            let word = count == 1 ? singular : noun
            parts.append("\(count) \(word)")
        }
        guard let last = parts.popLast() else { return nil }
        if parts.isEmpty { return last }
        let first = parts.joined(separator: ", ")
        return "\(first) and \(last)"
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
    ///   - prompt: Returns the prompt in the error if the command runs without a terminal.
    ///   - remedy: The instruction in this error.
    ///   - willCommit: Runs after the deletions, before the transaction commits.
    ///   - body: Deletes the record with a name. On a terminal, it runs once before the prompt, in a transaction that is
    ///     rolled back, so that the prompt names the records.
    /// - Throws: `confirm-required`, the errors of the store and those of `body`. If the result cannot be shown, the
    ///   transaction is rolled back.
    func delete(
        _ records: [String],
        confirmation: ConfirmOptions,
        output: OutputOptions,
        prompt: (String) -> String,
        remedy: @autoclosure () -> String = ConfirmOptions.remedy,
        willCommit: (ActingUser) throws -> Void = { _ in },
        _ body: (ActingUser, NameLookup, String) throws -> Deletion
    ) throws {
        try output.refuseExplanation()
        var found: [Deletion]?
        let quoted = records.map { record in "'\(record)'" }.joined(separator: ", ")
        try confirmation.confirm(prompt(quoted), remedy: remedy()) {
            let deletions = try preview { session, viewer, clock in
                let user = try actingUser(viewer, clock, in: session)
                return try records.map { record in try body(user, user.names, record) }
            }
            found = deletions
            return Deletion.prompt(deletions)
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
            let lines = deletions.map(\.line)
            return try confirm(lines.joined(separator: "\n"))
        }
        let values = deletions.first?.values ?? []
        let columns = values.enumerated().map { index, value in
            Column(value.name, .any, at: index)
        }
        let rows = deletions.map { deletion in
            ValueRow(deletion.values.map(\.value))
        }
        let isSingle = rows.count == 1
        try output.show(self, whenEmpty: "", single: isSingle) { begin in
            let shape = ResultShape(columns: columns)
            let receiver = try begin(shape)
            try receiver.append(rows)
        }
    }

    /// Runs a change in a transaction that is rolled back, and returns its result.
    func preview<Result>(
        _ body: (any Session, Viewer, Clock) throws -> Result
    ) throws -> Result {
        var result: Result?
        let clock = try clock()
        do {
            try open(.write).write { session in
                let viewer = try viewer(in: session)
                result = try body(session, viewer, clock)
                throw PreviewRollback()
            }
        } catch is PreviewRollback {}
        guard let result else {
            throw HabitError(.internal, "the preview has no result")
        }
        return result
    }
}

/// Rolls back the transaction of a preview.
private struct PreviewRollback: Error {}
