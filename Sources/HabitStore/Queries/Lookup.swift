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

    /// The keys of the visible habit with this id or, failing that, of all with this title (folded and whole).
    static func habits(_ name: String, visibleTo viewer: Viewer, in session: any Session) throws -> [Int64] {
        let visibility = Visibility(viewer: viewer)
        var keys: [Int64] = []
        for match in ["habit.external_id = :name", "habit.title_folded = :name"] where keys.isEmpty {
            var select = SelectBuilder(columns: ["habit.id"], from: "habit", order: "habit.id")
            let text = match.contains("folded") ? name.folded : name.composed
            select.require(match, ["name": .text(text)])
            select.require(visibility.habits, visibility.bindings)
            try session.query(select.sql) {
                keys.append($0.integer(0))
                return true
            }
        }
        guard !keys.isEmpty else {
            throw HabitError(
                .notFound, "there is no habit with the id or title '\(name)': see 'habitat habit list'", field: "habit")
        }
        return keys
    }
}
