import Base
import Foundation
import HabitModel
import HabitStore
import StoreEngine

extension CommonOptions {
    /// Runs changes of events, and adds them to the log of `habitat undo` before the transaction commits.
    ///
    /// - Parameters:
    ///   - user: The user.
    ///   - body: Changes events with the actions.
    /// - Returns: The result of `body`.
    /// - Throws: The error of `body`, or of the engine.
    func keepingUndo<Result>(for user: ActingUser, _ body: (EventActions) throws -> Result) throws -> Result {
        let journal = EventJournal()
        let result = try body(EventActions(user, journal: journal))
        try keepUndo(of: journal, for: user)
        return result
    }

    /// Adds changes to the log of `habitat undo`.
    ///
    /// If the log cannot be written, the changes remain, and a notice reports that they cannot be reverted.
    ///
    /// - Parameters:
    ///   - journal: The changes.
    ///   - user: The user.
    /// - Throws: An error of the engine.
    func keepUndo(of journal: EventJournal, for user: ActingUser) throws {
        guard !journal.changes.isEmpty, let log = UndoLog.process else { return }
        let line = UndoLog.Line(
            id: UUID().uuidString, store: try user.storeID, user: user.id, changes: journal.changes)
        do {
            try log.append(line)
        } catch {
            notice("'habitat undo' cannot revert this change: the file '\(log.path)' cannot be written.")
        }
    }
}

extension ActingUser {
    /// The identity of the store, which a copy and a restored store do not have.
    var storeID: String { get throws { try LogState(of: .viewer(viewer), in: session).log } }
}
