import Base
import HabitModel
import StoreEngine

/// Lookups of referenced records by the IDs of the source, with a cache of limited size.
final class References {
    /// A referenced habit.
    ///
    /// It is a class, so returning it costs one reference count instead of one for each member.
    final class Habit {
        let key: Int64
        let ownerKey: Int64
        let ownerID: String
        let zone: TimeZoneRules
        let history: ScheduleHistory
        /// The area in which others see no positions of the owner's events.
        let hiddenArea: HiddenArea

        init(
            key: Int64,
            ownerKey: Int64,
            ownerID: String,
            zone: TimeZoneRules,
            history: ScheduleHistory,
            hiddenArea: HiddenArea
        ) {
            self.key = key
            self.ownerKey = ownerKey
            self.ownerID = ownerID
            self.zone = zone
            self.history = history
            self.hiddenArea = hiddenArea
        }
    }

    /// The keys of a referenced item and of its owner.
    struct Item {
        var key: Int64
        var ownerKey: Int64
    }

    private static let capacity = 200_000

    private let session: any Session
    private let account: OnDemand<any Statement>
    private let habit: OnDemand<any Statement>
    private let item: OnDemand<any Statement>
    private let privatePlaces: OnDemand<any Statement>
    /// The reader of the schedules of habits, which other writers use too.
    let histories: HabitHistoryReader
    private var accounts: [String: Int64] = [:]
    private var habits: [String: Habit] = [:]
    private var items: [String: Item] = [:]
    private var hiddenAreas: [Int64: HiddenArea] = [:]

    /// Creates lookups without cached records, which compile each of their statements at the first use.
    init(_ session: any Session) {
        self.session = session
        account = session.onDemand("SELECT id FROM account WHERE external_id = :id")
        let owner = [
            SelectColumn("owner_key", "habit.user_id"),
            SelectColumn("owner", "account.external_id"),
            SelectColumn("private_places", "account.private_places"),
        ]
        var select = Select(
            HabitHistoryReader.columns + owner,
            from: "habit",
            joins: HabitHistoryReader.join)
        select.require("habit.external_id = \(parameter: "id")")
        habit = session.onDemand(select.sql.text)
        item = session.onDemand("SELECT id, user_id FROM item WHERE external_id = :id")
        privatePlaces = session.onDemand("SELECT private_places FROM account WHERE id = :id")
        histories = HabitHistoryReader(session)
    }

    // MARK: Prefetching with `PipelinedStatement.prefetch`

    func prefetch(users ids: [String]) throws {
        let unknown = ids.filter { id in accounts[id] == nil }
        try prefetch(unknown, with: account)
    }

    func prefetch(habits ids: [String]) throws {
        let unknown = ids.filter { id in habits[id] == nil }
        try prefetch(unknown, with: habit)
    }

    func prefetch(items ids: [String]) throws {
        let unknown = ids.filter { id in items[id] == nil }
        try prefetch(unknown, with: item)
    }

    private func prefetch(_ ids: [String], with lookup: OnDemand<any Statement>) throws {
        guard session.pipeline != nil else { return }
        let parameters = ids.map { id in [Value.text(id)] }
        try lookup.value().pipelined?.prefetch(parameters)
    }

    // MARK: Lookups

    /// Returns the key of a user.
    ///
    /// - Throws: `unknown-reference` if the user does not exist.
    func user(_ id: String, field: Field) throws -> Int64 {
        guard let key = try knownUser(id) else {
            throw Self.unknown("user", id: id, field: field)
        }
        return key
    }

    /// Returns the key of a user, or `nil` if the user does not exist.
    func knownUser(_ id: String) throws -> Int64? {
        if let key = accounts[id] {
            return key
        }
        let found = try first(account, id: id) { row in row.integer(0) }
        guard let key = found else { return nil }
        if accounts.count >= Self.capacity {
            accounts.removeAll(keepingCapacity: true)
        }
        accounts[id] = key
        return key
    }

    /// Returns a habit.
    ///
    /// - Throws: `unknown-reference` if the habit does not exist.
    func habit(_ id: String) throws -> Habit {
        guard let habit = try knownHabit(id) else {
            throw Self.unknown("habit", id: id, field: .habit)
        }
        return habit
    }

    /// Returns a habit, or `nil` if it does not exist.
    func knownHabit(_ id: String) throws -> Habit? {
        if let habit = habits[id] {
            return habit
        }
        let count = HabitHistoryReader.columns.count
        let found = try first(habit, id: id) { row -> Habit? in
            guard let stored = try histories.history(in: row) else { return nil }
            return Habit(
                key: row.integer(0),
                ownerKey: row.integer(count),
                ownerID: row.text(count + 1) ?? "",
                zone: TimeZoneRules(stored.zone) ?? .utc,
                history: stored.schedule,
                hiddenArea: try HiddenArea(stored: row.text(count + 2)))
        }
        guard let result = found ?? nil else { return nil }
        if habits.count >= Self.capacity {
            habits.removeAll(keepingCapacity: true)
        }
        habits[id] = result
        return result
    }

    func item(_ id: String) throws -> Item {
        if let item = items[id] {
            return item
        }
        let stored = try first(item, id: id) { row in
            Item(key: row.integer(0), ownerKey: row.integer(1))
        }
        guard let found = stored else {
            throw Self.unknown("item", id: id, field: .item)
        }
        if items.count >= Self.capacity {
            items.removeAll(keepingCapacity: true)
        }
        items[id] = found
        return found
    }

    /// Returns the area in which others see no positions of a user's records.
    ///
    /// - Parameter key: The key of the user.
    /// - Returns: The area, which is empty for a user without private places.
    /// - Throws: An error of the engine; `field-invalid` if the stored places are damaged.
    func hiddenArea(ofUser key: Int64) throws -> HiddenArea {
        if let area = hiddenAreas[key] {
            return area
        }
        let statement = try privatePlaces.value()
        try statement.bind([.integer(key)])
        let text = try statement.firstRow { row in row.text(0) }
        let area = try HiddenArea(stored: text ?? nil)
        if hiddenAreas.count >= Self.capacity {
            hiddenAreas.removeAll(keepingCapacity: true)
        }
        hiddenAreas[key] = area
        return area
    }

    /// Clears the cache of habits and of hidden areas, because stored habits or their users may have changed.
    func forgetHabits() {
        habits.removeAll(keepingCapacity: true)
        hiddenAreas.removeAll(keepingCapacity: true)
    }

    private func first<Result>(
        _ lookup: OnDemand<any Statement>,
        id: String,
        body: (any Row) throws -> Result
    ) throws -> Result? {
        let statement = try lookup.value()
        try statement.bind([.text(id)])
        return try statement.firstRow(body)
    }

    private static func unknown(_ what: String, id: String, field: Field) -> HabitError {
        HabitError(
            .unknownReference,
            "the \(what) '\(id)' does not exist: load it first or correct the id",
            field: field.name)
    }
}

extension Statement {
    /// Binds the values of the parameters by name.
    ///
    /// A parameter without a value is null. Values of other names are ignored.
    func bind(_ values: [String: Value]) throws {
        let inOrder = parameters.map { name in values[name] ?? .null }
        try bind(inOrder)
    }

    /// Returns the first column of the first row for these values, or `nil` if there is no row.
    func key(_ values: [Value]) throws -> Int64? {
        try bind(values)
        return try firstRow { row in row.integer(0) }
    }
}

extension Row {
    /// Checks the owner of a row that begins with its key, `external_id` and `user_id`.
    ///
    /// An ID keeps its owner.
    ///
    /// - Throws: `field-invalid` if the row belongs to another user.
    func checkOwner(_ owner: Int64, of what: String, id: String) throws {
        guard integer(2) == owner else {
            throw HabitError(
                .fieldInvalid,
                "the \(what) '\(id)' belongs to another user",
                field: Field.user.name)
        }
    }
}
