import HabitModel

/// From what people type to the store's keys.
enum Lookup {
    /// The key of a user; `not-found` where there is none.
    static func user(_ id: String, in session: any Session) throws -> Int64 {
        let sql = SQL("SELECT id FROM account WHERE external_id = :id", ["id": .text(id.composed)])
        guard let key = try session.first(sql, { $0.integer(0) }) else {
            throw HabitError(.notFound, "there is no user '\(id)': see 'habitat user list'", field: "user")
        }
        return key
    }

    /// The keys of the visible habits with this id or this title (folded and whole): nobody's id hides another's title.
    static func habits(_ name: String, visibleTo viewer: Viewer, in session: any Session) throws -> [Int64] {
        let visibility = Visibility(viewer: viewer)
        var select = SelectBuilder(columns: ["habit.id"], from: "habit", order: "habit.id")
        select.require(
            "(habit.external_id = :name OR habit.title_folded = :title)",
            ["name": .text(name.composed), "title": .text(name.folded)])
        select.require(visibility.habits, visibility.bindings)
        var keys: [Int64] = []
        try session.query(select.sql) {
            keys.append($0.integer(0))
            return true
        }
        guard !keys.isEmpty else {
            throw HabitError(
                .notFound, "there is no habit with the id or title '\(name)': see 'habitat habit list'", field: "habit")
        }
        return keys
    }
}
