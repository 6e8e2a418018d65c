import Base
import HabitModel
import StoreEngine

/// Lookups of the store's keys for the IDs and titles that users enter.
enum Lookup {
    /// Returns the key of the user with the ID `id`.
    ///
    /// - Throws: `not-found` if the viewer can see no such user.
    static func user(_ id: String, visibleTo viewer: Viewer, in session: any Session) throws -> Int64 {
        var select = Select([SelectColumn("id", "account.id")], from: "account")
        select.require("account.external_id = \(.text(id.composed), as: "id")")
        select.require(Visibility(viewer: viewer).users)
        let key = try session.first(select.sql) { row in row.integer(0) }
        guard let key else {
            throw HabitError(
                .notFound,
                "the user '\(id)' does not exist",
                subject: ErrorSubject(.user, id),
                field: "user",
                .list(.users))
        }
        return key
    }

    /// Returns the keys of the habits that `name` identifies.
    ///
    /// The method first searches the viewer's own habits for the ID `name`. The operator's own habits are all habits.
    /// If no habit is found, the method searches all visible habits for this ID or title. Titles are compared after
    /// case folding and must be equal. So the ID of another user's habit cannot hide the title of the viewer's habit.
    ///
    /// - Throws: `not-found` if the viewer can see no such habit.
    static func habits(_ name: String, visibleTo viewer: Viewer, in session: any Session) throws -> [Int64] {
        let byID: SQL = "habit.external_id = \(.text(name.composed), as: "name")"
        let visibility = Visibility(viewer: viewer)
        let isOwn: SQL = viewer == .operator ? "TRUE" : "habit.user_id = \(visibility.key)"
        let ownByID: SQL = "\(byID) AND \(isOwn)"
        let own = try habits(where: ownByID, visibleTo: viewer, in: session)
        guard own.isEmpty else { return own }
        let visible = try habits(
            where: "(\(byID) OR \(isTitled(name, viewer)))",
            from: visibility.habitSource(session.dialect),
            visibleTo: viewer,
            in: session)
        guard visible.isEmpty else { return visible }
        throw HabitError(
            .notFound,
            "no habit has the id or title '\(name)'",
            field: "habit",
            .list(.habits))
    }

    /// Returns the key of the habit with the ID `id`.
    ///
    /// - Throws: `not-found` if the viewer can see no such habit.
    static func habits(id: String, visibleTo viewer: Viewer, in session: any Session) throws -> [Int64] {
        let condition: SQL = "habit.external_id = \(.text(id.composed), as: "id")"
        let keys = try habits(where: condition, visibleTo: viewer, in: session)
        guard !keys.isEmpty else { throw Access.notFound(.habit, id) }
        return keys
    }

    /// Returns the keys of all visible habits with this title, compared after case folding.
    ///
    /// - Throws: `not-found` if the viewer can see no such habit.
    static func habits(titled title: String, visibleTo viewer: Viewer, in session: any Session) throws -> [Int64] {
        let keys = try habits(
            where: isTitled(title, viewer),
            from: Visibility(viewer: viewer).habitSource(session.dialect),
            visibleTo: viewer,
            in: session)
        guard !keys.isEmpty else {
            throw HabitError(
                .notFound,
                "no visible habit has the title '\(title)'",
                field: "habit-title")
        }
        return keys
    }

    /// Returns the condition that a habit of ``Visibility/habitSource(_:)`` has a title.
    ///
    /// For a user, the index on titles cannot find the habit, because it contains the habits of all users.
    static func isTitled(_ title: String, _ viewer: Viewer) -> SQL {
        let folded: SQL = "\(.text(title.folded), as: "title")"
        guard viewer != .operator else { return "habit.title_folded = \(folded)" }
        return "(habit.title_folded || '') = \(folded)"
    }

    private static func habits(
        where condition: SQL,
        from source: SQL = "habit",
        visibleTo viewer: Viewer,
        in session: any Session
    ) throws -> [Int64] {
        var select = Select([SelectColumn("id", "habit.id")], from: source, order: [OrderTerm("habit.id")])
        select.require(condition)
        select.require(Visibility(viewer: viewer).habits)
        var keys: [Int64] = []
        try session.query(select.sql) { row in
            keys.append(row.integer(0))
            return true
        }
        return keys
    }
}
