import HabitModel
import StoreEngine

/// From what people type to the store's keys.
enum Lookup {
    /// The key of a user; `not-found` where there is none.
    static func user(_ id: String, in session: any Session) throws -> Int64 {
        let sql = SQL("SELECT id FROM account WHERE external_id = :id", ["id": .text(id.composed)])
        guard let key = try session.first(sql, { $0.integer(0) }) else {
            throw HabitError(
                .notFound, "there is no user '\(id)'", subject: ErrorSubject(.user, id), field: "user", .list(.users))
        }
        return key
    }

    /// The keys of the habits that people mean by `name`: the viewer's own (the operator's: any) with this id, else every visible
    /// one with this id or title (folded and whole), so that nobody's id hides another's title.
    static func habits(_ name: String, visibleTo viewer: Viewer, in session: any Session) throws -> [Int64] {
        let byID = "habit.external_id = :name"
        let own = viewer == .operator ? byID : "\(byID) AND habit.user_id = :viewer"
        for condition in [own, "(\(byID) OR habit.title_folded = :title)"] {
            let condition = SQL(condition, ["name": .text(name.composed), "title": .text(name.folded)])
            let keys = try habits(condition, visibleTo: viewer, in: session)
            if !keys.isEmpty { return keys }
        }
        throw HabitError(
            .notFound, "there is no habit with the id or title '\(name)'", subject: ErrorSubject(.habit, name),
            field: "habit", .list(.habits))
    }

    /// The key of the habit with this ID.
    ///
    /// - Throws: `not-found` if the viewer sees no such habit.
    static func habits(id: String, visibleTo viewer: Viewer, in session: any Session) throws -> [Int64] {
        let condition = SQL("habit.external_id = :id", ["id": .text(id.composed)])
        let keys = try habits(condition, visibleTo: viewer, in: session)
        guard !keys.isEmpty else { throw Access.notFound(.habit, id) }
        return keys
    }

    /// The keys of all habits with this title, compared folded and whole.
    ///
    /// - Throws: `not-found` if the viewer sees no such habit.
    static func habits(titled title: String, visibleTo viewer: Viewer, in session: any Session) throws -> [Int64] {
        let condition = SQL("habit.title_folded = :title", ["title": .text(title.folded)])
        let keys = try habits(condition, visibleTo: viewer, in: session)
        guard !keys.isEmpty else {
            throw HabitError(
                .notFound, "there is no habit with the title '\(title)' that you may see", field: "habit-title")
        }
        return keys
    }

    private static func habits(
        _ condition: SQL, visibleTo viewer: Viewer, in session: any Session
    ) throws -> [Int64] {
        let visibility = Visibility(viewer: viewer)
        var select = SelectBuilder(columns: ["habit.id"], from: "habit", order: ["habit.id"])
        select.require(condition)
        select.require(visibility.habits, visibility.bindings)
        if condition.text.contains(":viewer") { select.bind(visibility.bindings) }
        var keys: [Int64] = []
        try session.query(select.sql) {
            keys.append($0.integer(0))
            return true
        }
        return keys
    }
}
