import Base
import HabitModel
import HabitStore
import StoreEngine

/// The rules by which a load or an import commits its transaction.
struct CommitRules {
    /// The names of one and of several inputs in errors, such as `row` and `rows`.
    let inputs: (one: String, several: String)
    /// Whether a single rejected input prevents the commit.
    let isStrict: Bool
    /// The maximum number of rejected inputs, or `nil` for any number.
    let maxRejects: Int?
    /// Whether the transaction is rolled back at its end.
    let isDryRun: Bool

    /// Writes records in one transaction, which commits completely or not at all.
    ///
    /// - Parameters:
    ///   - engine: The engine of the store.
    ///   - policy: The treatment of a record that the store contains with other values.
    ///   - body: A closure that writes the records and returns the number of rejected inputs.
    ///   - beforeCommit: A closure that runs after all records are written. If the closure throws an error, the
    ///     transaction is rolled back.
    /// - Throws: `rows-rejected` in a strict load, `too-many-rejects`, or the errors of `body` and `beforeCommit`. The
    ///   store is then unchanged.
    func load(
        into engine: any Engine, policy: ConflictPolicy, _ body: (RecordWriter) throws -> Int,
        beforeCommit: () throws -> Void
    ) throws {
        var rejected = 0
        do {
            try engine.load(policy: policy) { writer in
                rejected = try body(writer)
            } beforeCommit: { session in
                try check(rejected)
                if !isDryRun { try session.flush() }
                try beforeCommit()
                if isDryRun { throw DryRunRollback() }
            }
        } catch is DryRunRollback {
            // A dry run ends with a rollback.
        }
    }

    private struct DryRunRollback: Error {}

    /// Checks the number of rejected inputs.
    private func check(_ count: Int) throws(HabitError) {
        let rejected = count == 1 ? "1 \(inputs.one) was rejected" : "\(count) \(inputs.several) were rejected"
        if isStrict, count > 0 {
            throw HabitError(
                .rowsRejected, "\(rejected), so nothing was stored", parameters: [.count(count)],
                .advice(count == 1 ? "correct it" : "correct them"), .omit(.strict))
        }
        if let limit = maxRejects, count > limit {
            throw HabitError(
                .tooManyRejects,
                "\(rejected), but the limit is \(limit), so nothing was stored: correct the \(inputs.several)",
                parameters: [.count(count), .limit(limit)])
        }
    }
}
