import Base
import HabitModel
import StoreEngine

/// Lookups of the store's keys for the IDs and titles that users enter.
enum Lookup {
    /// Returns the key of the user with the ID `id`.
    ///
    /// - Throws: `not-found` if the user does not exist.
    static func user(_ id: String, in session: any Session) throws -> Int64 {
        let sql: SQL = "SELECT id FROM account WHERE external_id = \(.text(id.composed), as: "id")"
        let key = try session.first(sql) { row in row.integer(0) }
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
        let byTitle: SQL = "habit.title_folded = \(.text(name.folded), as: "title")"
        let own: SQL = "\(byID) AND habit.user_id = \(Visibility(viewer: viewer).key)"
        let first = viewer == .operator ? byID : own
        let second: SQL = "(\(byID) OR \(byTitle))"
        for condition in [first, second] {
            let keys = try habits(condition, visibleTo: viewer, in: session)
            if !keys.isEmpty {
                return keys
            }
        }
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
        let keys = try habits(condition, visibleTo: viewer, in: session)
        guard !keys.isEmpty else { throw Access.notFound(.habit, id) }
        return keys
    }

    /// Returns the keys of all visible habits with this title, compared after case folding.
    ///
    /// - Throws: `not-found` if the viewer can see no such habit.
    static func habits(titled title: String, visibleTo viewer: Viewer, in session: any Session) throws -> [Int64] {
        let condition: SQL = "habit.title_folded = \(.text(title.folded), as: "title")"
        let keys = try habits(condition, visibleTo: viewer, in: session)
        guard !keys.isEmpty else {
            throw HabitError(
                .notFound,
                "no visible habit has the title '\(title)'",
                field: "habit-title")
        }
        return keys
    }

    private static func habits(
        _ condition: SQL,
        visibleTo viewer: Viewer,
        in session: any Session
    ) throws -> [Int64] {
        var select = Select([SelectColumn("id", "habit.id")], from: "habit", order: [OrderTerm("habit.id")])
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
