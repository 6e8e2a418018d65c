import HabitModel
import HabitReport
import HabitStore
import Rendering
import StoreEngine

extension CommonOptions {
    /// Does something in the actor's name, and shows what came of it; what cannot be shown is not done.
    func act(_ output: OutputOptions, _ body: (ActingUser) throws -> Selection) throws {
        try change(output) { session, viewer, clock in
            let selection = try body(try ActingUser(viewer, clock: clock, in: session))
            try output.show(selection, self, in: session, whenEmpty: "", single: true)
        }
    }

    /// Does something in the actor's name that leaves nothing to look at but what `body` says of it.
    func tell(_ output: OutputOptions, _ body: (ActingUser) throws -> [(name: String, value: Value)]) throws {
        try change(output) { session, viewer, clock in
            try output.show(try body(try ActingUser(viewer, clock: clock, in: session)), self)
        }
    }

    /// Changes the store, in one transaction.
    func change(_ output: OutputOptions, _ body: (any Session, Viewer, Clock) throws -> Void) throws {
        try output.refuseExplanation()
        let clock = try clock()
        try open(.write).write { session in
            let viewer = try viewer(in: session)
            try ignoringBrokenPipe { try body(session, viewer, clock) }
        }
    }

    /// Runs what does something and then tells of it. Where nobody reads that any more (`habitat … | true`), it is done all
    /// the same: the command ends with 0, and that means that it is in the store.
    func ignoringBrokenPipe(_ body: () throws -> Void) throws {
        do { try body() } catch is ClosedPipe {}
    }
}
