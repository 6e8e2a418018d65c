import Base
import HabitModel
import StoreEngine

/// Undoes recorded imports.
///
/// A record that the import has inserted is deleted if its version is still the version of the import. Records that have
/// changed since, habits with other events, and records that the import has only updated stay.
public struct ImportUndo {
    /// The records that the undo of an import has deleted and kept.
    public struct Result: Sendable {
        /// The names of the inputs of the import.
        public var file: String
        /// The instant of the import.
        public var at: Instant
        /// The number of deleted habits.
        public var habits: Int
        /// The number of deleted events.
        public var events: Int
        /// The number of deleted posts.
        public var posts: Int
        /// The number of inserted records that were not deleted, because they have changed or were deleted since, or
        /// because they are habits with other events.
        public var kept: Int
        /// The number of records that the import has updated, which keep their values.
        public var updated: Int
    }

    /// The stored values of an import.
    private struct Run {
        var user: Int64
        var file: String
        var at: Instant
        /// The number of records that the import has inserted.
        var inserted: Int
        var updated: Int
        var version: Int64
    }

    private let viewer: Viewer
    private let session: any Session

    /// Creates the actions of `viewer` in `session`.
    public init(_ viewer: Viewer, in session: any Session) {
        self.viewer = viewer
        self.session = session
    }

    /// Deletes the records that an import has inserted and that have not changed since, and the import itself.
    ///
    /// Each deletion is logged. The cost is one read of the user's records. The memory use does not depend on their
    /// number.
    ///
    /// - Parameter id: The ID of the import.
    /// - Returns: The numbers of deleted and kept records.
    /// - Throws: `not-found` for an unknown import and for the import of another user, or an error of the engine.
    public func undo(_ id: String) throws -> Result {
        let run = try stored(id)
        let log = ChangeLog(session)
        let user: SQL = "\(.integer(run.user), as: "user")"
        let events = try log.delete(.events, ofUser: run.user, version: run.version)
        let posts = try log.delete(.posts, ofUser: run.user, version: run.version)
        let isEmpty: SQL = """
            NOT EXISTS (SELECT 1 FROM event WHERE event.habit_id = habit.id AND event.user_id = \(user))
              AND NOT EXISTS (SELECT 1 FROM pause WHERE pause.habit_id = habit.id AND pause.user_id = \(user))
            """
        let habits = try log.delete(.habits, ofUser: run.user, version: run.version, where: isEmpty)
        try session.run("DELETE FROM import_run WHERE external_id = \(.text(id), as: "id")")
        try PhotoWriter.removeUnused(in: session)
        return Result(
            file: run.file,
            at: run.at,
            habits: habits,
            events: events,
            posts: posts,
            kept: max(0, run.inserted - habits - events - posts),
            updated: run.updated)
    }

    private func stored(_ id: String) throws -> Run {
        let sql: SQL = """
            SELECT user_id, file, imported_at, habits + events + posts, updated, version
            FROM import_run
            WHERE external_id = \(.text(id), as: "id")
            """
        let run = try session.first(sql) { row in
            Run(
                user: row.integer(0),
                file: row.text(1) ?? "",
                at: Instant(microseconds: row.integer(2)),
                inserted: Int(row.integer(3)),
                updated: Int(row.integer(4)),
                version: row.integer(5))
        }
        let isVisible = viewer == .operator || viewer.key == run?.user
        guard let run, isVisible else {
            throw HabitError(.notFound, "the import '\(id)' does not exist", field: "undo", .list(.imports))
        }
        return run
    }
}
