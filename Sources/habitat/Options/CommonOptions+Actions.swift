import HabitModel
import HabitReport
import HabitStore
import Rendering
import StoreEngine

extension CommonOptions {
    /// Runs an action of the actor and shows the changed record.
    ///
    /// If the record cannot be shown, the transaction is rolled back.
    /// - Parameters:
    ///   - output: The options for the output.
    ///   - body: Changes the store and returns the query for the changed record.
    /// - Throws: `usage` with `--explain`, `not-signed-in` if the viewer is the operator, the errors of opening the
    ///   store, and the errors of `body` and the output, except a closed output pipe.
    func performAndShow(_ output: OutputOptions, _ body: (ActingUser) throws -> Selection) throws {
        try change(output) { session, viewer, clock in
            let selection = try body(try ActingUser(viewer, clock: clock, in: session))
            try output.show(selection, self, in: session, whenEmpty: "", single: true)
        }
    }

    /// Runs an action of the actor and shows the values that `body` returns.
    ///
    /// If the values cannot be shown, the transaction is rolled back.
    func performAndReport(_ output: OutputOptions, _ body: (ActingUser) throws -> [(name: String, value: Value)]) throws
    {
        try change(output) { session, viewer, clock in
            try output.show(try body(try ActingUser(viewer, clock: clock, in: session)), self)
        }
    }

    /// Changes the store in one transaction.
    ///
    /// - Throws: `usage` with `--explain`, the errors of opening the store and those of `body`.
    func change(_ output: OutputOptions, _ body: (any Session, Viewer, Clock) throws -> Void) throws {
        try output.refuseExplanation()
        let clock = try clock()
        try open(.write).write { session in
            let viewer = try viewer(in: session)
            try ignoringBrokenPipe { try body(session, viewer, clock) }
        }
    }

    /// Prints a notice that the day of an event does not count as done, because its amount is below the target amount.
    func notice(_ shortfall: AmountProgress, ofEvent id: String) {
        notice(
            "The day does not count as done yet (\(shortfall)): change the amount with 'habitat event edit \(id.shellWord) --amount NUMBER'."
        )
    }

    /// Runs `body` and ignores a closed output pipe (`habitat … | true`).
    ///
    /// `body` changes the store and then shows the result. The transaction is committed even if no process reads the
    /// result, and the exit status 0 confirms the commit.
    func ignoringBrokenPipe(_ body: () throws -> Void) throws {
        do { try body() } catch is BrokenPipeError {}
    }
}
