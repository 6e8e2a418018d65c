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

    /// The keys of the habits that people mean by `name`: the viewer's own (the operator's: any) with this id, else every visible
    /// one with this id or title (folded and whole), so that nobody's id hides another's title.
    static func habits(_ name: String, visibleTo viewer: Viewer, in session: any Session) throws -> [Int64] {
        let visibility = Visibility(viewer: viewer)
        let byID = "habit.external_id = :name"
        let own = viewer == .operator ? byID : "\(byID) AND habit.user_id = :viewer"
        var keys: [Int64] = []
        for condition in [own, "(\(byID) OR habit.title_folded = :title)"] where keys.isEmpty {
            var select = SelectBuilder(columns: ["habit.id"], from: "habit", order: ["habit.id"])
            select.require(condition, ["name": .text(name.composed), "title": .text(name.folded)])
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
