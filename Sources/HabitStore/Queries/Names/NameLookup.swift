import Base
import HabitModel
import StoreEngine

/// A lookup of the records that users name.
///
/// A name is an ID or a whole title. For people at a terminal, it can also be a beginning: see ``Rule``. The lookup reads
/// only records that the viewer can see.
public struct NameLookup {
    /// The texts that stand for a record.
    public enum Rule: Sendable {
        /// IDs and whole names: the rule for programs.
        case whole
        /// Also beginnings of names and of their words, and beginnings of IDs.
        case beginning
    }

    /// The user who names the records, or the operator.
    public let viewer: Viewer
    /// The session of the lookup.
    public let session: any Session
    let rule: Rule

    /// Creates a lookup.
    ///
    /// - Parameters:
    ///   - viewer: The user who names the records, or the operator.
    ///   - rule: The texts that stand for a record.
    ///   - session: The session of the lookup.
    public init(viewer: Viewer, rule: Rule = .whole, in session: any Session) {
        self.viewer = viewer
        self.rule = rule
        self.session = session
    }

    private var access: AccessChecker { AccessChecker(viewer: viewer, in: session) }
    var visibility: Visibility { Visibility(viewer: viewer) }

    // MARK: Habits

    /// Returns the ID of the habit that `name` stands for.
    ///
    /// An ID or a title that exactly one habit has stands for the habit. The viewer's own habits take precedence over
    /// other habits, so an ID of another user cannot hide the viewer's own habit. The cost is one index lookup, or one row
    /// for each visible habit for a beginning.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - isOwn: Whether a beginning can stand only for a habit of the viewer.
    /// - Returns: The ID of a habit that the viewer can see.
    /// - Throws: `usage` if the name stands for several habits; `not-found` if the viewer can see no such habit.
    public func habitID(_ name: String, own isOwn: Bool = false) throws -> String {
        if let id = try wholeHabitID(name) {
            return id
        }
        var error = Access.notFound(.habit, name)
        // The name may be a title.
        error.subject = nil
        guard rule == .beginning else { throw error }
        let habits = habits(own: isOwn)
        let search = try search(name, among: habits)
        if let found = try search.record() {
            return found.id
        }
        throw search.suggestion ?? error
    }

    /// Returns the names that the filter of a query contains for names of habits that a person enters.
    ///
    /// IDs and whole titles are unchanged. A beginning becomes the title with this beginning, or the ID with this
    /// beginning.
    ///
    /// - Parameter names: The names.
    /// - Returns: The IDs and titles.
    /// - Throws: The errors of ``habitID(_:own:)``, but several habits can have the title.
    public func habitFilter(_ names: [String]) throws -> [String] {
        guard rule == .beginning else { return names }
        return try names.map { name in
            do {
                _ = try Lookup.habits(name, visibleTo: viewer, in: session)
                return name
            } catch let error as HabitError where error.code == .notFound {
                return try habitFilter(beginning: name, otherwise: error)
            }
        }
    }

    /// Returns whether an ID or a whole title stands for exactly one habit that the viewer can see.
    ///
    /// - Parameter name: The ID or the title.
    /// - Returns: Whether there is such a habit.
    /// - Throws: `usage` if several habits have the title.
    public func isHabit(_ name: String) throws -> Bool { try wholeHabitID(name) != nil }

    /// Returns the title or the ID of a habit with this beginning.
    private func habitFilter(beginning: String, otherwise error: HabitError) throws -> String {
        let search = try search(beginning, among: habits(own: false))
        let found = try search.recordsOfOneName()
        guard let first = found.first else {
            throw search.suggestion ?? error
        }
        let match = NameBeginning(beginning).match(in: first.name)
        if match != nil {
            return first.name
        }
        // The text is the beginning of an ID, which must be unique.
        let record = try search.record()
        return record?.id ?? beginning
    }

    /// Returns the number of habits of the viewer, who is a user, that have a title.
    public func ownHabitCount(titled title: String) throws -> Int {
        try habitIDs(titled: title, isOwn: true).count
    }

    /// Returns the ID of the habit with an ID or a whole title, or `nil` if the viewer can see no such habit.
    private func wholeHabitID(_ name: String) throws -> String? {
        let scopes = viewer == .operator ? [false] : [true, false]
        for isOwn in scopes {
            if let id = try habitID(id: name, isOwn: isOwn) {
                return id
            }
            let ids = try habitIDs(titled: name, isOwn: isOwn)
            if ids.count == 1 {
                return ids[0]
            }
            guard ids.isEmpty else {
                throw try severalHabits(titled: name, ids: ids)
            }
        }
        return nil
    }

    /// Returns an ID if the viewer can see the habit with this ID, and the habit is the viewer's own if `isOwn` is set.
    private func habitID(id: String, isOwn: Bool) throws -> String? {
        guard let object = try object(.habit, id) else { return nil }
        if isOwn, viewer.principal != .user(object.owner) {
            return nil
        }
        return denial(on: object) == nil ? object.id : nil
    }

    private func habitIDs(titled title: String, isOwn: Bool) throws -> [String] {
        var select = Select(
            [SelectColumn("id", "habit.external_id")],
            from: visibility.habitSource(session.dialect),
            order: [OrderTerm("habit.external_id")])
        select.require(Lookup.isTitled(title, viewer))
        if isOwn {
            select.require("habit.user_id = \(visibility.key)")
        } else {
            select.require(visibility.habits)
        }
        return try ids(select.sql)
    }

    /// Returns the IDs in the first column of a SELECT.
    private func ids(_ sql: SQL) throws -> [String] {
        var ids: [String] = []
        try session.query(sql) { row in
            ids.append(row.text(0) ?? "")
            return true
        }
        return ids
    }

    private func severalHabits(titled title: String, ids: [String]) throws -> HabitError {
        guard rule == .beginning else {
            let list = ids.joined(separator: ", ")
            return HabitError(
                .usage,
                "several habits have the title '\(title)': use one of the ids \(list)",
                field: "habit")
        }
        let values = ids.map { id -> SQL in
            "\(.text(id), as: "id")"
        }
        let list = values.joined(separator: ", ")
        let source = habits(where: "habit.external_id IN (\(list))")
        var records: [NamedRecord] = []
        try read(source) { record in
            records.append(record)
        }
        return NameSearch.ambiguous("\(ids.count) habits have the title '\(title)'", records, field: "habit")
    }

    // MARK: Events

    /// Returns the ID of the event of a habit on a day.
    ///
    /// - Parameters:
    ///   - habit: The ID of a habit that the viewer can see.
    ///   - day: The day.
    /// - Returns: The ID of an event that the viewer can see.
    /// - Throws: `not-found` if the viewer can see no such event.
    public func eventID(ofHabit habit: String, on day: Day) throws -> String {
        let sql: SQL = """
            SELECT event.external_id, habit.title
            FROM habit
            LEFT JOIN event ON event.habit_id = habit.id AND event.user_id = habit.user_id
              AND event.day = \(.day(day), as: "day")
            WHERE habit.external_id = \(.text(habit.composed), as: "habit")
            """
        var event: String?
        var title = habit
        try session.query(sql) { row in
            event = row.text(0)
            title = row.text(1) ?? ""
            return false
        }
        if let event, try isVisible(.event, event) {
            return event
        }
        throw HabitError(
            .notFound,
            "the habit '\(title)' has no event on \(day)",
            field: "event",
            parameters: [.day(day)])
    }

    /// Returns whether the viewer can see an event with this ID.
    public func hasEvent(_ id: String) throws -> Bool {
        try isVisible(.event, id)
    }

    // MARK: Items, posts and users

    /// The items among which a name is searched.
    public enum ItemScope: Sendable {
        /// All items.
        case all
        /// Available items of other users.
        case claimable
        /// The viewer's items.
        case own
        /// Items that the viewer has claimed, and claimed items of the viewer.
        case claimed
        /// Items about which the viewer has messages, or with a claim of or for the viewer.
        case discussed
    }

    /// Returns the ID of the item that `name` stands for.
    ///
    /// The cost is one index lookup for an ID, and one row for each item of the scope for a name.
    ///
    /// - Parameters:
    ///   - name: An ID, or the name of an item or its beginning.
    ///   - scope: The items that the search for a name includes. An ID can belong to any item.
    ///   - clock: The clock that determines which items have expired.
    /// - Returns: The ID, or `name` if no item has the name and no name is similar.
    /// - Throws: `usage` if the name stands for several items; `not-found` with a similar name.
    public func itemID(_ name: String, in scope: ItemScope = .all, clock: Clock) throws -> String {
        guard try !isKnown(.item, name) else { return name }
        return try id(name, kind: .item) {
            let condition = try condition(of: scope, clock)
            return """
                SELECT item.external_id, item.name, account.external_id, \(isOwn("item"))
                FROM item
                JOIN account ON account.id = item.user_id
                WHERE \(condition)
                ORDER BY item.external_id
                """
        }
    }

    /// Returns the ID of the post that `name` stands for.
    ///
    /// - Parameters:
    ///   - name: An ID, or the caption of a post or its beginning.
    ///   - isOwn: Whether a caption can stand only for a post of the viewer.
    /// - Returns: The ID, or `name` if no visible post has the caption and no caption is similar.
    /// - Throws: `usage` if the name stands for several posts; `not-found` with a similar caption.
    public func postID(_ name: String, own isOwn: Bool = false) throws -> String {
        guard try !isKnown(.post, name) else { return name }
        return try id(name, kind: .post) {
            let own: SQL = "post.user_id = \(visibility.key)"
            let all = visibility.posts ?? "TRUE"
            let visible = isOwn ? own : all
            return """
                SELECT post.external_id, post.caption, account.external_id, \(self.isOwn("post"))
                FROM post
                JOIN account ON account.id = post.user_id
                WHERE \(visible) AND post.deleted_at IS NULL AND post.caption IS NOT NULL
                ORDER BY post.external_id
                """
        }
    }

    /// Returns the ID of the user that `name` stands for.
    ///
    /// - Parameter name: An ID, `me` for the viewer, or the whole name of one user.
    /// - Returns: The ID, or `name` if no user has the name.
    /// - Throws: `usage` if several users have the name.
    public func userID(_ name: String) throws -> String {
        if try isKnown(.user, name) {
            return name
        }
        if name == "me", case .user(_, let id) = viewer {
            return id
        }
        let folded = session.dialect.folded("account.name")
        let sql: SQL = """
            SELECT account.external_id
            FROM account
            WHERE \(folded) = \(.text(name.folded), as: "name") AND \(visibility.users ?? "TRUE")
            ORDER BY account.external_id
            LIMIT 10
            """
        let ids = try ids(sql)
        guard ids.count > 1 else {
            return ids.first ?? name
        }
        let list = ids.prefix(9).joined(separator: ", ")
        let more = ids.count > 9 ? ", …" : ""
        throw HabitError(
            .usage,
            "several users have the name '\(name)': use one of the ids \(list)\(more)",
            field: "user")
    }

    /// Returns the words by which a person knows a record: its title, name or caption, and the day of an event.
    ///
    /// - Parameters:
    ///   - kind: The kind of the record: a habit, an event, an item, or a post.
    ///   - id: The ID of the record.
    /// - Returns: The words, or `nil` if the viewer can see no such record or the record has no words.
    /// - Throws: An error of the engine.
    public func title(of kind: AccessObject.Kind, id: String) throws -> String? {
        let text: SQL
        switch kind {
        case .habit: text = "habit.title"
        case .event:
            text = """
                (
                    SELECT habit.title FROM habit WHERE habit.id = event.habit_id AND habit.user_id = event.user_id
                  )
                """
        case .item: text = "item.name"
        case .post: text = "post.caption"
        case .pause, .message, .user: return nil
        }
        guard try isVisible(kind, id) else { return nil }
        let day: SQL = kind == .event ? "event.day" : "NULL"
        let sql: SQL = """
            SELECT \(text), \(day)
            FROM \(raw: kind.rawValue)
            WHERE \(raw: kind.rawValue).external_id = \(.text(id.composed), as: "id")
            """
        let title = try session.first(sql) { row -> String? in
            guard let title = row.text(0) else { return nil }
            guard let day = row.day(1) else { return title }
            return "\(title) on \(day)"
        }
        return title ?? nil
    }

    /// Whether the viewer can see a record, or knows that its owner has deleted it.
    private func isKnown(_ kind: AccessObject.Kind, _ id: String) throws -> Bool {
        guard let object = try object(kind, id) else { return false }
        return denial(on: object) != .invisible
    }

    private func isVisible(_ kind: AccessObject.Kind, _ id: String) throws -> Bool {
        guard let object = try object(kind, id) else { return false }
        return denial(on: object) == nil
    }

    /// Returns the object of a record, or `nil` if it does not exist.
    private func object(_ kind: AccessObject.Kind, _ id: String) throws -> AccessObject? {
        try access.find(kind, id)?.object
    }

    /// Returns the reason why the viewer cannot see a record, or `nil` if the viewer can.
    private func denial(on object: AccessObject) -> Denial? {
        Access.denial(of: .view, to: viewer.principal, on: object)
    }

    // MARK: Search

    private func id(
        _ name: String,
        kind: AccessObject.Kind,
        from select: () throws -> SQL
    ) throws -> String {
        var search = NameSearch(name, kind: kind, rule: rule)
        let sql = try select()
        try session.query(sql) { row in
            let record = NamedRecord(
                id: row.text(0) ?? "",
                name: row.text(1) ?? "",
                isOwn: row.integer(3) != 0,
                note: row.text(2) ?? "")
            search.add(record)
            return true
        }
        if let found = try search.record() {
            return found.id
        }
        guard var suggestion = search.suggestion else { return name }
        suggestion.subject = ErrorSubject(kind, name)
        throw suggestion
    }

    private func search(_ name: String, among source: SQL) throws -> NameSearch {
        var search = NameSearch(name, kind: .habit, rule: rule)
        try read(source) { record in
            search.add(record)
        }
        return search
    }

    /// Calls `body` with each habit of a SELECT that ``habits(where:)`` returns.
    private func read(_ source: SQL, _ body: (NamedRecord) -> Void) throws {
        try session.query(source) { row in
            let isOwn = row.integer(3) != 0
            let note = isOwn ? schedule(row)?.description : row.text(2)
            let record = NamedRecord(
                id: row.text(0) ?? "",
                name: row.text(1) ?? "",
                isOwn: isOwn,
                note: note ?? "")
            body(record)
            return true
        }
    }

    /// Returns the schedule of a habit of a SELECT that ``habits(where:)`` returns.
    private func schedule(_ row: some Row) -> Schedule? {
        let mask = Int(row.integer(4))
        if !row.isNull(4), let days = Weekdays(mask: mask) {
            return .weekdays(days)
        }
        if row.isNull(5) { return nil }
        let times = Int(row.integer(5))
        let period = Int(row.integer(6))
        let target = try? Target(times: times, periodDays: period)
        return target.map(Schedule.target)
    }

    private func habits(own isOwn: Bool) -> SQL {
        habits(where: isOwn ? "habit.user_id = \(visibility.key)" : "TRUE")
    }

    /// Returns a SELECT of the habits that the viewer can see and that meet a condition.
    private func habits(where condition: SQL) -> SQL {
        """
        SELECT habit.external_id, habit.title, account.external_id, \(isOwn("habit")),
          habit.weekdays, habit.times, habit.period_days
        FROM \(visibility.habitSource(session.dialect))
        JOIN account ON account.id = habit.user_id
        WHERE \(condition)
        ORDER BY habit.external_id
        """
    }

    /// Returns an expression that is 1 if the viewer owns a row of `table`, otherwise 0.
    func isOwn(_ table: String) -> SQL {
        viewer == .operator ? "0" : "CASE WHEN \(raw: table).user_id = \(visibility.key) THEN 1 ELSE 0 END"
    }

    /// Returns the condition that an item is in a scope and that the viewer can see it.
    func condition(of scope: ItemScope, _ clock: Clock) throws -> SQL {
        guard let isVisible = visibility.items else { return "TRUE" }
        return "\(try scopeCondition(scope, clock)) AND \(isVisible)"
    }

    private func scopeCondition(_ scope: ItemScope, _ clock: Clock) throws -> SQL {
        let key = visibility.key
        switch scope {
        case .all:
            return "TRUE"
        case .own:
            return "item.user_id = \(key)"
        case .claimable:
            let dates = try LocalDates(clock, in: session)
            let state = ItemRecords.state(on: dates.date)
            return "item.user_id <> \(key) AND \(state) = 'available'"
        case .claimed:
            return """
                item.id IN (
                  SELECT claim.item_id FROM claim WHERE claim.user_id = \(key) AND claim.state = 'claimed'
                  UNION
                  SELECT owned.id FROM item AS owned WHERE owned.user_id = \(key) AND owned.state = 'claimed'
                )
                """
        case .discussed:
            return """
                item.id IN (
                  SELECT claim.item_id FROM claim WHERE claim.user_id = \(key)
                  UNION
                  SELECT claim.item_id FROM claim JOIN item AS owned ON owned.id = claim.item_id
                  WHERE owned.user_id = \(key)
                  UNION
                  SELECT message.item_id FROM message WHERE message.sender_id = \(key)
                  UNION
                  SELECT message.item_id FROM message WHERE message.recipient_id = \(key)
                )
                """
        }
    }
}
