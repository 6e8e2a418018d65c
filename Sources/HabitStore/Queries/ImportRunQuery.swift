import Base
import HabitModel
import StoreEngine

/// A query for the recorded imports of a user, or of all users if the viewer is the operator, newest first.
public struct ImportRunQuery: Sendable {
    /// The user who owns the imports, or the operator.
    public var viewer: Viewer
    /// The ID of the user whose imports are listed, or `nil` for all imports of the viewer.
    public var user: String?

    /// Creates a query for the recorded imports of `viewer`.
    public init(viewer: Viewer) {
        self.viewer = viewer
    }

    /// Returns the query as SQL with the shape of its rows.
    ///
    /// - Parameter session: The session that runs the query.
    /// - Returns: The query.
    /// - Throws: `not-found` if the user does not exist, or an error of the engine.
    public func selection(in session: any Session) throws -> Selection {
        var select = Select(
            [
                SelectColumn("id", "import_run.external_id"),
                SelectColumn("user_name", "account.external_id"),
                SelectColumn("imported_at", "import_run.imported_at"),
                SelectColumn("format", "import_run.format"),
                SelectColumn("file", "import_run.file"),
                SelectColumn("habits", "import_run.habits"),
                SelectColumn("events", "import_run.events"),
                SelectColumn("posts", "import_run.posts"),
                SelectColumn("updated", "import_run.updated"),
                SelectColumn("first_change", "import_run.first_change"),
                SelectColumn("last_change", "import_run.last_change"),
            ],
            from: "import_run",
            joins: "JOIN account ON account.id = import_run.user_id",
            order: [.descending("import_run.imported_at", .instant), OrderTerm("import_run.external_id")])
        if let key = viewer.key {
            select.require("import_run.user_id = \(.integer(key), as: "viewer")")
        }
        if let user {
            let key = try Lookup.user(user, visibleTo: viewer, in: session)
            select.require("import_run.user_id = \(.integer(key), as: "user")")
        }
        return Selection(select.sql, shape: Self.shape)
    }

    private static let shape: ResultShape = {
        var shape = ResultShape(
            columns: [
                Column("id", .text, at: 0),
                Column("user", .text, at: 1),
                Column("imported_at", .instant(offset: nil), at: 2),
                Column("format", .text, at: 3),
                Column("file", .text, at: 4),
                Column("habits", .integer, at: 5),
                Column("events", .integer, at: 6),
                Column("posts", .integer, at: 7),
                Column("updated", .integer, at: 8),
                Column("first_change", .integer, at: 9),
                Column("last_change", .integer, at: 10),
            ],
            identity: ["id"])
        shape.table = [
            "id", "user", TableColumn("imported_at", label: "at"), "format", "file", "habits", "events", "posts",
            "updated",
        ]
        return shape
    }()
}
