import Base
import HabitModel
import HabitReport
import HabitStore
import Rendering
import StoreEngine

extension CommonOptions {
    /// Runs an action of the acting user and confirms it with one line, or with the record if an option requests it.
    ///
    /// If the record cannot be shown, the transaction is rolled back.
    /// - Parameters:
    ///   - output: The options for the output.
    ///   - line: Composes the line from the changed record.
    ///   - body: Changes the store and returns the query for the changed record.
    /// - Throws: `usage` with `--explain`, `not-signed-in` if the viewer is the operator, the errors of opening the
    ///   store, and the errors of `body` and the output, except a closed output pipe.
    func performAndShow(
        _ output: OutputOptions, as line: Confirmation.Line, action body: (ActingUser) throws -> Selection
    ) throws {
        try change(output) { session, viewer, clock in
            let user = try actingUser(viewer, clock, in: session)
            let selection = try body(user)
            try output.confirm(selection, common: self, in: session, today: user.today, line)
        }
    }

    /// Returns the acting user.
    ///
    /// The beginning of a name stands for one of the user's records.
    func actingUser(_ viewer: Viewer, _ clock: Clock, in session: any Session) throws -> ActingUser {
        try ActingUser(viewer, clock: clock, nameRule: .beginning, in: session)
    }

    /// Changes the store in one transaction.
    ///
    /// - Throws: `usage` with `--explain`, the errors of opening the store and those of `body`.
    func change(_ output: OutputOptions, _ body: (any Session, Viewer, Clock) throws -> Void) throws {
        try output.refuseExplanation()
        let clock = try clock()
        try open(.write).write { session in
            let viewer = try viewer(in: session)
            try ignoringBrokenPipe {
                try body(session, viewer, clock)
            }
        }
    }

    /// Prints a notice that the day of an event does not count as done, because its amount is below the target amount.
    func notice(_ shortfall: AmountProgress, ofEvent id: String) {
        notice(
            "The day does not count as done yet (\(shortfall)): change the amount with 'habitat event edit \(id.shellWord) --amount NUMBER'."
        )
    }

    /// Prints a notice to the operator that other accounts have the address of a user.
    func warnAboutSharedAddress(of user: String, _ viewer: Viewer, in session: any Session) throws {
        guard viewer == .operator else { return }
        let others = try SharedAddresses.users(withAddressOf: user, in: session)
        guard !others.isEmpty else { return }
        notice(
            "warning: the email address of '\(user)' is also the address of \(Self.list(others)): a person who signs in with it cannot open these accounts. \(Self.sharedAddressRemedy)"
        )
    }

    /// Prints a notice that several accounts of the store have the same address.
    func warnAboutSharedAddresses(in session: any Session) throws {
        let users = try SharedAddresses.users(in: session)
        guard !users.isEmpty else { return }
        notice(
            "warning: \(users.count) accounts have the email address of another account (\(Self.list(users))): a person who signs in with it cannot open these accounts. \(Self.sharedAddressRemedy)"
        )
    }

    private static let sharedAddressRemedy =
        "Change an address with 'habitat user edit USER --email ADDRESS'; 'habitat user list --columns id,email' shows all addresses."

    /// Returns the first few IDs of a list.
    private static func list(_ users: [String]) -> String {
        let names = users.prefix(3).map { user in "'\(user)'" }
        let list = names.joined(separator: ", ")
        return users.count > 3 ? "\(list), …" : list
    }

    /// Runs `body` and ignores a closed output pipe (`habitat … | true`).
    ///
    /// `body` changes the store and then shows the result. The transaction is committed even if no process reads the
    /// result, and the exit status 0 confirms the commit.
    func ignoringBrokenPipe(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch is BrokenPipeError {}
    }
}
